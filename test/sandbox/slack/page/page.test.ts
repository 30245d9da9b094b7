import { beforeEach, describe, expect, it } from "vitest";
import {
  buttons,
  openForAna,
  plain,
  postInOps,
  pressesOf,
  type Stage,
  section,
  setStage,
  submissionsOf,
} from "../app.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});

async function get(path: string): Promise<unknown> {
  return (await fetch(`${stage.slack.url}${path}`)).json();
}

async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${stage.slack.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

const idOf = (name: string) => stage.slack.user(name).id;

describe("the page's API", () => {
  it("says who one is, where one can go and what one can type", async () => {
    const { slack } = stage;
    slack.manifest({ features: { slash_commands: [{ command: "/vps", description: "Servers", usage_hint: "list" }] } });
    expect(await get(`/page/state?as=${idOf("gus")}`)).toMatchObject({
      me: { name: "gus", role: "guest" },
      channels: [{ name: "ops", member: true }, { name: "general" }, { name: "rackbell", dm: true }],
      commands: [{ command: "/vps", description: "Servers", usage_hint: "list" }],
    });
  });

  it("offers what can happen outside of the workspace, and tells what came of a press", async () => {
    const { slack } = stage;
    const as = idOf("ana");
    expect(await get(`/page/state?as=${as}`)).toMatchObject({ happenings: [] });
    let presses = 0;
    const press = async () => `It rained ${++presses} times.`;
    slack.offer([{ id: "rain", group: "Weather", label: "It rains", press }]);
    expect(await get(`/page/state?as=${as}`)).toMatchObject({
      happenings: [{ id: "rain", group: "Weather", label: "It rains" }],
    });
    expect(await post("/page/happening", { as, id: "rain" })).toEqual({ ok: true, said: "It rained 1 times." });
    expect(await post("/page/happening", { as, id: "snow" })).toMatchObject({ ok: false, code: "not_found" });
    expect(presses).toBe(1);
  });

  it("types a command, shows the answer, presses its button and fills the modal that opens", async () => {
    const { app, slack } = stage;
    const received: unknown[] = [];
    app.command("/vps", ({ ack }) =>
      ack({ text: "x", blocks: [section("Hello"), buttons({ action_id: "edit", value: "1" })] }),
    );
    app.action("edit", async ({ ack, body, client }) => {
      await ack();
      if (!("trigger_id" in body)) return;
      const element = { type: "plain_text_input" as const, action_id: "value" };
      const blocks = [{ type: "input" as const, block_id: "name", label: plain("Name"), element }];
      await client.views.open({
        trigger_id: body.trigger_id,
        view: { type: "modal", callback_id: "form", title: plain("Edit"), submit: plain("Save"), blocks },
      });
    });
    app.view("form", async ({ ack, view }) => {
      received.push(view.state.values);
      const value = view.state.values.name?.value?.value;
      if (value === "taken") await ack({ response_action: "errors", errors: { name: "Taken." } });
      else await ack();
    });
    const as = idOf("ana");
    const channel = slack.channels.ops?.id ?? "";
    expect(await post("/page/command", { as, channel, text: "/vps list" })).toEqual({ ok: true });
    const { ts } = slack.as("ana").lastSeen();
    expect(await get(`/page/channel/${channel}?as=${as}`)).toMatchObject({
      messages: [{ ts, ephemeral: true, user: { name: "rackbell", bot: true }, blocks: [{}, { block_id: "buttons" }] }],
    });
    const where = { ephemeral: true, channel, ts };
    expect(await post("/page/action", { as, where, block_id: "buttons", action_id: "edit" })).toEqual({ ok: true });
    await slack.until(() => slack.as("ana").modal());
    expect(await get(`/page/modal?as=${as}`)).toMatchObject({
      stack: [{ callback_id: "form", state: { values: {} } }],
    });

    const view = slack.as("ana").modal()?.id;
    const state = (value: string) => ({ values: { name: { value: { type: "plain_text_input", value } } } });
    expect(await post("/page/submit", { as: idOf("ben"), view, state: state("not his") })).toMatchObject({ ok: false });
    expect(await post("/page/submit", { as, view, state: state("taken") })).toEqual({
      ok: true,
      errors: { name: "Taken." },
    });
    expect(await post("/page/submit", { as, view, state: state("free") })).toEqual({ ok: true });
    expect(await get(`/page/modal?as=${as}`)).toEqual({ stack: [] });
    expect(received).toMatchObject([{ name: { value: { value: "taken" } } }, { name: { value: { value: "free" } } }]);
  });

  it("asks for a typeahead's options and sends the choice", async () => {
    stage.app.options("pick", ({ ack, payload }) => ack({ options: [{ text: plain(payload.value), value: "v" }] }));
    const chosen = pressesOf(stage, "pick");
    const accessory = { type: "external_select" as const, action_id: "pick", min_query_length: 1 };
    const where = await postInOps(stage, { ...section("a", "s"), accessory });
    const place = { as: idOf("ben"), where, block_id: "s", action_id: "pick" };
    const options = [{ text: { type: "plain_text", text: "web" }, value: "v" }];
    expect(await post("/page/suggest", { ...place, value: "web" })).toEqual({ ok: true, options });
    expect(await post("/page/action", { ...place, selected_option: options[0] })).toEqual({ ok: true });
    expect(chosen).toMatchObject([{ actions: [{ type: "external_select", selected_option: { value: "v" } }] }]);
  });

  it("uploads the files of a form with it", async () => {
    const { slack } = stage;
    const submitted = submissionsOf(stage, "form");
    const element = { type: "file_input" as const, action_id: "value" };
    const blocks = [{ type: "input" as const, block_id: "data", label: plain("Data"), element }];
    const form = { type: "modal" as const, callback_id: "form", title: plain("T"), submit: plain("S"), blocks };
    const view = await openForAna(stage, form);
    const content = Buffer.from("#cloud-config\n").toString("base64");
    const state = { values: { data: { value: { type: "file_input", files: [{ name: "user.yaml", content }] } } } };
    expect(await post("/page/submit", { as: idOf("ana"), view, state })).toEqual({ ok: true });
    const files = [{ id: expect.any(String), name: "user.yaml", size: 14, user: idOf("ana") }];
    expect(submitted).toMatchObject([{ view: { state: { values: { data: { value: { files } } } } } }]);
    expect(Buffer.from(slack.state().files[0]?.content ?? []).toString()).toBe("#cloud-config\n");
  });

  it("says in words what went wrong", async () => {
    const { app, slack } = stage;
    app.command("/vps", ({ ack }) => ack());
    slack.faults.loseAck();
    const channel = slack.channels.ops?.id ?? "";
    const as = idOf("ana");
    expect(await post("/page/command", { as, channel, text: "/vps" })).toEqual({
      ok: false,
      code: "operation_timeout",
      error: '/vps failed with the error "operation_timeout".',
    });
    expect(
      await post("/page/action", { as, where: { channel, ts: "1.1" }, block_id: "b", action_id: "a" }),
    ).toMatchObject({
      ok: false,
      code: "not_found",
    });
    expect(await post("/page/say", { as: "U0NOBODY000", channel, text: "hi" })).toMatchObject({ ok: false });
    expect(await post("/page/nothing", { as })).toMatchObject({ ok: false });
    expect(await get(`/page/channel/${slack.channels.vault?.id}?as=${idOf("gus")}`)).toMatchObject({ ok: false });
  });

  it("tells of changes as they come, and of a private word only whom it is for", async () => {
    const { app, slack } = stage;
    const response = await fetch(`${slack.url}/page/events?as=${idOf("ben")}`);
    const reader = response.body?.getReader();
    const channel = slack.channels.ops?.id ?? "";
    await app.client.chat.postEphemeral({ channel, user: idOf("ana"), text: "not for Ben" });
    await post("/page/say", { as: idOf("ana"), channel, text: "hello" });
    let streamed = "";
    while (!streamed.includes("data:")) streamed += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
    expect(streamed.match(/data: .*/g)).toEqual([`data: ${JSON.stringify({ what: "channel", channel })}`]);
  });

  it("counts what was not read yet", async () => {
    const { slack } = stage;
    const channel = slack.channels.ops?.id ?? "";
    await slack.as("ana").say("one");
    await slack.as("ana").say("two");
    const unread = async (name: string) => {
      const state = JSON.stringify(await get(`/page/state?as=${idOf(name)}`));
      return /"name":"ops".*?"unread":(\d+)/.exec(state)?.[1];
    };
    expect([await unread("ben"), await unread("ana")]).toEqual(["2", "0"]);
    await get(`/page/channel/${channel}?as=${idOf("ben")}`);
    expect(await unread("ben")).toBe("0");
  });

  it("serves its libraries as modules, and nothing from outside its folder", async () => {
    const { slack } = stage;
    for (const path of ["/vendor/preact.js", "/vendor/preact-hooks.js", "/vendor/htm.js"]) {
      const response = await fetch(`${slack.url}${path}`);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
      expect(await response.text()).toContain("export");
    }
    for (const path of ["/..%2fclock.ts", "/../clock.ts", "/server.ts", "/vendor/zod.js"]) {
      expect((await fetch(`${slack.url}${path}`)).status).toBe(404);
    }
  });

  it("takes no order from a form of another site", async () => {
    const { slack } = stage;
    const body = JSON.stringify({ as: idOf("ana"), channel: slack.channels.ops?.id, text: "hi" });
    await fetch(`${slack.url}/page/say`, { method: "POST", headers: { "content-type": "text/plain" }, body });
    expect(slack.state().channels.ops).toEqual([]);
  });
});

describe("people of the workspace", () => {
  it("speak only where they are, and not when they have gone", async () => {
    const { slack } = stage;
    await expect(slack.as("zed").type("/vps", "#ops")).rejects.toMatchObject({ code: "not_in_channel" });
    await expect(slack.as("gus").say("hi", "#vault")).rejects.toMatchObject({ code: "not_in_channel" });
    slack.deactivate("ben");
    await expect(slack.as("ben").type("/vps")).rejects.toMatchObject({ code: "account_inactive" });
    slack.archive("random");
    await expect(slack.as("ana").say("hi", "#random")).rejects.toMatchObject({ code: "is_archived" });
  });

  it("an app that subscribes gets an event when a person leaves, joins or changes", async () => {
    const { app, slack } = stage;
    const received: unknown[] = [];
    app.event("user_change", async ({ event }) => {
      received.push([event.user.name, event.user.deleted, event.user.is_admin]);
    });
    app.event("member_joined_channel", async ({ event }) => {
      received.push([event.user, event.channel]);
    });
    slack.deactivate("ben");
    slack.setRole("caro", "admin");
    slack.invite("random", "rackbell");
    const expected = [
      ["ben", true, false],
      ["caro", false, true],
      [slack.botUserId, slack.channels.random?.id],
    ];
    await expect.poll(() => received).toEqual(expected);
  });

  it("an app gets messages only if its manifest subscribes to them", async () => {
    const { app, slack } = stage;
    const texts: unknown[] = [];
    app.event("message", async ({ event }) => {
      texts.push("text" in event && event.text);
    });
    await slack.as("ana").say("before");
    slack.manifest({ settings: { event_subscriptions: { bot_events: ["message.channels"] } } });
    await slack.as("ana").say("elsewhere", "#random");
    await slack.as("ana").say("after");
    await expect.poll(() => texts).toEqual(["after"]);
  });

  it("an app gets its own messages in its direct messages, and its edits there", async () => {
    const { app, slack } = stage;
    slack.manifest({
      oauth_config: { scopes: { bot: ["chat:write", "im:history"] } },
      settings: { event_subscriptions: { bot_events: ["message.im"] } },
    });
    await slack.as("ana").say("hello", "dm");
    const { ts, channel } = slack.as("ana").lastSeen("dm");
    const token = slack.botToken;
    const { ts: own } = await app.client.chat.postMessage({ token, channel, text: "good morning", thread_ts: ts });
    await app.client.chat.update({ token, channel, ts: own ?? "", text: "good evening" });
    await expect
      .poll(() => slack.deliveries("events_api").map(({ payload }) => payload.event))
      .toMatchObject([
        { channel_type: "im", user: idOf("ana"), text: "hello", ts },
        { bot_id: slack.botId, user: slack.botUserId, text: "good morning", thread_ts: ts },
        { subtype: "message_changed", hidden: true, message: { text: "good evening", ts: own } },
      ]);
  });

  it("write under a message, and to an app only where its manifest lets them", async () => {
    const { slack } = stage;
    const [as, channel] = [idOf("ana"), slack.channels.ops?.id ?? ""];
    const { ts } = await slack.as("ben").say("who is on call?");
    expect(await post("/page/say", { as, channel, text: "I am", thread: ts })).toEqual({ ok: true });
    expect(await get(`/page/channel/${channel}?as=${as}`)).toMatchObject({
      messages: [{ ts, replies: [{ text: "I am", thread_ts: ts }] }],
    });
    expect(await post("/page/say", { as, channel, text: "x", thread: "1.1" })).toMatchObject({
      code: "thread_not_found",
    });
    slack.manifest({ features: { app_home: { messages_tab_read_only_enabled: true } } });
    await expect(slack.as("ana").say("hi", "dm")).rejects.toMatchObject({ code: "restricted_action" });
    await slack.as("ana").say("hi", "#ops");
  });
});
