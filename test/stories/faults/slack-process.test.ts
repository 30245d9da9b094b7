import { createHmac } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import type { PracticeSlack } from "../../../src/sandbox/slack/server.ts";
import { openPractice, startMain } from "../main-process.ts";
import { said } from "../story.ts";

const opening = "apps.connections.open";

async function helps(slack: PracticeSlack): Promise<void> {
  const ana = slack.as("ana");
  await ana.type("/rackbell help");
  await slack.until(() => ana.sees().some((message) => said(message).includes("/vps")), "an answer");
}

test.each([
  ["invalid_auth", ({ faults }: PracticeSlack) => faults.fail(opening, "invalid_auth", 2), "(invalid_auth)"],
  ["500", ({ faults }: PracticeSlack) => faults.failHttp(opening, 500, 2), "it does not answer"],
])(
  "the socket drops and Slack answers %s to the app: it lives, says so, and comes back by itself",
  async (_, set, words) => {
    const { slack, ...practice } = await openPractice();
    const main = await startMain({ slack, ...practice });
    await slack.connected();
    set(slack);
    slack.faults.dropSocket();
    await expect.poll(main.ready, { interval: 20 }).toMatch(/^503 /);
    expect(await main.ready()).toContain("Slack is not connected");
    await expect.poll(main.ready, { interval: 20 }).toContain(words);
    await expect.poll(main.ready).toMatch(/^200 /);
    await helps(slack);
    expect(main.alive()).toBe(true);
  },
  60_000,
);

test("Slack is away when the app starts: the app waits for it, and says so", async () => {
  const { slack, ...practice } = await openPractice();
  slack.faults.failHttp(opening, 503, 2);
  const main = await startMain({ slack, ...practice });
  expect(await main.ready()).toContain("Slack is not connected: it does not answer");
  await expect.poll(main.ready).toMatch(/^200 /);
  await helps(slack);
}, 60_000);

test("Slack refuses the app token at the start: one message says so, and no token with it", async () => {
  const { slack, ...practice } = await openPractice();
  slack.faults.fail(opening, "invalid_auth");
  const main = await startMain({ slack, ...practice }, { becomesReady: false });
  const [code] = await once(main.child, "exit");
  const errors = await main.errors;
  expect(code).toBe(1);
  expect(errors).toMatch(
    /^Rackbell did not start, because of its configuration:\n- SLACK_APP_TOKEN: .*invalid_auth.*\n$/,
  );
  expect(errors + main.lines.join("")).not.toContain(slack.appToken);
}, 60_000);

test("connections that are cut again and again as they are made end nothing, and neither does what is no message; a stop while one is made ends cleanly", async () => {
  const { slack, ...practice } = await openPractice();
  const main = await startMain({ slack, ...practice });
  for (let turn = 0; turn < 3; turn += 1) {
    await slack.connected();
    slack.faults.dropSocket();
  }
  await slack.connected();
  for (const garbage of ["null", '{"type":"events_api"}', '{"type":"interactive","payload":null}', "{"])
    slack.faults.sayOverSocket(garbage);
  await helps(slack);
  expect(main.alive()).toBe(true);

  const attempts = slack.calls(opening).length;
  const release = slack.faults.hangApi(opening);
  slack.faults.dropSocket();
  await slack.until(() => slack.calls(opening).length > attempts, "an attempt");
  expect(await main.terminate()).toMatchObject({ code: 0 });
  expect(await main.errors).toBe("");
  release();
}, 60_000);

test("in HTTP mode no signed body, whatever it is, ends the app", async () => {
  const { slack, ...practice } = await openPractice();
  const main = await startMain({ slack, ...practice }, { http: true });
  for (const [type, body] of [
    ["application/x-www-form-urlencoded", "payload=null"],
    ["application/json", "null"],
    ["application/json", "[]"],
    ["application/json", '{"event":null}'],
  ] as const) {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac("sha256", slack.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
    const answer = await fetch(`${main.url}/slack/events`, {
      method: "POST",
      body,
      headers: {
        "content-type": type,
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": `v0=${signature}`,
      },
    });
    expect(answer.status).toBe(400);
  }
  await helps(slack);
  expect(main.alive()).toBe(true);
}, 60_000);

test("a machine whose clock is off by more than half a minute gets a warning, and works all the same", async () => {
  const practice = await openPractice({}, { clock: createSandboxClock(Date.now() - 90_000) });
  const main = await startMain(practice);
  await practice.slack.connected();
  expect(await main.ready()).toMatch(/^200 .*clock is (89|9\d) s ahead of Slack's/);
  await helps(practice.slack);
}, 60_000);
