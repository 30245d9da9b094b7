import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/process/log.ts";
import { said, startStory } from "../stories/story.ts";

test("in HTTP mode, a signed command is answered, and a press and a form work as over the socket", async () => {
  const story = await startStory({ mode: "http", linked: ["ana"] });
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
  const story = await startStory({ mode: "http", linked: ["ana"] });
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

test("an operator sees which commands were refused to a member, and which failed by a fault", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/vps show nowhere", "nowhere");
  platform.faults.next({ how: "html", method: "GET", path: "/projects", times: 9 });
  await story.ask(ana, "/project list", "contract");
  const text = await (await fetch(`${story.app.url}/metrics`)).text();
  expect(text.split("\n").filter((line) => line.startsWith("rackbell_commands_total{command"))).toEqual([
    'rackbell_commands_total{command="rackbell link",outcome="ok"} 1',
    'rackbell_commands_total{command="vps show",outcome="refused"} 1',
    'rackbell_commands_total{command="project list",outcome="failed"} 1',
  ]);
});

test("an operator of the app sees that it is alive and ready, and its figures", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { slack, platform } = story;
  await story.ask(story.ana, "/vps list", "VPSes");
  await story.ask(story.ana, "/vps cancel web-1", "asks to");
  slack.faults.fail("views.publish", "not_enabled");
  await story.ana.openHome();
  await slack.until(() => slack.calls("views.publish").length > 0, "the Home tab");
  platform.faults.next({ how: "500", method: "GET" });
  await story.ask(story.ana, "/vps show web-1", "is running");
  await fetch(`${story.app.url}/webhooks/reseller/${slack.teamId}`, { method: "POST", body: "{}" });
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
  const lines = metrics.text.split("\n");
  for (const line of [
    "rackbell_operations_without_route 0",
    "rackbell_store_up 1",
    'rackbell_requests_open{state="pending"} 1',
    'rackbell_requests_open{state="unknown"} 0',
    "rackbell_follow_ups_running 0",
    "rackbell_cards_undelivered 0",
    'rackbell_deliveries_total{outcome="unsigned"} 1',
    'rackbell_queue_depth{queue="work"} 0',
    'rackbell_queue_age_seconds{queue="notify"} 0',
    'rackbell_queue_failing{queue="track"} 0',
    'rackbell_slack_refusals_total{method="views.publish",reason="not_enabled"} 1',
    'rackbell_slack_calls_total{method="views.publish",outcome="refused"} 1',
    'rackbell_platform_errors_total{api="customer",kind="refused"} 1',
    'rackbell_platform_budget_left_ratio{api="reseller"} 1',
  ])
    expect(lines).toContain(line);
  expect(metrics.text).toMatch(/rackbell_platform_budget_left_ratio\{api="customer"\} 0\.9/);
  expect((await read("/anything")).status).toBe(404);
});

test.each(["http", "socket"] as const)("in %s mode, what comes for another workspace does nothing", async (mode) => {
  const story = await startStory({ mode, linked: ["ana"] });
  const { ana, slack, platform } = story;
  const typed = (team: string, name: string) => ({
    command: "/vps",
    text: `reboot ${name}`,
    team_id: team,
    trigger_id: "1.2.3",
    response_url: "",
    user_id: ana.user.id,
    channel_id: slack.channels.ops?.id ?? "",
    token: "",
    api_app_id: slack.appId,
  });
  const send = {
    async http(payload: Record<string, string>) {
      const body = new URLSearchParams(payload).toString();
      const timestamp = String(Math.floor(story.clock.now() / 1_000));
      const signature = createHmac("sha256", slack.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": `v0=${signature}`,
      };
      await fetch(`${story.app.url}/slack/events`, { method: "POST", body, headers });
    },
    async socket(payload: Record<string, string>) {
      slack.faults.sayOverSocket(JSON.stringify({ envelope_id: payload.text, type: "slash_commands", payload }));
    },
  }[mode];
  await send(typed("T0OTHER", "web-1 force=yes"));
  await send(typed(slack.teamId, "web-2 force=yes"));
  await story.sees(ana, "ebooting", "web-2");
  const reboots = platform.calls().filter(({ method }) => method === "POST");
  expect(reboots).toHaveLength(1);
  const metrics = await (await fetch(`${story.app.url}/metrics`)).text();
  expect(metrics).toContain('rackbell_slack_requests_refused_total{kind="other workspace"} 1');
});

test("senders with forged signatures who send much and never end keep neither Slack nor the supplier out", async () => {
  const story = await startStory({ mode: "http", linked: ["ana"] });
  const { hostname, port } = new URL(story.app.url);
  const timestamp = Math.floor(story.clock.now() / 1_000);
  const heads = {
    "/slack/events": `x-slack-request-timestamp: ${timestamp}\r\nx-slack-signature: v0=${"0".repeat(64)}`,
    [`/webhooks/reseller/${story.slack.teamId}`]: `x-webhook-signature: hmac-sha256=${"0".repeat(64)}`,
  };
  const open = Object.entries(heads).flatMap(([path, lines]) =>
    Array.from({ length: 10 }, () => {
      const socket = connect(Number(port), hostname).on("error", () => {});
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${lines}\r\ncontent-length: 1000000\r\n\r\n`);
      socket.write("x".repeat(900_000));
      return socket.resume();
    }),
  );
  onTestFinished(() => open.forEach((socket) => void socket.destroy()));
  const counted = async () => (await fetch(`${story.app.url}/metrics`)).text();
  // One address may have three of them open, at either door.
  await expect.poll(counted).toMatch(/slack_requests_refused_total\{kind="crowded out"\} [1-9]/);
  await expect.poll(counted).toMatch(/deliveries_total\{outcome="crowded out"\} [1-9]/);
  await story.ask(story.ana, "/vps show web-1", "is running");
});

test("while Slack lets nobody in, the app says so where its operator looks, and comes back by itself", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock } = story;
  const ready = async () => (await fetch(`${story.app.url}/readyz`)).text();
  slack.faults.fail("apps.connections.open", "account_inactive", 3);
  slack.faults.dropSocket();
  await expect.poll(ready).toContain("Slack is not connected: it refused SLACK_APP_TOKEN (account_inactive)");
  const pauses = () => story.log.filter((line) => line.includes('"pauseMs"')).length;
  for (const nth of [2, 3, 4]) {
    await expect.poll(pauses).toBe(nth); // the first is none
    clock.skip(2 * 60_000);
  }
  await slack.connected();
  await story.ask(ana, "/vps list", "VPSes");
  expect(await ready()).toContain('"ready":true');
});

test("when the app stops, a running command still gets its answer", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.hang("/vps");
  await ana.type("/vps list");
  const isCalled = () => platform.calls().some(({ path, status }) => path === "/vps" && status === null);
  await expect.poll(isCalled).toBe(true);
  const stopped = story.app.stop();
  platform.faults.resume();
  await stopped;
  expect(said(ana.lastSeen())).toContain("VPSes");
});

test("the start stops with a sentence when Slack does not know the token, and shows no token", async () => {
  const story = await startStory({ slackRefuses: ["invalid_auth"] });
  const environment = { ...story.environment, SLACK_BOT_TOKEN: "xoxb-not-the-one" };
  const start = startApp({ config: readConfig(environment), log: createLog({ level: "fatal" }), clock: story.clock });
  await expect(start).rejects.toThrow(/SLACK_BOT_TOKEN.*invalid_auth/);
  await expect(start).rejects.not.toThrow(/not-the-one/);
});
