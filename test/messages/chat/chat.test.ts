import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type Chat, createChat } from "../../../src/messages/chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../../../src/messages/chat/errors.ts";
import { createLog } from "../../../src/process/log.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createPracticeSlack } from "../../../src/sandbox/slack/server.ts";
import { RunLost } from "../../../src/storage/errors.ts";
import { section } from "../../../src/views/blocks.ts";
import {
  createClient,
  failure,
  json,
  pacesFor,
  page,
  peopleFor,
  startSlack,
  supportFor,
  token,
  uncounted,
  wireFor,
} from "./callers.ts";

const scopes = [
  "chat:write",
  "im:write",
  "files:write",
  "files:read",
  "users:read",
  "channels:read",
  "channels:history",
];
const message = { text: "web-1 was started", blocks: [section("web-1 was started")] };
const own = { direct: false, isPublic: true, shared: false, member: true, known: true };
const view = { type: "modal" as const, title: { type: "plain_text" as const, text: "Form" }, blocks: [] };

async function world(prove: () => Promise<void> = async () => {}, aheadOfSlack = () => 0) {
  const clock = createSandboxClock();
  const slack = await createPracticeSlack({ clock, scopes });
  onTestFinished(() => slack.close());
  const lines: string[] = [];
  const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  const client = createClient({ apiUrl: slack.apiUrl, clock, token: slack.botToken });
  const blockSupport = await supportFor(clock);
  const people = await peopleFor(client, { clock, team: slack.teamId });
  const chat = createChat({
    client,
    people,
    wire: wireFor(clock),
    paces: pacesFor(clock),
    timers: { prove },
    aheadOfSlack,
    blockSupport,
    responseUses: uncounted,
    clock,
    log,
  });
  const ops = slack.channels.ops?.id ?? "";
  const called = (method: string) => slack.until(() => slack.calls(method).length > 0, `a call of ${method}`);
  return { clock, slack, chat, ops, lines, called, ana: slack.as("ana") };
}

/** The chat room on a server that is no workspace. */
async function lone(apiUrl: string, responseUses = uncounted) {
  const clock = createSandboxClock();
  const log = createLog({ level: "silent" });
  const client = createClient({ apiUrl, clock, token });
  const blockSupport = await supportFor(clock);
  return {
    clock,
    chat: createChat({
      client,
      people: { channel: async (id) => ({ ...own, id }) },
      wire: wireFor(clock),
      paces: pacesFor(clock),
      timers: { prove: async () => {} },
      blockSupport,
      responseUses,
      clock,
      log,
    }),
  };
}

const calls: [method: string, make: (chat: Chat, where: { ops: string; user: string }) => Promise<unknown>][] = [
  ["chat.postMessage", (chat, { ops }) => chat.post(ops, message)],
  ["chat.update", (chat, { ops }) => chat.update({ channel: ops, ts: "1.2" }, message)],
  ["chat.postEphemeral", (chat, { ops, user }) => chat.postEphemeral(ops, user, message)],
  ["conversations.open", (chat, { user }) => chat.postDirectMessage(user, message)],
  ["views.open", (chat) => chat.openView("1.2.3", view)],
  ["views.push", (chat) => chat.openView("1.2.3", view, { id: "V1", full: false })],
  ["views.update", (chat) => chat.updateView("V1", view)],
  ["views.publish", (chat, { user }) => chat.publishHome(user, { type: "home", blocks: [] })],
  ["files.info", (chat) => chat.download("F1", 100)],
  ["files.getUploadURLExternal", (chat, { user }) => chat.upload(user, { name: "a.txt", content: "a" }, "")],
  ["files.completeUploadExternal", (chat, { user }) => chat.upload(user, { name: "a.txt", content: "a" }, "")],
];

test.each(calls)(
  "%s that is never answered ends after 10 seconds and says that it may have been done",
  async (method, make) => {
    const { clock, slack, chat, ops, called, ana } = await world();
    const release = slack.faults.hangApi(method);
    const error = failure(make(chat, { ops, user: ana.user.id }));
    await called(method);
    clock.skip(10_000);
    expect(await error).toMatchObject({ name: "SlackUnanswered", maybeApplied: true });
    expect(inspect(await error, { depth: 20 })).not.toContain(slack.botToken);
    release();
  },
);

test("a post waits for its turn, and does not come where another organisation was let in meanwhile; an edit leaves a line without facts", async () => {
  const { clock, slack, chat, ops, called, ana } = await world();
  const card = await chat.post(ops, message);
  const release = slack.faults.hangApi("chat.postMessage", 1);
  const first = failure(chat.post(ops, { ...message, text: "before" }));
  const waiting = failure(chat.post(ops, { ...message, text: "waits" }));
  await slack.until(() => slack.calls("chat.postMessage").length > 1, "the post before it");
  if (slack.channels.ops) slack.channels.ops.is_ext_shared = true;
  clock.skip(60_000);
  expect(await first).toMatchObject({ name: "SlackUnanswered" });
  release();
  expect(await waiting).toMatchObject({ name: "SlackRefused", reason: "shared_channel" });
  expect(await failure(chat.update(card, { ...message, text: "web-1 runs" }))).toMatchObject({
    reason: "shared_channel",
  });
  await called("chat.update");
  expect(ana.sees().map(({ text }) => text)).not.toContain("waits");
  expect(ana.sees()[0]).toMatchObject({ ts: card.ts, text: expect.stringContaining("shows nothing more here") });
  expect(JSON.stringify(ana.sees()[0]?.blocks)).not.toContain("web-1");
  await chat.postEphemeral(ops, ana.user.id, { ...message, text: "for Ana alone" });
  await chat.postDirectMessage(ana.user.id, message);
});

test.each([
  ["post", (chat: Chat, channel: string) => chat.post(channel, message)],
  ["edit", (chat: Chat, channel: string) => chat.update({ channel, ts: "1.2" }, message)],
])("while Slack does not say who reads a channel, no %s is sent there", async (_, send) => {
  const { slack, chat, ops } = await world();
  slack.faults.fail("conversations.info", "internal_error");
  expect(await failure(send(chat, ops))).toMatchObject({ name: "SlackUnanswered", maybeApplied: false });
  expect([...slack.calls("chat.postMessage"), ...slack.calls("chat.update")]).toEqual([]);
});

test("a file whose upload is never taken ends after a minute, and its secret address stands in no error", async () => {
  const uploading = Promise.withResolvers<void>();
  const slack = await startSlack((response, { url }) => {
    if (url.startsWith("/upload/")) return uploading.resolve();
    const answers = { ok: true, channel: { id: "D1" }, upload_url: `${slack.url}/upload/5ecret`, file_id: "F1" };
    json(200, answers)(response);
  });
  const { chat, clock } = await lone(slack.apiUrl);
  const error = failure(chat.upload("U1", { name: "a.txt", content: "a" }, ""));
  await uploading.promise;
  clock.skip(60_000);
  expect(await error).toMatchObject({ name: "SlackUnanswered", maybeApplied: true });
  expect(inspect(await error, { depth: 20 })).not.toContain("5ecret");
});

test("a post that hangs holds its channel up for its own time, and no other channel at all", async () => {
  const { clock, slack, chat, ops, called, ana } = await world();
  const release = slack.faults.hangApi("chat.postMessage", 1);
  const hung = failure(chat.post(ops, message));
  await called("chat.postMessage");
  const behind = chat.post(ops, { ...message, text: "behind it" });
  await chat.post(slack.channels.general?.id ?? "", { ...message, text: "elsewhere" });
  expect(ana.sees("#general").map(({ text }) => text)).toEqual(["elsewhere"]);
  clock.skip(10_000);
  expect(await hung).toMatchObject({ name: "SlackUnanswered" });
  await behind;
  expect(ana.lastSeen().text).toBe("behind it");
  release();
});

test("a response URL that is never answered ends after 10 seconds", async () => {
  const arrived = Promise.withResolvers<void>();
  const slack = await startSlack(() => arrived.resolve());
  const { chat, clock } = await lone(slack.apiUrl);
  const error = failure(chat.respond(`${slack.url}/actions/T1/2/abc`, message));
  await arrived.promise;
  clock.skip(10_000);
  expect(await error).toMatchObject({ name: "SlackUnanswered", maybeApplied: true });
});

test("a response URL that may be used up is not asked: its use fails at once, as the sixth does at Slack", async () => {
  let asked = 0;
  const slack = await startSlack((response) => {
    asked += 1;
    response.end("ok");
  });
  const { chat } = await lone(slack.apiUrl, { ...uncounted, take: async () => false });
  const url = `${slack.url}/actions/T1/2/abc`;
  for (const use of [chat.respond(url, message), chat.deleteOriginal(url)])
    expect(await failure(use)).toMatchObject({ name: "SlackRefused", reason: "used_url" });
  expect(asked).toBe(0);
});

test.for([
  ["ten minutes, as it knows", 10 * 60_000, 10 * 60_000],
  ["three minutes, as the clock of another instance was", 3 * 60_000, 0],
] as const)("a message is found again by a clock that is ahead of Slack's by %s", async ([, ahead, known]) => {
  const { clock, chat, ops } = await world(
    async () => {},
    () => known,
  );
  const mark = { subject: "alert:1", slot: "card" };
  const stands = await chat.post(ops, message, { mark });
  expect(await chat.find(ops, mark, clock.now() + ahead)).toEqual(stands);
});

test("a post that Slack puts off is sent again after the pause that Slack names, and no sooner", async () => {
  const { clock, slack, chat, ops, lines, ana } = await world();
  slack.faults.rateLimit("chat.postMessage", 40);
  const posted = chat.post(ops, message);
  await expect.poll(() => lines.join("")).toContain("slow down");
  clock.skip(39_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(slack.calls("chat.postMessage")).toHaveLength(1);
  clock.skip(1_000);
  await posted;
  expect(ana.sees()).toHaveLength(1);
  expect(lines.join("")).not.toContain(slack.botToken);
});

test.each([
  ["once by an hour", 3_600, 1],
  ["again and again by half a minute", 30, 9],
])(
  "a private answer that Slack puts off %s is given up within a minute, known as not sent",
  async (_, seconds, times) => {
    const { clock, slack, chat, ops, called } = await world();
    slack.faults.rateLimit("chat.postEphemeral", seconds, times);
    const answer = chat.postEphemeral(ops, slack.user("ana").id, message).catch((error: unknown) => error);
    await called("chat.postEphemeral");
    for (let skipped = 0; skipped < 3; skipped += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      clock.skip(30_000);
    }
    expect(await answer).toMatchObject({ name: "SlackUnanswered", maybeApplied: false });
  },
);

test("a post that Slack puts off is not sent again once another instance has taken over its run", async () => {
  const { clock, slack, chat, ops, lines, ana } = await world(async () => {
    throw new RunLost("notify:alert:1");
  });
  slack.faults.rateLimit("chat.postMessage", 40);
  const posted = failure(
    chat.post(ops, message, { run: { lane: "notify:", id: "alert:1", run: "1", repeats: false } }),
  );
  await expect.poll(() => lines.join("")).toContain("slow down");
  clock.skip(40_000);
  expect(await posted).toMatchObject({ name: "RunLost" });
  expect(slack.calls("chat.postMessage")).toHaveLength(1);
  expect(ana.sees()).toEqual([]);
});

test("a stop refuses what Slack has put off and what waits behind it, and says that it was not asked", async () => {
  const { slack, chat, ops, lines } = await world();
  slack.faults.rateLimit("chat.postMessage", 40);
  const put = failure(chat.post(ops, message));
  const behind = failure(chat.update({ channel: ops, ts: "1.2" }, message));
  await expect.poll(() => lines.join("")).toContain("slow down");
  chat.stop();
  for (const error of [await put, await behind, await failure(chat.post(ops, message))])
    expect(error).toMatchObject({ name: "SlackUnanswered", maybeApplied: false });
  expect(slack.calls("chat.postMessage")).toHaveLength(1);
  expect(slack.calls("chat.update")).toEqual([]);
});

const bytes = (content: string | Buffer) => (response: ServerResponse) => void response.end(content);

test.each([
  ["is handed over as it is", 5, bytes("héy\n"), Buffer.from("héy\n")],
  ["that is larger than it may be is refused unread", 101, bytes("x"), "file_too_large"],
  ["that is longer than it said is not read to its end", 5, bytes("x".repeat(101)), "Slack gave no answer that tells"],
  ["that is no text is handed over, too", 2, bytes(Buffer.from([0xff, 0xfe])), Buffer.from([0xff, 0xfe])],
  [
    "in whose place a page comes is not read",
    5,
    page(302, "", { location: "/login" }),
    "Slack gave no answer that tells",
  ],
])("a file %s", async (_, size, content, expected) => {
  const slack = await startSlack((response, { url, headers }) => {
    if (url === "/files/F1" && headers.authorization === `Bearer ${token}`) return content(response);
    json(200, { ok: true, file: { size, url_private_download: `${slack.url}/files/F1` } })(response);
  });
  const { chat } = await lone(slack.apiUrl);
  const answer = await chat.download("F1", 100).catch((error: unknown) => {
    if (error instanceof SlackUnanswered) return "Slack gave no answer that tells";
    return error instanceof SlackRefused ? error.reason : error;
  });
  expect(answer).toEqual(expected);
});

test("the token does not follow a file to an address that is not Slack's", async () => {
  const elsewhere = await startSlack(page(200, "thank you"));
  const url = `${elsewhere.url}/files/F1`;
  const slack = await startSlack(json(200, { ok: true, file: { size: 5, url_private_download: url } }));
  expect(await failure((await lone(slack.apiUrl)).chat.download("F1", 100))).toMatchObject({ reason: "no_address" });
  expect(elsewhere.got).toEqual([]);
});

test("a history that Slack leaves out of its answer does not show that a message is missing", async () => {
  const slack = await startSlack(json(200, { ok: true }));
  const { chat } = await lone(slack.apiUrl);
  const mark = { subject: "request:1", slot: "card" };
  for (const thread of [undefined, "1.2"])
    expect(await failure(chat.find("C1", mark, 0, thread))).toMatchObject({ name: "SlackUnanswered" });
});
