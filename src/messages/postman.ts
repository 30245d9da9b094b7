import * as z from "#zod";
import { whyLeftOut } from "../members/slack-user.ts";
import { defineKind } from "../storage/kind.ts";
import type { RunToken, Store } from "../storage/store.ts";
import { context, type Message } from "../views/blocks.ts";
import { channelProblem, postProblem, sharedReason } from "./chat/channel-problem.ts";
import type { Chat, MessageRef } from "./chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "./chat/errors.ts";
import type { People } from "./chat/people.ts";
import type { Priority } from "./chat/rate-limiter.ts";
import type { Origin } from "./origin.ts";
import type { Reply } from "./reply.ts";

const day = 24 * 60 * 60_000;

/** The parts of the app that the postman works with. */
export interface PostmanApp {
  chat: Chat;
  people: People;
  reply: Reply;
  store: Store;
}

/** The place in which a message belongs. */
export type Place =
  /**
   * A channel or a thread in it. If it cannot be posted there, the member of `otherwise` gets it, or nobody. `lasting`: it will be edited
   * later.
   */
  | { in: "channel"; channel: string; thread?: string; otherwise: Origin | null; lasting: boolean }
  | { in: "direct"; user: string }
  /** A reply under another message of the same subject. If that is impossible, `user` gets it, unless that is null. */
  | { in: "thread"; under: string; user: string | null }
  /**
   * Shown to the requester alone. `fleeting`: the message is elsewhere as well, so it need not reach a member who no longer looks. `gone`:
   * the place has a message for all that says it, so the private one is removed.
   */
  | { in: "private"; origin: Origin; fleeting: boolean; gone?: boolean };

/** Identifies a post, so that it can be found in Slack again. */
interface Marked {
  /** Its subject, and its slot among the subject's messages: the mark by which it is found in Slack. */
  subject: string;
  slot: string;
  priority: Priority;
  /** It cannot have been posted before this (milliseconds since the epoch). */
  since: number;
  /** The run that updates it. Once another instance has taken the run over, nothing is posted for it. */
  run: RunToken;
}

/** A message to post or edit, with its known state. */
export interface Placing extends Marked {
  to: Place;
  message: Message;
  /** The posted message; undefined before the first post, and null when it cannot be found again. */
  posted: MessageRef | null | undefined;
  /** The posted message that this one replies to. */
  under: MessageRef | null;
  /** The message is up to date, and is edited only because an older edit may arrive late. If it was deleted, nobody gets it elsewhere. */
  settling: boolean;
}

export type Placed = { ref: MessageRef | null } | { unplaced: string };

/** Posts that this process attempted; lost when it ends. */
const postAttempts = defineKind({
  name: "mark of an attempt",
  namespace: "post-attempts",
  schema: z.literal(true),
  ttlMs: day,
  lasts: "memory",
});

/** The instance that created a subject. */
const madeMarks = defineKind({
  name: "mark of a creator",
  namespace: "made-here",
  schema: z.string(),
  ttlMs: day,
  lasts: "memory",
});

/** For the creator of a new subject of this kind: records that nothing was posted about it, which saves a search. */
export function markUnposted(store: Store, kind: string, id: string): void {
  // Without it the channel's history is searched once before the post.
  store
    .keyv(madeMarks)
    .set(`${kind}:${id}`, store.instance)
    .catch(() => {});
}

/**
 * True when this process is known to have created the subject, so that no dead process can have posted about it. Times cannot prove
 * that, since a clock may be set back between a crash and the next start.
 */
async function madeHere(store: Store, subject: string): Promise<boolean> {
  return (await store.keyv(madeMarks).get(subject)) === store.instance;
}

/** Posts a message in its place, or edits the posted one; never posts it twice. Throws when Slack does not answer. */
export async function placeMessage(app: PostmanApp, placing: Placing): Promise<Placed> {
  const { posted, to, message } = placing;
  if (posted === undefined) return postFirst(app, placing);
  if (posted !== null) return edit(app, placing, posted);
  const origin = to.in === "private" ? to.origin : to.in === "channel" ? to.otherwise : null;
  // A direct message may exist without a record, sent when the private message could not be edited.
  const existing = origin && (await inDirect(app, placing, origin.slackUser));
  if (existing) return edit(app, placing, existing);
  // A private message takes no turn of a channel, which would prove that this instance still has the run.
  await app.store.timers.prove(placing.run);
  if (to.in === "private" && to.gone) {
    await app.reply.remove(to.origin);
    return { ref: null };
  }
  if (origin && (await app.reply.replaceEphemeral(origin, message))) return { ref: null };
  // Slack lets nobody edit a private message once its half hour is over.
  return origin && !(to.in === "private" && to.fleeting) ? direct(app, placing, origin.slackUser) : { ref: null };
}

async function direct(app: PostmanApp, placing: Placing, user: string): Promise<Placed> {
  const why = await whyNotToBeSent(app, user);
  if (why !== null) return { unplaced: `Its reader ${why}` };
  await attempt(app, placing, user);
  const channel = await directChannel(app, user);
  if (channel === null) return { unplaced: `Its reader ${hasLeft}` };
  return { ref: await post(app, placing, channel, undefined, placing.message) };
}

const hasLeft = "has left the workspace";
const goneReasons = ["user_disabled", "user_not_found", "user_not_visible"];

/** Null if the user may get direct messages. All that members set up earlier comes here, and they may have become guests since. */
async function whyNotToBeSent({ people }: PostmanApp, user: string): Promise<string | null> {
  try {
    return whyLeftOut(await people.person(user));
  } catch (error) {
    if (error instanceof SlackRefused && goneReasons.includes(error.reason)) return hasLeft;
    throw error;
  }
}

/** The channel of a user's direct messages; null if the user has left, since a message that others read too must not wait for them. */
async function directChannel({ chat }: PostmanApp, user: string): Promise<string | null> {
  try {
    return await chat.directChannel(user);
  } catch (error) {
    if (error instanceof SlackRefused && goneReasons.includes(error.reason)) return null;
    throw error;
  }
}

/** Finds the message in a user's direct messages, after a post there that may not have been recorded. */
async function inDirect(app: PostmanApp, placing: Placing, user: string): Promise<MessageRef | null> {
  if (!(await mayBePostedIn(app, placing, user))) return null;
  const channel = await directChannel(app, user);
  return channel === null ? null : find(app, placing, channel);
}

async function inChannel(app: PostmanApp, placing: Placing, to: Extract<Place, { in: "channel" }>): Promise<Placed> {
  // Keep the message in direct messages: it may have gone there while Slack refused the channel.
  const existing = to.otherwise && (await inDirect(app, placing, to.otherwise.slackUser));
  if (existing) return edit(app, placing, existing);
  const problem = await channelProblem(app.people, to.channel);
  // If it may be in the channel already, it is searched for there, and Slack's answer is awaited.
  if (problem && to.otherwise && !(await mayBePostedIn(app, placing, to.channel)))
    return elsewhere(app, placing, to, problem);
  try {
    return { ref: await post(app, placing, to.channel, to.thread, placing.message) };
  } catch (error) {
    // The act is done, so the requester must get its outcome even if Slack refuses the channel.
    if (!(error instanceof SlackRefused)) throw error;
    return elsewhere(app, placing, to, postProblem(error.reason));
  }
}

async function elsewhere(
  app: PostmanApp,
  placing: Placing,
  to: Extract<Place, { in: "channel" }>,
  problem: string,
): Promise<Placed> {
  const { otherwise, lasting } = to;
  if (!otherwise) return { unplaced: problem };
  const { text, blocks } = placing.message;
  if (!lasting) {
    const alone = { text, blocks: [...blocks, context(`${problem}, so only you see this.`)] };
    return privately(app, placing, otherwise, alone);
  }
  await app.store.timers.prove(placing.run);
  const placed = await direct(app, placing, otherwise.slackUser);
  if ("unplaced" in placed) return placed;
  const words = `${problem}, so only you see this. Further messages come to your direct messages.`;
  await app.reply.ephemeral(otherwise, { text, blocks: [...blocks, context(words)] });
  return placed;
}

async function postFirst(app: PostmanApp, placing: Placing): Promise<Placed> {
  const { to, message, under } = placing;
  if (to.in === "channel") return inChannel(app, placing, to);
  if (to.in === "direct") return direct(app, placing, to.user);
  if (to.in === "thread") {
    const placed = under ? await inThread(app, placing, under) : { unplaced: "Its message is gone" };
    return "unplaced" in placed && to.user !== null ? direct(app, placing, to.user) : placed;
  }
  if (!to.gone && !to.fleeting) return privately(app, placing, to.origin, message);
  await app.store.timers.prove(placing.run);
  if (to.gone) await app.reply.remove(to.origin);
  else await app.reply.replaceEphemeral(to.origin, message);
  return { ref: null };
}

/**
 * Shows it to one member, where they acted. Slack cannot find such a message again, so each further try would show its buttons once more.
 * Once Slack's answer was lost, the message goes to their direct messages, where it can be found.
 */
async function privately(app: PostmanApp, placing: Placing, origin: Origin, message: Message): Promise<Placed> {
  await app.store.timers.prove(placing.run);
  const { slackUser } = origin;
  if (await wasAttempted(app, placing, slackUser)) return direct(app, placing, slackUser);
  try {
    await app.reply.ephemeral(origin, message, { once: true });
    return { ref: null };
  } catch (error) {
    // An update of a modal may be repeated: it shows the same once.
    const isPost = error instanceof SlackUnanswered && error.maybeApplied && error.method !== "views.update";
    if (isPost) await attempt(app, placing, slackUser);
    throw error;
  }
}

async function edit(app: PostmanApp, placing: Placing, ref: MessageRef): Promise<Placed> {
  const { to, message, priority, run, settling } = placing;
  // A member who became a guest reads no further: the message stays as they saw it.
  if (to.in === "direct" && (await whyNotToBeSent(app, to.user)) !== null) return { ref };
  try {
    await app.chat.update(ref, message, { priority, run });
    return { ref };
  } catch (error) {
    if (!(error instanceof SlackRefused)) throw error;
    if (settling && error.reason !== sharedReason) return { ref };
    // The message was deleted, the app removed from the channel, or another organisation let in; the requester still gets the text.
    const user = readerOf(to);
    return user === null ? { unplaced: postProblem(error.reason) } : direct(app, placing, user);
  }
}

/** The member who gets the message if its place takes it no more; null without one. */
function readerOf(to: Place): string | null {
  if (to.in === "channel") return to.otherwise?.slackUser ?? null;
  return to.in === "private" ? to.origin.slackUser : to.user;
}

/** Posts a reply; the channel may have gone since the message above was posted. */
async function inThread(app: PostmanApp, placing: Placing, { channel, ts, thread }: MessageRef): Promise<Placed> {
  try {
    // Threads do not branch: a reply to a reply goes into the same thread.
    return { ref: await post(app, placing, channel, thread ?? ts, placing.message) };
  } catch (error) {
    if (!(error instanceof SlackRefused)) throw error;
    return { unplaced: postProblem(error.reason) };
  }
}

/** Posts a marked message, or edits it where it can be found again. */
async function post(
  app: PostmanApp,
  marked: Marked,
  channel: string,
  thread: string | undefined,
  message: Message,
): Promise<MessageRef> {
  const { subject, slot, priority, run } = marked;
  const first = await attempt(app, marked, channel);
  if (!first || !(await madeHere(app.store, subject))) {
    const found = await find(app, marked, channel, thread);
    if (found) {
      await app.chat.update(found, message, { priority, run });
      return found;
    }
  }
  const mark = { subject, slot };
  return app.chat.post(channel, message, { priority, mark, run, ...(thread === undefined ? {} : { thread }) });
}

/** Records an attempt to post it at `place`, a channel or a person. True for the first attempt. */
async function attempt(app: PostmanApp, marked: Marked, place: string): Promise<boolean> {
  // The run lets no other instance attempt the same post at the same time, so that two steps suffice.
  const first = !(await wasAttempted(app, marked, place));
  await app.store.keyv(postAttempts).set(keyOf(marked, place), true);
  return first;
}

/** True when this process attempted to post it there. */
function wasAttempted({ store }: PostmanApp, marked: Marked, place: string): Promise<boolean> {
  return store.keyv(postAttempts).has(keyOf(marked, place));
}

/** True when this process, or possibly an earlier one, attempted to post it there. */
async function mayBePostedIn(app: PostmanApp, marked: Marked, place: string): Promise<boolean> {
  return !(await madeHere(app.store, marked.subject)) || wasAttempted(app, marked, place);
}

function keyOf({ subject, slot }: Marked, place: string): string {
  return `${subject} ${slot} ${place}`;
}

/** The posted message in that channel or thread; null when there is none, or the app may not read there. */
function find(
  { chat }: PostmanApp,
  { subject, slot, since }: Marked,
  channel: string,
  thread?: string,
): Promise<MessageRef | null> {
  return chat.find(channel, { subject, slot }, since, thread).catch(notFoundIfRefused);
}

/** The app cannot read this channel's history. A message that comes twice is better than none. */
function notFoundIfRefused(error: unknown): null {
  if (error instanceof SlackRefused) return null;
  throw error;
}
