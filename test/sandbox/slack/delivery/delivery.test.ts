import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { buttons, plain, postInOps, pressesOf, type Stage, section, setStage } from "../app.ts";

const pick = { type: "external_select" as const, action_id: "pick", min_query_length: 0 };

describe.each(["socket", "http"] as const)("a person's act reaches a Bolt app by %s", (mode) => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage(mode);
  });

  it("a command arrives as Slack sends it, and its acknowledgement is shown to the caller alone", async () => {
    const { app, slack } = stage;
    const seen: unknown[] = [];
    app.command("/vps", async ({ command, ack }) => {
      seen.push(command);
      await ack({ text: `heard ${command.text}` });
    });
    const ana = slack.as("ana");
    await ana.type("/vps show web-1.example.com for @ben in #general <b>");

    const { ben } = slack.users;
    const { general, ops } = slack.channels;
    expect(seen).toMatchObject([
      {
        command: "/vps",
        text: `show <http://web-1.example.com|web-1.example.com> for <@${ben?.id}|ben> in <#${general?.id}|general> &lt;b&gt;`,
        user_id: ana.user.id,
        user_name: "ana",
        team_id: slack.teamId,
        channel_id: ops?.id,
        channel_name: "ops",
        is_enterprise_install: "false",
      },
    ]);
    expect(ana.lastSeen()).toMatchObject({ ephemeralTo: ana.user.id, text: expect.stringContaining("heard show") });
    expect(slack.as("ben").sees()).toEqual([]);
  });

  it("a mention arrives as one, in channels and threads, again when it is edited, and not in direct messages", async () => {
    const { app, slack } = stage;
    const seen: unknown[] = [];
    app.event("app_mention", async ({ event }) => void seen.push(event));
    const ana = slack.as("ana");
    const parent = await ana.say("an incident");
    const said = await ana.say("@Rackbell show web-1", "#ops", parent.ts);
    await slack.until(() => seen.length === 1, "the mention");
    await ana.edit(said, "@Rackbell show web-2");
    await slack.until(() => seen.length === 2, "the edit");
    await ana.say("@Rackbell hello", "dm");
    slack.postAs("alerts", "ops", { text: `<@${slack.botUserId}> reboot web-1` });
    await slack.until(() => seen.length === 3, "the bot's");
    const usual = { type: "app_mention", channel: slack.channels.ops?.id };
    const own = { ...usual, user: ana.user.id, team: slack.teamId, ts: said.ts, thread_ts: parent.ts };
    expect(seen).toMatchObject([
      { ...own, text: expect.stringContaining("web-1") },
      { ...own, text: expect.stringContaining("web-2"), edited: { user: ana.user.id } },
      { ...usual, bot_id: expect.stringMatching(/^B/) },
    ]);
    expect(seen[0]).not.toHaveProperty("edited");
    expect(seen[0]).not.toHaveProperty("bot_id");
  });

  it("a shortcut tells of the message that it was chosen beside; one that is offered everywhere tells of no place", async () => {
    const { app, slack } = stage;
    slack.manifest({
      features: {
        shortcuts: [
          { name: "Act", type: "message", callback_id: "act", description: "x" },
          { name: "Find", type: "global", callback_id: "find", description: "x" },
        ],
      },
    });
    const seen: unknown[] = [];
    app.shortcut(/.*/, async ({ shortcut, ack }) => {
      seen.push(shortcut);
      await ack();
    });
    const ana = slack.as("ana");
    const parent = await ana.say("an incident");
    const reply = await ana.say("web-1 is down", "#ops", parent.ts);
    await ana.shortcut("act", reply);
    await ana.shortcut("find");
    const who = { user: { id: ana.user.id }, team: { id: slack.teamId }, trigger_id: expect.any(String) };
    const about = { channel: { id: slack.channels.ops?.id, name: "ops" }, message_ts: reply.ts };
    const message = { text: "web-1 is down", thread_ts: parent.ts, user: ana.user.id };
    expect(seen).toMatchObject([
      { type: "message_action", callback_id: "act", response_url: expect.any(String), ...who, ...about, message },
      { type: "shortcut", callback_id: "find", ...who },
    ]);
    expect(seen[1]).not.toHaveProperty("channel");
    expect(seen[1]).not.toHaveProperty("response_url");
    await expect(ana.shortcut("find", reply)).rejects.toThrow("has no shortcut");
  });

  it("addresses, people and channels are understood wherever they stand in what was typed", async () => {
    const { app, slack } = stage;
    const texts: string[] = [];
    app.command("/vps", async ({ command, ack }) => {
      texts.push(command.text);
      await ack();
    });
    const { ben, ana } = slack.users;
    const group = slack.addUsergroup("approvers", ["ana"]);
    const typed: Record<string, string> = {
      "name=web-1.example.com": "name=<http://web-1.example.com|web-1.example.com>",
      "https://example.com/a?b=1&c=2": "<https://example.com/a?b=1&amp;c=2>",
      "web-1.example.com:8080/x": "<http://web-1.example.com:8080/x|web-1.example.com:8080/x>",
      "ana@example.com": "<mailto:ana@example.com|ana@example.com>",
      "to=@ben, @ana.": `to=<@${ben?.id}|ben>, <@${ana?.id}|ana>.`,
      "@approvers @channel @nobody #nowhere": `<!subteam^${group}|@approvers> <!channel> @nobody #nowhere`,
      "web-1 203.0.113.7 2001:db8::1 a & b": "web-1 203.0.113.7 2001:db8::1 a &amp; b",
    };
    for (const text of Object.keys(typed)) await slack.as("ana").type(`/vps ${text}`);
    expect(texts).toEqual(Object.values(typed));
  });

  it("an acknowledgement with in_channel is seen by everybody", async () => {
    const { app, slack } = stage;
    app.command("/vps", ({ ack }) => ack({ text: "all of you", response_type: "in_channel" }));
    await slack.as("ana").type("/vps list");
    expect(slack.as("ben").lastSeen().text).toBe("all of you");
  });

  it("a command that is not acknowledged in 3 seconds fails before the eyes of the caller", async () => {
    const { app, slack } = stage;
    app.command("/vps", async () => {});
    await expect(slack.as("ana").type("/vps list")).rejects.toMatchObject({
      code: "operation_timeout",
      message: '/vps failed with the error "operation_timeout".',
    });
  });

  it("a press carries the message, the channel, a response URL and what was pressed", async () => {
    const { slack } = stage;
    const bodies = pressesOf(stage, "go");
    const go = buttons({ action_id: "go", value: "vps-1", style: "danger" });
    const { channel, ts } = await postInOps(stage, section("Machine", "head"), go);
    const ben = slack.as("ben");
    expect(await ben.press(ben.lastSeen(), "Go")).toMatchObject({ sent: true, confirm: undefined });

    expect(bodies).toMatchObject([
      {
        type: "block_actions",
        user: { id: ben.user.id, username: "ben", team_id: slack.teamId },
        team: { id: slack.teamId },
        container: { type: "message", message_ts: ts, channel_id: channel, is_ephemeral: false },
        channel: { id: channel, name: "ops" },
        message: {
          ts,
          bot_id: slack.botId,
          user: slack.botUserId,
          text: "x",
          blocks: [{ block_id: "head" }, {}],
        },
        state: { values: {} },
        response_url: expect.stringContaining("/actions/"),
        trigger_id: expect.any(String),
        actions: [{ type: "button", action_id: "go", block_id: "buttons", value: "vps-1", style: "danger" }],
      },
    ]);
  });

  it("a press in an ephemeral message does not carry the message", async () => {
    const { app, slack } = stage;
    const bodies = pressesOf(stage, "go");
    const ana = slack.as("ana");
    const ops = slack.channels.ops?.id ?? "";
    const blocks = [buttons({ action_id: "go" })];
    await app.client.chat.postEphemeral({ channel: ops, user: ana.user.id, text: "only you", blocks });
    await ana.press(ana.lastSeen(), "go");
    expect(bodies).toMatchObject([{ container: { is_ephemeral: true, channel_id: ops }, channel: { id: ops } }]);
    expect(bodies[0]).not.toHaveProperty("message");
    expect(slack.as("ben").sees()).toEqual([]);
  });

  it("two presses at once are two payloads, and a message that has gone can still be pressed by who saw it", async () => {
    const { app, slack } = stage;
    const pressed = pressesOf(stage, "go");
    const posted = await postInOps(stage, buttons({ action_id: "go" }));
    const [ana, ben] = [slack.as("ana"), slack.as("ben")];
    const stale = ana.lastSeen();
    await Promise.all([ana.press(stale, "go"), ana.press(stale, "go")]);
    await app.client.chat.delete(posted);
    await ben.press(stale, "go");
    expect(ben.sees()).toEqual([]);
    expect(pressed).toMatchObject([ana, ana, ben].map(({ user }) => ({ user: { id: user.id } })));
  });

  it("a confirm dialog that is denied sends nothing", async () => {
    const { slack } = stage;
    const presses = pressesOf(stage, "go");
    const confirm = {
      title: plain("Sure?"),
      text: plain("It is gone then."),
      confirm: plain("Erase"),
      deny: plain("Keep"),
      style: "danger",
    };
    await postInOps(stage, buttons({ action_id: "go", confirm }));
    const ana = slack.as("ana");
    const denied = await ana.press(ana.lastSeen(), "go", { confirm: false });
    expect(denied).toEqual({
      sent: false,
      url: undefined,
      confirm: { title: "Sure?", text: "It is gone then.", confirm: "Erase", deny: "Keep", style: "danger" },
    });
    expect(presses).toEqual([]);
    await ana.press(ana.lastSeen(), "go");
    expect(presses).toHaveLength(1);
  });

  it("an event that is not acknowledged comes again at once, after a minute and after five, and then no more", async () => {
    const { app, slack, clock } = stage;
    const retries: unknown[] = [];
    app.event("app_home_opened", async ({ context }) => {
      retries.push(context.retryNum || 0);
    });
    app.command("/meanwhile", ({ ack }) => ack());
    slack.faults.loseAck(3);
    await expect(slack.as("ana").openHome()).rejects.toMatchObject({ code: "operation_timeout" });
    const attempts = (count: number) =>
      slack.until(() => slack.deliveries("events_api").length === count, `${count} attempts`);
    await attempts(2);
    clock.skip(60_000);
    await attempts(3);
    clock.skip(4 * 60_000);
    await slack.as("ana").type("/meanwhile");
    expect(retries).toHaveLength(3);
    slack.faults.loseAck();
    clock.skip(60_000);
    await attempts(4);
    clock.skip(3_600_000);
    await slack.as("ana").openHome();
    expect(retries).toEqual([0, 1, 2, 3, 0]);
  });

  it("an event can come twice although it was acknowledged", async () => {
    const { app, slack } = stage;
    const ids: unknown[] = [];
    app.event("app_home_opened", async ({ body, context }) => {
      ids.push([body.event_id, context.retryNum || 0]);
    });
    slack.faults.repeatEvents();
    await slack.as("ana").openHome();
    expect(ids).toEqual([
      [expect.any(String), 0],
      [expect.any(String), 1],
    ]);
    const [first, second] = slack.deliveries("events_api");
    expect(second?.payload.event_id).toBe(first?.payload.event_id);
  });

  it("a typeahead gets the app's options, and the choice comes back as the app gave it", async () => {
    const { app, slack } = stage;
    app.options("pick", async ({ ack, payload }) => {
      const options = ["web-1", "web-2"].filter((name) => name.startsWith(payload.value));
      await ack({ options: options.map((name) => ({ text: plain(name), value: `id-${name}` })) });
    });
    const chosen = pressesOf(stage, "pick");
    await postInOps(stage, { ...section("Which?"), accessory: { ...pick, placeholder: plain("Server") } });
    const ana = slack.as("ana");
    expect(await ana.suggest(ana.lastSeen(), "pick", "web")).toHaveLength(2);
    await ana.choose(ana.lastSeen(), "Server", "web-2");
    expect(chosen).toMatchObject([
      { actions: [{ type: "external_select", selected_option: { value: "id-web-2", text: { text: "web-2" } } }] },
    ]);
  });

  it("options over Slack's limits are not shown, and the workspace says why", async () => {
    const { app, slack } = stage;
    app.options("pick", async ({ ack }) => {
      await ack({ options: [{ text: plain("x".repeat(76)), value: "v" }] });
    });
    await postInOps(stage, { ...section("Which?"), accessory: pick });
    const ana = slack.as("ana");
    await expect(ana.suggest(ana.lastSeen(), "pick", "")).rejects.toMatchObject({ code: "invalid_response" });
    expect(slack.state().violations).toEqual([
      {
        method: "block_suggestion",
        error: "invalid_response",
        reasons: ["[ERROR] must be less than 76 characters [json-pointer:/options/0/text/text]"],
      },
    ]);
  });
});

describe("Socket Mode", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage("socket");
  });

  it("without a socket a command fails at once, and after the app has connected anew it works again", async () => {
    const { app, slack } = stage;
    app.command("/vps", ({ ack }) => ack("here"));
    slack.faults.dropSocket();
    await expect(slack.as("ana").type("/vps list")).rejects.toMatchObject({ code: "dispatch_failed" });
    await slack.connected();
    await slack.as("ana").type("/vps list");
    expect(slack.as("ana").lastSeen().text).toBe("here");
  });

  it("a socket that is cut while a command waits for its acknowledgement leaves the caller with a time-out", async () => {
    const { app, slack } = stage;
    app.command("/vps", async () => {
      slack.faults.dropSocket();
    });
    await expect(slack.as("ana").type("/vps list")).rejects.toMatchObject({ code: "operation_timeout" });
  });

  it.each(["warning", "refresh_requested", "link_disabled"] as const)(
    "an app that is told of the end of its connection by %s comes back",
    async (reason) => {
      const { app, slack } = stage;
      app.command("/vps", ({ ack }) => ack("here"));
      slack.faults.refreshSocket(reason);
      await slack.until(() => slack.calls("apps.connections.open").length === 2, "the next connection");
      await slack.connected();
      await slack.as("ana").type("/vps list");
      expect(slack.calls("apps.connections.open")).toHaveLength(2);
    },
  );

  it("a deaf socket stays open and swallows payloads, which are named, until it hears again", async () => {
    const { app, slack } = stage;
    app.command("/vps", ({ ack }) => ack());
    const ana = slack.as("ana");
    const hear = slack.faults.deafenSocket();
    await expect(ana.type("/vps list")).rejects.toMatchObject({ code: "operation_timeout" });
    hear();
    await ana.type("/vps list");
    expect(slack.deliveries().map(({ swallowed }) => swallowed?.listening)).toEqual([0, undefined]);
    expect(slack.calls("apps.connections.open")).toHaveLength(1);
  });

  it("a dead connection gets its part, and an event that it swallowed comes again", async () => {
    const { app, slack } = stage;
    const attempts: unknown[] = [];
    app.event("app_mention", async ({ context }) => void attempts.push(context.retryNum));
    slack.faults.holdGhosts(1);
    const ana = slack.as("ana");
    await ana.say("@Rackbell one");
    await slack.until(() => attempts.length === 1, "the first");
    await ana.say("@Rackbell two");
    await slack.until(() => attempts.length === 2, "the second");
    expect(attempts).toEqual([1, 1]);
    expect(slack.deliveries().flatMap(({ swallowed }) => swallowed?.listening ?? [])).toEqual([1, 1]);
  });

  it("of two connected apps each payload reaches one", async () => {
    const { slack, app } = stage;
    const other = await setStage("socket", undefined, slack);
    const received: string[] = [];
    app.command("/vps", ({ ack }) => ack().then(() => void received.push("one")));
    other.app.command("/vps", ({ ack }) => ack().then(() => void received.push("other")));
    await slack.connected(2);
    for (let turn = 0; turn < 4; turn += 1) await slack.as("ana").type("/vps list");
    expect(received.sort()).toEqual(["one", "one", "other", "other"]);
  });

  it("an address for a socket can be used once", async () => {
    const { slack } = stage;
    const response = await fetch(`${slack.apiUrl}apps.connections.open`, {
      method: "POST",
      headers: { authorization: `Bearer ${slack.appToken}` },
    });
    const url = z.object({ url: z.string() }).parse(await response.json()).url;
    const first = new WebSocket(url);
    await new Promise((resolve) => first.addEventListener("message", resolve));
    const second = new WebSocket(url);
    const outcome = await new Promise((resolve) => {
      second.addEventListener("open", () => resolve("open"));
      second.addEventListener("error", () => resolve("refused"));
    });
    first.close();
    expect(outcome).toBe("refused");
  });
});

describe("signed posts", () => {
  it("are refused by the app when the signing secret is another, and the person sees that it failed", async () => {
    const [stage, stranger] = [await setStage("http"), await setStage("http")];
    let commands = 0;
    stage.app.command("/vps", async ({ ack }) => {
      commands += 1;
      await ack();
    });
    stranger.slack.deliverTo(stage.endpoint);
    await expect(stranger.slack.as("ana").type("/vps list")).rejects.toMatchObject({ code: "dispatch_failed" });
    await stage.slack.as("ana").type("/vps list");
    expect(commands).toBe(1);
  });
});
