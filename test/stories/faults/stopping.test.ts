import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Practice } from "../../../src/sandbox/practice.ts";
import { type Main, openPractice, startMain } from "../main-process.ts";
import { billOf } from "../ordering.ts";
import { fileStore, goAhead, said } from "../story.ts";

/** Each wait in these stories is of 30 s or more: a stop that took less has not waited for it. */
const soonMs = 10_000;

async function link({ slack, platform }: Practice): Promise<void> {
  const ana = slack.as("ana");
  await ana.type("/rackbell link");
  await slack.until(() => JSON.stringify(ana.modal() ?? {}).includes("API key"), "the form");
  await ana.fill({ "API key": platform.keys.ana.key });
  await ana.submit();
  await slack.until(() => ana.sees().some((message) => said(message).includes("is linked")), "the link");
}

/** `left`: something has not ended by itself when the grace is over. */
async function expectCleanEnd(main: Main, { left = false } = {}): Promise<void> {
  const { code, ms } = await main.terminate();
  expect([code, await main.errors]).toEqual([0, ""]);
  expect(ms).toBeLessThan(soonMs);
  expect(main.lines.join("").includes("does not wait for what has not ended")).toBe(left);
}

test("a start on a port that another process listens on ends with a sentence that names it, and that one stops without waiting for its grace", async () => {
  const practice = await openPractice({ STOP_GRACE: "1m" });
  const main = await startMain(practice);
  const other = { ...practice, environment: { ...practice.environment, STORE_URL: fileStore() } };
  const second = await startMain(other, { becomesReady: false });
  expect(await second.errors).toBe(
    `Rackbell did not start, because of its configuration:\n- PORT: another process listens on port ${practice.environment.PORT} of 127.0.0.1 already. Stop it, or set another port.\n`,
  );
  expect(main.alive()).toBe(true);
  await expectCleanEnd(main);
}, 60_000);

test("a start on a host name without an address ends with a sentence that names it", async () => {
  const practice = await openPractice({ HOST: "nosuchhost.invalid" });
  const main = await startMain(practice, { becomesReady: false });
  expect(await main.errors).toMatch(/configuration:\n- HOST: no address was found for nosuchhost\.invalid\. Set one/);
});

test("a stop while Slack has put a post off for 40 s ends within its grace, and so does what waited for it", async () => {
  const practice = await openPractice({ STOP_GRACE: "2s" });
  const main = await startMain(practice);
  const { slack } = practice;
  await slack.connected();
  await link(practice);
  slack.faults.rateLimit("chat.postMessage", 40);
  await slack.as("ana").type("/vps reboot web-1 force=yes");
  await slack.until(() => slack.calls("chat.postMessage").length > 0, "the post");
  await expectCleanEnd(main);
}, 60_000);

test("a stop while Slack answers a post with silence ends within its grace", async () => {
  const practice = await openPractice({ STOP_GRACE: "2s" });
  const main = await startMain(practice);
  const { slack } = practice;
  await slack.connected();
  await link(practice);
  const release = slack.faults.hangApi("chat.postMessage");
  await slack.as("ana").type("/vps reboot web-1 force=yes");
  await slack.until(() => slack.calls("chat.postMessage").length > 0, "the post");
  await expectCleanEnd(main, { left: true });
  release();
}, 60_000);

test("a stop during a payment waits for its answer, and notifies the requester before it ends", async () => {
  const practice = await openPractice({ STOP_GRACE: "30s" });
  const main = await startMain(practice);
  const { slack, platform } = practice;
  await slack.connected();
  await link(practice);
  const ana = slack.as("ana");
  const { number } = billOf(practice, "Renewal of web-2");
  await ana.type(`/billing pay ${number} amount=5`);
  const review = () => ana.sees().find((message) => said(message).includes("5.00 EUR from the credit balance"));
  await slack.until(() => review() !== undefined, "the review");
  platform.faults.hang(/\/pay$/);
  await ana.press(review() ?? ana.lastSeen(), goAhead);
  await expect.poll(() => platform.calls().some(({ status }) => status === null)).toBe(true);
  const ending = expectCleanEnd(main);
  await expect.poll(main.ready).toMatch(/^503 .*Rackbell is stopping/);
  platform.faults.resume();
  await ending;
  const messages = Object.values(slack.state().channels)
    .flat()
    .filter((message) => said(message).includes(":white_check_mark:"));
  expect(messages.map(said).join()).toContain("5.00 EUR");
}, 60_000);

test("a stop while the platform is silent over a change ends within its grace", async () => {
  const practice = await openPractice({ STOP_GRACE: "2s" });
  const main = await startMain(practice);
  const { slack, platform } = practice;
  await slack.connected();
  await link(practice);
  platform.faults.hang();
  await slack.as("ana").type("/vps reboot web-1 force=yes");
  await expect.poll(() => platform.calls().some(({ status }) => status === null)).toBe(true);
  await expectCleanEnd(main, { left: true });
}, 60_000);

test("in HTTP mode, a delivery of Slack during a stop is asked to come again, and a balancer sees that the app is going", async () => {
  const practice = await openPractice({ STOP_GRACE: "30s" });
  const main = await startMain(practice, { http: true });
  const { slack, platform } = practice;
  await link(practice);
  platform.faults.hang("/vps");
  await slack.as("ana").type("/vps list");
  await expect.poll(() => platform.calls().some(({ status }) => status === null)).toBe(true);
  const ending = main.terminate();
  await expect.poll(main.ready).toMatch(/^503 .*Rackbell is stopping/);
  const body = new URLSearchParams({ command: "/rackbell", text: "help", team_id: slack.teamId }).toString();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", slack.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${signature}`,
  };
  const answer = await fetch(`${main.url}/slack/events`, { method: "POST", body, headers });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  platform.faults.resume();
  expect((await ending).code).toBe(0);
  expect(slack.as("ana").sees().map(said).join()).toContain("VPSes");
}, 60_000);
