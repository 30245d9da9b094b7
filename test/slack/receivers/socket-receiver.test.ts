import { App } from "@slack/bolt";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createSlackFetch } from "../../../src/messages/chat/wire.ts";
import { createLog, slackLogger } from "../../../src/process/log.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { takeOnlyFrom } from "../../../src/slack/receivers/own-workspace.ts";
import { createSocketReceiver, type Hello } from "../../../src/slack/receivers/socket-receiver.ts";
import { failure, json, page, reset, silence, startSlack, wireFor } from "../../messages/chat/callers.ts";
import { team } from "./receiving.ts";

type Answer = Parameters<typeof startSlack>[0];
type Greet = (socket: WebSocket) => void;

const hello: Greet = (socket) => socket.send(JSON.stringify({ type: "hello" }));

/** A Slack that answers each `apps.connections.open` and greets each socket as the test says, the last way from then on; and our receiver. */
async function world(script: { opens?: (Answer | "open")[]; greets?: Greet[] } = {}) {
  const clock = createSandboxClock();
  const sockets: WebSocket[] = [];
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const { opens = [], greets = [] } = script;
  server.on("connection", (socket) => {
    sockets.push(socket);
    (greets[sockets.length - 1] ?? hello)(socket);
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const opened = json(200, { ok: true, url: `ws://127.0.0.1:${port}/?ticket=5ecret` });
  const slack = await startSlack((response, got) => {
    const answer = opens[slack.got.length - 1] ?? "open";
    return answer === "open" ? opened(response) : answer(response, got);
  });
  const lines: string[] = [];
  const refused: string[] = [];
  const hellos: Hello[] = [];
  const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  const fetch = createSlackFetch({ wire: wireFor(clock) });
  const socket = createSocketReceiver({
    appToken: "xapp-1-A1-2-abcdef",
    apiUrl: slack.apiUrl,
    fetch,
    clock,
    log,
    slackLogger: slackLogger(log),
    onRefused: (kind) => refused.push(kind),
    onHello: (greeting) => hellos.push(greeting),
  });
  const app = new App({
    token: "xoxb-1",
    receiver: socket.receiver,
    logger: slackLogger(log),
    convoStore: false,
    tokenVerificationEnabled: false,
    botId: "",
    botUserId: "",
  });
  takeOnlyFrom({ team, enterprise: null }, app);
  onTestFinished(() => socket.stop());
  const connected = () => expect.poll(() => socket.problems()).toEqual([]);
  const pauses = (): number[] => lines.flatMap((line) => JSON.parse(line).pauseMs ?? []);
  /** Lets the pause before the next attempt pass, `nth` since the start. */
  async function passPause(nth: number): Promise<void> {
    await expect.poll(() => pauses().length).toBeGreaterThanOrEqual(nth);
    clock.skip(pauses()[nth - 1] ?? 0);
    await expect.poll(() => slack.got.length).toBeGreaterThanOrEqual(nth + 1);
  }
  return { clock, slack, sockets, socket, app, lines, refused, hellos, connected, opened, pauses, passPause };
}

describe("at the first start", () => {
  test.each(["invalid_auth", "not_authed", "account_inactive", "not_allowed_token_type", "missing_scope"])(
    "%s is reported, and not tried again",
    async (error) => {
      const { socket, slack, clock } = await world({ opens: [json(200, { ok: false, error })] });
      expect(await failure(socket.start())).toMatchObject({ name: "SlackRefused", reason: error });
      clock.skip(10 * 60_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(slack.got).toHaveLength(1);
    },
  );

  test.each([
    ["a 500", page(500, "oops"), "it does not answer", 1_000],
    ["a reset", reset, "it does not answer", 1_000],
    ["a proxy's 403", page(403, "<h1>Forbidden</h1>"), "it does not answer", 1_000],
    ["a 429", page(429, "", { "retry-after": "90" }), "it asks to slow down", 90_000],
    ["an answer without an address", json(200, { ok: true }), "it does not answer", 1_000],
  ])("%s stops nothing: it is tried again until Slack is there", async (_, answer, words, pauseMs) => {
    const { socket, connected, passPause, pauses } = await world({ opens: [answer] });
    await socket.start();
    expect(socket.problems()).toEqual([expect.stringContaining(words)]);
    await passPause(1);
    await connected();
    expect(pauses()).toEqual([pauseMs]);
  });

  test("silence is given up after ten seconds", async () => {
    const { socket, slack, clock, connected } = await world({ opens: [silence] });
    const started = socket.start();
    await expect.poll(() => slack.got.length).toBe(1);
    expect(socket.problems()).toEqual(["Slack is not connected: the connection is being made."]);
    clock.skip(10_000);
    await started;
    expect(socket.problems()).toEqual([expect.stringContaining("it does not answer")]);
    clock.skip(1_000);
    await connected();
  });
});

describe("in the middle", () => {
  test.each([
    ["invalid_auth", json(200, { ok: false, error: "invalid_auth" }), "refused SLACK_APP_TOKEN (invalid_auth)"],
    ["account_inactive", json(200, { ok: false, error: "account_inactive" }), "(account_inactive)"],
    ["not_authed", json(200, { ok: false, error: "not_authed" }), "(not_authed)"],
    ["a 500", page(500, "oops"), "it does not answer"],
    ["a proxy's page", page(200, "<html>"), "it does not answer"],
    ["a proxy's 407", page(407, "<h1>Log in</h1>"), "it does not answer"],
    ["a reset", reset, "it does not answer"],
  ])("%s is lived through: it says so, and comes back by itself", async (_, answer, words) => {
    const { socket, sockets, slack, clock, connected, lines } = await world({ opens: ["open", answer, answer] });
    await socket.start();
    expect(socket.problems()).toEqual([]);
    sockets[0]?.terminate();
    await expect.poll(() => socket.problems().join()).toContain(words);
    clock.skip(1_000);
    await expect.poll(() => slack.got.length).toBe(3);
    expect(socket.problems().join()).toContain(words);
    clock.skip(2_000);
    await connected();
    expect(lines.join("")).toContain("Slack is not connected");
    expect(lines.join("")).not.toContain("5ecret");
  });

  test("silence is given up after ten seconds, and tried again", async () => {
    const { socket, sockets, slack, clock, connected } = await world({ opens: ["open", silence] });
    await socket.start();
    sockets[0]?.terminate();
    await expect.poll(() => slack.got.length).toBe(2);
    clock.skip(10_000);
    await expect.poll(() => socket.problems().join()).toContain("it does not answer");
    clock.skip(1_000);
    await connected();
  });

  test("a socket that closes before its hello, or never says it, is made anew, and only one is left", async () => {
    const greets: Greet[] = [hello, (socket) => socket.terminate(), (socket) => socket.close(1011), () => {}];
    const { socket, sockets, clock, connected, passPause } = await world({ greets });
    await socket.start();
    sockets[0]?.terminate();
    for (const nth of [1, 2, 3]) await passPause(nth);
    await expect.poll(() => sockets.length).toBe(4);
    expect(socket.problems().join()).toContain("it does not answer");
    clock.skip(20_000); // the fourth has said nothing
    await passPause(4);
    await connected();
    expect(sockets.filter(({ readyState }) => readyState === 1)).toHaveLength(1);
  });

  test("a connection that Slack asks to renew is made at once, and one that was good for a while costs no pause", async () => {
    const { socket, sockets, slack, clock, connected } = await world();
    await socket.start();
    for (let turn = 1; turn <= 3; turn += 1) {
      clock.skip(60_000);
      sockets.at(-1)?.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
      await expect.poll(() => slack.got.length).toBe(turn + 1);
      await connected();
    }
  });

  const drop: Greet = (socket) => {
    hello(socket);
    setImmediate(() => socket.terminate());
  };
  const refused = json(200, { ok: false, error: "invalid_auth" });

  test.each([
    ["lets in and drops again at once", { greets: Array<Greet>(30).fill(drop) }, 20_000],
    ["is away", { opens: ["open" as const, ...Array<Answer>(30).fill(page(503, "away"))] }, 20_000],
    ["refuses the token", { opens: ["open" as const, ...Array<Answer>(30).fill(refused)] }, 180_000],
  ])(
    "a Slack that %s is not called without a pause, and is found again soon after it is back",
    async (_, script, longest) => {
      const { socket, sockets, pauses, passPause } = await world(script);
      await socket.start();
      sockets[0]?.terminate();
      for (let nth = 1; nth <= 12; nth += 1) await passPause(nth);
      expect(pauses().slice(0, 5)).toEqual([0, 1_000, 2_000, 4_000, 8_000]);
      expect(Math.max(...pauses())).toBe(longest);
    },
  );

  test("the pause that Slack asks for is kept to, and is not made longer by those before it", async () => {
    const slow = page(429, "", { "retry-after": "30" });
    const { socket, sockets, pauses, passPause } = await world({
      opens: ["open", ...Array<Answer>(8).fill(page(503, "away")), slow],
    });
    await socket.start();
    sockets[0]?.terminate();
    for (let nth = 1; nth <= 10; nth += 1) await passPause(nth);
    expect(pauses()[9]).toBe(30_000);
  });
});

describe("a message over the socket", () => {
  const press = { type: "block_actions", team: { id: team }, actions: [{ action_id: "go" }], user: { id: "U1" } };
  const envelope = (payload: unknown, type = "interactive") =>
    JSON.stringify({ envelope_id: "e1", type, payload, accepts_response_payload: true });

  async function listening() {
    const made = await world();
    const deliveries: string[] = [];
    const acknowledged: string[] = [];
    made.app.action("go", async ({ ack }) => {
      deliveries.push("press");
      await ack();
    });
    made.app.action("fail", async () => {
      throw new Error("a bug");
    });
    await made.socket.start();
    made.sockets[0]?.on("message", (data) => acknowledged.push(String(data)));
    return { ...made, deliveries, acknowledged, send: (text: string | Buffer) => made.sockets[0]?.send(text) };
  }

  test.each([
    ["null", "null"],
    ["a number", "1"],
    ["no JSON", "{"],
    ["bytes", Buffer.from([0, 1, 2])],
    ["an event without a payload", JSON.stringify({ type: "events_api", envelope_id: "e" })],
    ["an event without an event", envelope({ type: "app_rate_limited", team_id: team }, "events_api")],
    ["an interaction of null", envelope(null)],
    ["a press of nothing", envelope({ ...press, actions: null })],
    ["an unknown kind", envelope({}, "odd")],
    ["a press over which the listener fails", envelope({ ...press, actions: [{ action_id: "fail" }] })],
  ])("that is %s harms nothing", async (_, message) => {
    const { send, deliveries, socket } = await listening();
    send(message);
    send(envelope(press));
    await expect.poll(() => deliveries).toEqual(["press"]);
    expect(socket.problems()).toEqual([]);
  });

  test("of another workspace's is not acknowledged and reaches nobody", async () => {
    const { send, deliveries, acknowledged, refused } = await listening();
    send(envelope({ ...press, team: { id: "T9" } }));
    send(envelope(press));
    await expect.poll(() => deliveries).toEqual(["press"]);
    await expect.poll(() => acknowledged).toHaveLength(1);
    expect(refused).toEqual(["other workspace"]);
  });

  test("that is acknowledged when the socket has gone ends nothing", async () => {
    const { send, app, sockets, lines, connected } = await listening();
    app.command("/vps", async ({ ack }) => {
      sockets[0]?.terminate();
      await expect.poll(() => sockets.length).toBe(2);
      await ack();
    });
    send(envelope({ command: "/vps", team_id: team, user_id: "U1", channel_id: "C1" }, "slash_commands"));
    await expect.poll(() => sockets.length).toBe(2);
    await connected();
    expect(lines.join("")).not.toContain("no longer kept");
  });
});

test("a command that comes over the socket after a stop reaches no listener and is not acknowledged", async () => {
  const { socket, sockets, app } = await world();
  const deliveries: string[] = [];
  app.command("/vps", async ({ ack }) => {
    deliveries.push("command");
    await ack();
  });
  await socket.start();
  const [slacks] = sockets;
  const acknowledged: string[] = [];
  slacks?.on("message", (data) => acknowledged.push(JSON.parse(String(data)).envelope_id));
  const payload = { command: "/vps", team_id: team, user_id: "U1", channel_id: "C1" };
  slacks?.send(JSON.stringify({ envelope_id: "e1", type: "slash_commands", payload }));
  await expect.poll(() => acknowledged).toEqual(["e1"]);
  await socket.stop();
  slacks?.send(JSON.stringify({ envelope_id: "e2", type: "slash_commands", payload }));
  await expect.poll(() => slacks?.readyState).toBe(3);
  expect(deliveries).toHaveLength(1);
  expect(acknowledged).toEqual(["e1"]);
});

test("a stop ends the attempts, and leaves no connection that was being made", async () => {
  const opening = Promise.withResolvers<() => void>();
  const hold: Answer = (response) => opening.resolve(() => opened(response));
  const { socket, sockets, slack, clock, opened } = await world({ opens: ["open", hold] });
  await socket.start();
  sockets[0]?.terminate();
  const release = await opening.promise;
  await socket.stop();
  release();
  await expect.poll(() => sockets.length).toBe(2);
  await expect.poll(() => sockets.map(({ readyState }) => readyState)).toEqual([3, 3]);
  clock.skip(60 * 60_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(slack.got).toHaveLength(2);
});

describe("the traffic of a connection", () => {
  test("is its age and the time since its last payload, and there is none without a connection", async () => {
    const { socket, sockets, clock } = await world({ opens: ["open", silence] });
    expect(socket.traffic.read()).toBeNull();
    await socket.start();
    clock.skip(60_000);
    sockets[0]?.send(JSON.stringify({ envelope_id: "e1", type: "events_api", payload: { team_id: team } }));
    await expect.poll(() => socket.traffic.read()?.quiet).toBeLessThan(30_000);
    expect(socket.traffic.read()?.age).toBeGreaterThanOrEqual(60_000);
    sockets[0]?.terminate();
    await expect.poll(() => socket.traffic.read()).toBeNull();
  });

  test("begins anew when it is renewed, and the old connection is closed in order", async () => {
    const { socket, sockets, clock, connected, hellos } = await world();
    await socket.start();
    clock.skip(10 * 60_000);
    socket.traffic.renew();
    await expect.poll(() => sockets.length).toBe(2);
    await connected();
    expect(socket.traffic.read()?.age).toBeLessThan(30_000);
    expect(sockets[0]?.readyState).toBe(3);
    expect(hellos[1]).toEqual({ connections: null, overlap: 1 });
  });
});

test("Socket Mode that was turned off is named until there is a connection again", async () => {
  const { socket, sockets, connected, passPause } = await world({ opens: ["open", page(503, "away")] });
  await socket.start();
  sockets[0]?.send(JSON.stringify({ type: "disconnect", reason: "link_disabled" }));
  await expect.poll(() => socket.problems()).toEqual([expect.stringContaining("Socket Mode was turned off")]);
  await passPause(2);
  await connected();
  sockets[1]?.terminate();
  await expect.poll(() => sockets.length).toBe(3);
  await connected();
});

describe("the connections that Slack counts", () => {
  const counting =
    (num_connections: unknown): Greet =>
    (socket) =>
      socket.send(JSON.stringify({ type: "hello", num_connections }));

  test("are passed on with each greeting, and those that Slack may still count after it asked for a new one", async () => {
    const greets = [counting(1), counting(2), counting(3), counting("many")];
    const { socket, sockets, clock, hellos, connected, passPause } = await world({ greets });
    await socket.start();
    clock.skip(10 * 60_000);
    // A network that breaks off leaves one that is dead.
    sockets[0]?.terminate();
    await expect.poll(() => hellos.length).toBe(2);
    await connected();
    clock.skip(10 * 60_000);
    sockets[1]?.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    await expect.poll(() => hellos.length).toBe(3);
    await connected();
    clock.skip(30_000);
    sockets[2]?.terminate();
    await passPause(3);
    await expect.poll(() => hellos.length).toBe(4);
    expect(hellos).toEqual([
      { connections: 1, overlap: 1 },
      { connections: 2, overlap: 0 },
      { connections: 3, overlap: 1 },
      { connections: null, overlap: 1 },
    ]);
  });

  test("make it wait where Slack has too many of them, longer each time, and say why", async () => {
    const crowded: Greet = (socket) =>
      socket.send(JSON.stringify({ type: "disconnect", reason: "too_many_websockets" }));
    const { socket, slack, pauses, passPause, connected } = await world({ greets: [crowded, crowded, crowded, hello] });
    await socket.start();
    for (const nth of [1, 2, 3]) {
      await expect.poll(() => pauses().length).toBe(nth);
      expect(socket.problems()).toEqual([expect.stringContaining("too many connections")]);
      expect(slack.got).toHaveLength(nth);
      await passPause(nth);
    }
    await connected();
    expect(pauses()).toEqual([120_000, 180_000, 180_000]);
  });

  test("never make it connect anew", async () => {
    const { socket, slack, clock, hellos } = await world({ greets: [counting(9)] });
    await socket.start();
    expect(hellos).toEqual([{ connections: 9, overlap: 1 }]);
    for (let hour = 0; hour < 3; hour += 1) clock.skip(60 * 60_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([slack.got.length, socket.problems()]).toEqual([1, []]);
  });
});
