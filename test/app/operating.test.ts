import { expect, test } from "vitest";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { said, tell } from "../stories/story.ts";

test("in HTTP mode, a signed command is answered, and a press and a form work as over the socket", async () => {
  const story = await tell({ mode: "http", linked: ["ana"] });
  const { ana } = story;
  const card = await story.ask(ana, "/vps show web-1", "is running");
  await ana.press(card, "Reboot");
  await story.sees(ana, "Rebooting");
  await ana.type("/vps snapshot web-1");
  await story.modal(ana, "Name of the snapshot");
  await ana.fill({ "Name of the snapshot": "not allowed!" });
  expect(await ana.submit()).toHaveProperty("errors");
  await ana.fill({ "Name of the snapshot": "fresh-one" });
  await ana.submit();
  await story.sees(ana, "Taking the snapshot", "fresh-one");
});

test("in HTTP mode, a post with a wrong signature or none is refused and does nothing", async () => {
  const story = await tell({ mode: "http", linked: ["ana"] });
  story.platform.clearCalls();
  const body = new URLSearchParams({
    command: "/vps",
    text: "reboot web-1",
    user_id: story.ana.user.id,
    channel_id: "C1",
    response_url: story.slack.url,
    trigger_id: "1.2.3",
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const unsigned = await fetch(`${story.app.url}/slack/events`, { method: "POST", headers, body });
  const forged = await fetch(`${story.app.url}/slack/events`, {
    method: "POST",
    headers: {
      ...headers,
      "x-slack-request-timestamp": String(Math.floor(Date.now() / 1000)),
      "x-slack-signature": `v0=${"0".repeat(64)}`,
    },
    body,
  });
  expect([unsigned.status, forged.status]).toEqual([401, 401]);
  expect(story.platform.calls()).toEqual([]);
});

test("an operator of the app sees that it is alive and ready, and its figures", async () => {
  const story = await tell({ linked: ["ana"] });
  await story.ask(story.ana, "/vps list", "VPSes");
  const read = async (path: string) => {
    const answer = await fetch(`${story.app.url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect(await read("/healthz")).toEqual({ status: 200, text: "ok\n" });
  expect((await read("/readyz")).status).toBe(200);
  const metrics = await read("/metrics");
  expect(metrics.text).toContain('rackbell_commands_total{command="vps list",outcome="ok"} 1');
  expect(metrics.text).toMatch(
    /rackbell_platform_call_seconds_count\{api="customer",route="[^"]*\/vps",status="200"\} [1-9]/,
  );
  expect(metrics.text).toContain("rackbell_operations_without_route 0");
  expect((await read("/anything")).status).toBe(404);
  story.slack.faults.dropSocket();
  await expect.poll(async () => (await read("/readyz")).status, { timeout: 10_000 }).toBe(503);
});

test("when the app stops, a command that is under way still gets its answer", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.hang("/vps");
  await ana.type("/vps list");
  const asked = () => platform.calls().some(({ path, status }) => path === "/vps" && status === null);
  await expect.poll(asked).toBe(true);
  const stopped = story.app.stop();
  platform.faults.resume();
  await stopped;
  expect(said(ana.lastSeen())).toContain("VPSes");
});

test("the start stops with a sentence when Slack does not know the token, and shows no token", async () => {
  const story = await tell();
  const environment = { ...story.environment, SLACK_BOT_TOKEN: "xoxb-not-the-one" };
  const start = startApp({ config: readConfig(environment), log: createLog({ level: "fatal" }), clock: story.clock });
  await expect(start).rejects.toThrow(/SLACK_BOT_TOKEN.*invalid_auth/);
  await expect(start).rejects.not.toThrow(/not-the-one/);
});
