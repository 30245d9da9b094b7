import { WebClient } from "@slack/web-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxClock } from "../../../../src/sandbox/clock.ts";
import { createPracticeSlack, type PracticeSlack } from "../../../../src/sandbox/slack/server.ts";
import { noteMethods, quiet, type Refused, refusalOf, section } from "../app.ts";

const scopes = [
  "chat:write",
  "users:read",
  "channels:read",
  "channels:history",
  "im:write",
  "im:read",
  "usergroups:read",
  "dnd:read",
  "team:read",
  "channels:join",
];

let slack: PracticeSlack;
let client: WebClient;
let ops: string;
let own: string;
let said: string;

function connect(token: string): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quiet,
  });
}

const clock = createSandboxClock();

beforeAll(async () => {
  slack = await createPracticeSlack({ clock, scopes });
  client = connect(slack.botToken);
  ops = slack.channels.ops?.id ?? "";
  own = (await client.chat.postMessage({ channel: ops, text: "mine" })).ts ?? "";
  said = (await slack.as("ana").say("hers")).ts;
});
afterAll(() => {
  noteMethods(slack);
  return slack.close();
});

const idOf = (name: string) => slack.channels[name]?.id ?? "";

type Case = [name: string, method: string, args: () => Record<string, unknown>, error: string, reason?: string];

/** Those of messages: in #ops and with a text, unless said. */
const ofMessages: Case[] = [
  [
    "a public channel that the app is not in",
    "chat.postMessage",
    () => ({ channel: idOf("random") }),
    "not_in_channel",
  ],
  [
    "a private channel that the app is not in does not exist for it",
    "chat.postMessage",
    () => ({ channel: idOf("vault") }),
    "channel_not_found",
  ],
  ["a channel that nobody knows", "chat.postMessage", () => ({ channel: "C0NOWHERE00" }), "channel_not_found"],
  ["no channel at all", "chat.postMessage", () => ({ channel: undefined }), "invalid_arguments", "channel"],
  ["a message that says nothing", "chat.postMessage", () => ({ text: undefined }), "no_text"],
  ["a text over 40,000 characters", "chat.postMessage", () => ({ text: "x".repeat(40_001) }), "msg_too_long"],
  [
    "blocks that say more than a message may",
    "chat.postMessage",
    () => ({ blocks: Array.from({ length: 5 }, () => section("x".repeat(2_500))) }),
    "msg_blocks_too_long",
  ],
  ["blocks that are not JSON", "chat.postMessage", () => ({ blocks: "[{" }), "invalid_blocks_format"],
  [
    "a block over its limit, with where and why",
    "chat.postMessage",
    () => ({ blocks: [section("ok"), section("x".repeat(3_001))] }),
    "invalid_blocks",
    "[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]",
  ],
  ["a thread that is not there", "chat.postMessage", () => ({ thread_ts: "1.000001" }), "thread_not_found"],
  [
    "metadata without a payload",
    "chat.postMessage",
    () => ({ metadata: { event_type: "card" } }),
    "invalid_metadata_format",
  ],
  ["an archived channel", "chat.postMessage", () => ({ channel: idOf("shared-partner") }), "is_archived"],
  [
    "a private word to somebody outside the channel",
    "chat.postEphemeral",
    () => ({ user: slack.user("zed").id }),
    "user_not_in_channel",
  ],
  [
    "a private word where the app is not",
    "chat.postEphemeral",
    () => ({ channel: idOf("random"), user: slack.user("ana").id }),
    "not_in_channel",
  ],
  ["changing what somebody else said", "chat.update", () => ({ ts: said }), "cant_update_message"],
  ["changing what is not there", "chat.update", () => ({ ts: "1.000001" }), "message_not_found"],
  [
    "changing a text to one over 4,000 characters",
    "chat.update",
    () => ({ ts: own, text: "x".repeat(4_001) }),
    "msg_too_long",
  ],
];

const cases: Case[] = [
  ...ofMessages.map(
    ([name, method, args, ...rest]): Case => [name, method, () => ({ channel: ops, text: "x", ...args() }), ...rest],
  ),
  ["deleting what somebody else said", "chat.delete", () => ({ channel: ops, ts: said }), "cant_delete_message"],
  ["deleting what is not there", "chat.delete", () => ({ channel: ops, ts: "1.000001" }), "message_not_found"],
  [
    "a link to what is not there",
    "chat.getPermalink",
    () => ({ channel: ops, message_ts: "1.000001" }),
    "message_not_found",
  ],
  ["somebody unknown", "users.info", () => ({ user: "U0NOBODY000" }), "user_not_found"],
  ["direct messages to somebody unknown", "conversations.open", () => ({ users: "U0NOBODY000" }), "user_not_found"],
  [
    "direct messages to somebody who has gone",
    "conversations.open",
    () => ({ users: slack.user("gone").id }),
    "user_disabled",
  ],
  ["an unknown user group", "usergroups.users.list", () => ({ usergroup: "S0NONE00000" }), "no_such_subteam"],
  ["Do Not Disturb of somebody unknown", "dnd.info", () => ({ user: "U0NOBODY000" }), "user_not_found"],
  ["Do Not Disturb of nobody", "dnd.teamInfo", () => ({}), "no_users_provided"],
  ["a cursor that Slack never gave", "users.list", () => ({ cursor: "zzz" }), "invalid_cursor"],
  [
    "history of a channel that the app is not in",
    "conversations.history",
    () => ({ channel: idOf("random") }),
    "not_in_channel",
  ],
  [
    "a scope that the app was not given",
    "files.getUploadURLExternal",
    () => ({ filename: "a.txt", length: 1 }),
    "missing_scope",
  ],
  [
    "a scope that depends on the kind of channel",
    "conversations.info",
    () => ({ channel: idOf("vault") }),
    "missing_scope",
  ],
  [
    "a list with a kind of channel that needs another scope",
    "conversations.list",
    () => ({ types: "public_channel,private_channel" }),
    "missing_scope",
  ],
  ["a trigger that was never given", "views.open", () => ({ trigger_id: "1.2.3", view: modal }), "invalid_trigger_id"],
  [
    "a view with a title over its limit",
    "views.open",
    () => ({ trigger_id: "1.2.3", view: { ...modal, title: { type: "plain_text", text: "x".repeat(25) } } }),
    "invalid_arguments",
    "[ERROR] must be less than 25 characters [json-pointer:/view/title/text]",
  ],
  ["a view over 250 kB", "views.open", () => ({ trigger_id: "1.2.3", view: hugeModal() }), "view_too_large"],
  [
    "a Home tab for somebody unknown",
    "views.publish",
    () => ({ user_id: "U0NOBODY000", view: { type: "home", blocks: [] } }),
    "user_not_found",
  ],
  ["a bot that nobody has", "bots.info", () => ({ bot: "B0NOBODY00" }), "bot_not_found"],
  ["a method that the workspace does not know", "chat.whisper", () => ({}), "unknown_method"],
  ["a method for the other kind of token", "apps.connections.open", () => ({}), "not_allowed_token_type"],
];

const modal = { type: "modal", title: { type: "plain_text", text: "T" }, blocks: [] };

function hugeModal() {
  return { ...modal, blocks: Array.from({ length: 99 }, () => section("x".repeat(2_900))) };
}

describe("the practice workspace refuses what Slack refuses", () => {
  beforeAll(() => {
    slack.addUser("gone");
    slack.deactivate("gone");
    slack.archive("shared-partner");
  });

  it.each(cases)("%s", async (_name, method, args, error, reason) => {
    const refused: Refused = await refusalOf(client.apiCall(method, args()));
    expect(refused.error).toBe(error);
    if (reason !== undefined) expect(refused.reasons.join("\n")).toContain(reason);
    expect(slack.state().violations.at(-1)).toMatchObject({ method, error });
  });

  it("a wrong token, and none", async () => {
    expect(await refusalOf(connect("xoxb-wrong").auth.test())).toMatchObject({ error: "invalid_auth" });
    expect(await refusalOf(connect("").auth.test())).toMatchObject({ error: "not_authed" });
  });

  it("a refused message is nowhere to be seen", () => {
    expect(slack.state().channels.ops?.map((message) => message.text)).toEqual(["mine", "hers"]);
    expect(slack.state().ephemerals).toEqual({});
  });

  it("too many calls, with the time to wait", async () => {
    slack.faults.rateLimit("auth.test", 7);
    await expect(client.auth.test()).rejects.toMatchObject({ retryAfter: 7 });
    await expect(client.auth.test()).resolves.toMatchObject({ team_id: slack.teamId });
  });

  it("an error or a broken answer that a story asked for, as often as it set", async () => {
    slack.faults.fail("auth.test", "internal_error", 2);
    for (const _ of [1, 2]) expect(await refusalOf(client.auth.test())).toMatchObject({ error: "internal_error" });
    slack.faults.failHttp("*", 503);
    await expect(client.auth.test()).rejects.toMatchObject({ statusCode: 503 });
    await expect(client.auth.test()).resolves.toMatchObject({ ok: true });
    const release = slack.faults.hangApi("auth.test");
    const hanging = client.auth.test();
    await slack.until(() => slack.calls("auth.test").some((call) => call.outcome === "pending"));
    release();
    await expect(hanging).resolves.toMatchObject({ ok: true });
  });

  it("the calls that an app made can be looked up, without their token", async () => {
    await client.users.info({ user: slack.user("ana").id });
    expect(slack.calls("users.info").at(-1)).toMatchObject({
      method: "users.info",
      args: { user: slack.user("ana").id },
      outcome: "ok",
      answer: { user: { id: slack.user("ana").id } },
    });
    expect(JSON.stringify([slack.calls(), slack.state()])).not.toContain(slack.botToken);
  });
});

describe("the practice workspace answers what Slack answers", () => {
  it("users.info has each person's time zone and role", async () => {
    const infoOf = async (name: string) => (await client.users.info({ user: slack.user(name).id })).user;
    expect(await infoOf("ana")).toMatchObject({
      is_admin: true,
      is_owner: true,
      tz: "Europe/Madrid",
      team_id: slack.teamId,
    });
    expect(await infoOf("ben")).toMatchObject({ is_admin: false, is_restricted: false });
    expect((await infoOf("ben"))?.tz_offset).toBeLessThan(0);
    expect(await infoOf("gus")).toMatchObject({ is_restricted: true });
    expect(await infoOf("zed")).toMatchObject({ is_stranger: true });
    expect((await infoOf("zed"))?.team_id).not.toBe(slack.teamId);
  });

  it("lists in pages", async () => {
    const names: unknown[] = [];
    for await (const page of client.paginate("users.list", { limit: 2 })) names.push(page);
    expect(names.length).toBeGreaterThan(2);
    const all = await client.users.list({});
    expect(all.members?.map((user) => user.name)).toEqual(expect.arrayContaining(["ana", "rackbell"]));
    expect(all.members?.map((user) => user.name)).not.toContain("zed");
  });

  it("channels, and who is in them", async () => {
    const { channel } = await client.conversations.info({ channel: ops });
    expect(channel).toMatchObject({ name: "ops", is_member: true, is_ext_shared: false, is_private: false });
    const { members } = await client.conversations.members({ channel: ops });
    expect(members).toContain(slack.user("gus").id);
    const { channels } = await client.conversations.list({});
    expect(channels?.find((one) => one.name === "random")).toMatchObject({ is_member: false });
    expect(channels?.map((one) => one.name)).not.toContain("vault");
  });

  it("direct messages open once and reach one person", async () => {
    const user = slack.user("ben").id;
    const [first, second] = [
      await client.conversations.open({ users: user }),
      await client.conversations.open({ users: user }),
    ];
    expect(first.channel?.id).toBe(second.channel?.id);
    const posted = await client.chat.postMessage({ channel: user, text: "psst" });
    expect(posted.channel).toBe(first.channel?.id);
    expect(slack.as("ben").lastSeen("dm").text).toBe("psst");
    expect(slack.as("ana").sees("dm")).toEqual([]);
  });

  it("an edit keeps metadata, and a text without blocks removes the blocks", async () => {
    const metadata = { event_type: "card", event_payload: { id: "o-1" } };
    const channel = slack.user("caro").id;
    const { ts = "", channel: dm = "" } = await client.chat.postMessage({
      channel,
      text: "a",
      blocks: [section("a")],
      metadata,
    });
    await client.chat.update({ channel: dm, ts, text: "b", blocks: [section("b")] });
    expect(slack.as("caro").lastSeen("dm")).toMatchObject({ text: "b", metadata, blocks: [{ text: { text: "b" } }] });
    await client.chat.update({ channel: dm, ts, text: "c" });
    expect(slack.as("caro").lastSeen("dm")).toMatchObject({ text: "c", metadata, blocks: [], edited: {} });
  });

  it("history is newest first, leaves threads out, and shows metadata when asked", async () => {
    const metadata = { event_type: "card", event_payload: { id: "o-2" } };
    const { ts = "" } = await client.chat.postMessage({ channel: ops, text: "card", metadata });
    await client.chat.postMessage({ channel: ops, text: "reply", thread_ts: ts });
    const { messages: [newest] = [] } = await client.conversations.history({
      channel: ops,
      include_all_metadata: true,
      limit: 1,
    });
    expect(newest).toMatchObject({ text: "card", metadata, reply_count: 1 });
    const replies = await client.conversations.replies({ channel: ops, ts });
    expect(replies.messages?.map((message) => message.text)).toEqual(["card", "reply"]);
    const since = await client.conversations.history({ channel: ops, oldest: ts, inclusive: true });
    expect(since.messages).toHaveLength(1);
  });

  it("says what a message would ring and link", async () => {
    const text = "<!channel> &lt;!here&gt; see web-1.example.com";
    await client.chat.postMessage({
      channel: ops,
      text: "x",
      blocks: [section(text), section(`<@${slack.user("ana").id}>`)],
    });
    const rung = slack.as("ben").lastSeen();
    expect(rung.mentions).toEqual(["<!channel>", `<@${slack.user("ana").id}>`]);
    expect(rung.links).toEqual(["web-1.example.com"]);
    const verbatim = { type: "section", text: { type: "mrkdwn", text: "see web-1.example.com", verbatim: true } };
    await client.chat.postMessage({ channel: ops, text: "web-1.example.com", blocks: [verbatim] });
    expect(slack.as("ben").lastSeen()).toMatchObject({ mentions: [], links: [] });
  });

  it("Do Not Disturb, and the phones that it keeps quiet: a mention notifies, an edit and a plain message do not", async () => {
    const [ana, caro] = [slack.user("ana").id, slack.user("caro").id];
    const until = clock.now() + 3_600_000;
    slack.setQuiet("caro", until);
    const end = Math.floor(until / 1_000);
    expect(await client.dnd.info({ user: caro })).toMatchObject({ dnd_enabled: true, next_dnd_end_ts: end });
    const { users } = await client.dnd.teamInfo({ users: `${ana},${caro}` });
    expect(users).toMatchObject({
      [ana]: { dnd_enabled: false, next_dnd_start_ts: 1, next_dnd_end_ts: 1 },
      [caro]: { dnd_enabled: true, next_dnd_end_ts: end },
    });
    const before = slack.as("ana").phone().length;
    const { ts = "" } = await client.chat.postMessage({ channel: ops, text: `<@${ana}> and <@${caro}>` });
    await client.chat.update({ channel: ops, ts, text: `<@${ana}>, once more` });
    await client.chat.postMessage({ channel: ops, text: "nobody" });
    expect(slack.as("ana").phone().slice(before)).toMatchObject([{ ts, silencedUntil: null }]);
    expect(slack.as("caro").phone().at(-1)).toMatchObject({ ts, silencedUntil: until });
    const { channel } = await client.conversations.open({ users: caro });
    slack.setQuiet("caro", null);
    await client.chat.postMessage({ channel: channel?.id ?? "", text: "to you" });
    expect(slack.as("caro").phone().at(-1)).toMatchObject({ text: "to you", silencedUntil: null });
    expect(await client.dnd.info({ user: caro })).toMatchObject({ dnd_enabled: false });
  });

  it("user groups, the team, the app's own channels, and whether blocks are good", async () => {
    const group = slack.addUsergroup("approvers", ["ana", "caro"]);
    expect((await client.usergroups.list()).usergroups).toMatchObject([{ id: group, handle: "approvers" }]);
    const { users } = await client.usergroups.users.list({ usergroup: group });
    expect(users).toEqual([slack.user("ana").id, slack.user("caro").id]);
    const { bot_id: bot = "" } = await client.auth.test();
    expect(await client.bots.info({ bot })).toMatchObject({ bot: { id: bot, app_id: slack.appId } });
    expect(await client.team.info()).toMatchObject({ team: { id: slack.teamId, name: "Rackbell Practice" } });
    expect(await client.apiCall("api.test", { foo: "bar" })).toMatchObject({ args: { foo: "bar" } });
    const { channels } = await client.users.conversations({ exclude_archived: true });
    expect(channels?.map((channel) => channel.name)).toEqual(["ops", "general"]);
    await expect(client.apiCall("blocks.validate", { blocks: [section("fine")] })).resolves.toMatchObject({ ok: true });
    expect(await refusalOf(client.apiCall("blocks.validate", { blocks: [{ type: "x" }] }))).toMatchObject({
      error: "invalid_blocks",
    });
  });

  it("a public channel can be joined, and a message linked to and deleted", async () => {
    const channel = idOf("random");
    await client.conversations.join({ channel });
    const { ts = "" } = await client.chat.postMessage({ channel, text: "hello" });
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts });
    expect(permalink).toBe(`${slack.url}/archives/${channel}/p${ts.replace(".", "")}`);
    await client.chat.delete({ channel, ts });
    expect(slack.as("ana").sees("#random")).toEqual([]);
  });

  it("a manifest brings its commands, scopes and tabs", async () => {
    slack.manifest({
      features: { slash_commands: [{ command: "/vps", description: "d" }], app_home: { home_tab_enabled: false } },
      oauth_config: { scopes: { bot: ["commands"] } },
    });
    await expect(slack.as("ana").type("/nope")).rejects.toMatchObject({ code: "unknown_command" });
    const view = { type: "home" as const, blocks: [] };
    expect(await refusalOf(client.views.publish({ user_id: slack.user("ana").id, view }))).toMatchObject({
      error: "not_enabled",
    });
    await expect(client.users.info({ user: slack.user("ana").id })).resolves.toMatchObject({ ok: true });
  });
});
