import type { App } from "@slack/bolt";
import * as z from "#zod";
import { addNote, alertOfThread, longestNote } from "../../alerts/notes.ts";
import { admit, linkStep } from "../../members/access/access.ts";
import { errorAnswer } from "../../messages/answers/answers.ts";
import { offerTo } from "../../messages/answers/offer.ts";
import type { Origin } from "../../messages/origin.ts";
import type { Step } from "../../operation/answer.ts";
import type { Registry } from "../../operation/registry.ts";
import { defineKind } from "../../storage/kind.ts";
import { creating } from "../../storage/record.ts";
import { actions, button, section } from "../../views/blocks.ts";
import { duration } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { code, escapeText } from "../../views/text.ts";
import { findSecrets, readPlainText } from "../command/language.ts";
import { leakedSecrets, type ParsedCommand, parseCommand, type WrongCommand } from "../command/parse.ts";
import { busy, dispatch, dispatchOneOf, say } from "../dispatch.ts";
import { guardInteraction } from "../interaction.ts";
import { originOf } from "../payloads.ts";
import type { ListenerApp } from "../slack-app.ts";
import { authorshipOf, DirectMessage, Mention, type MessageFields } from "./authorship.ts";

/** Direct messages to the app: each is a command, with or without its slash. */
export function listenToMessages(bolt: App, app: ListenerApp): void {
  bolt.event("message", async ({ event }) => {
    const parsed = DirectMessage.safeParse(event);
    if (!parsed.success) return;
    const text = parsed.data.text ?? "";
    await runTypedMessage(app, parsed.data, withoutMention(app.appUser, text) ?? text);
  });
}

/** `@Rackbell reboot web-1`, in channels and threads: a message that begins with the mention is a command. */
export function listenToMentions(bolt: App, app: ListenerApp): void {
  bolt.event("app_mention", async ({ event }) => {
    const mention = Mention.safeParse(event).data;
    if (!mention) return;
    const typed = withoutMention(app.appUser, mention.text ?? "");
    if (typed !== null) return runTypedMessage(app, mention, typed);
    // A message that only mentions the app is no command.
    if (authorshipOf(mention) !== "another's") await warnOfSecrets(app, mention);
  });
}

/** The text after a mention of `user` at its start; null if it does not start with one. */
export function withoutMention(user: string, text: string): string | null {
  const [mention, id] = /^\s*<@([A-Z0-9]+)(?:\|[^>]*)?>[\s:,]*/i.exec(text) ?? [];
  return mention !== undefined && id === user ? text.slice(mention.length) : null;
}

/** Milliseconds. After an outage Slack delivers old messages, for which nobody waits any more. */
const freshForMs = 60_000;

const helpStep: Step = { label: "What can I do?", command: "rackbell help" };

const editedWords =
  "I do not act on messages that were edited, so nothing new was done. Send it as a new message if you still need it.";
const forwardedWords =
  "I do not act on messages that forward another one, so nothing was done. Type the command in a message of its own if you need it.";

/**
 * Runs a message that the member typed as a command, once, and reports its errors to them. If nothing proves that they typed it, offers a
 * button to run it. `text`: in Slack's notation, without the mention at its start. Never throws.
 */
async function runTypedMessage(app: ListenerApp, message: MessageFields, text: string): Promise<void> {
  const authorship = authorshipOf(message);
  if (authorship === "another's") return;
  const origin = originOfMessage(app, message);
  const version = authorship === "edited" ? `:${message.edited?.ts}` : "";
  await guardInteraction(app, origin, async () => {
    if (!(await isFirstSight(app, message, version))) return;
    if (authorship === "edited") return say(app, origin, editedWords);
    if (authorship === "forwarded") return say(app, origin, forwardedWords);
    const parsed = parseTyped(app.registry, text);
    if ("error" in parsed) return reportError(app, origin, parsed);
    const age = app.clock.now() - Number(message.ts) * 1_000;
    if (age > freshForMs) return say(app, origin, lateWords(age));
    if (authorship === "unproven") return offerToRun(app, text, origin);
    await run(app, parsed, origin, null);
  });
}

/** Kept for longer than Slack takes to deliver a message up to four times. */
const seenMessages = defineKind({
  name: "seen message",
  namespace: "seen-messages",
  schema: z.literal(1),
  ttlMs: 3_600_000,
});

/** Marks a message as seen; false if it was before. Slack may deliver one message twice, and to two instances. */
function isFirstSight({ store }: ListenerApp, { channel, ts }: MessageFields, version = ""): Promise<boolean> {
  return store.transact({ records: [creating(seenMessages, `${channel}:${ts}${version}`, 1)] });
}

/** A typed message: a command, or a note for an alert. */
type TypedMessage = ParsedCommand | { note: string };

function parseTyped(registry: Registry, text: string): TypedMessage {
  const note = noteIn(text);
  return note === null ? parseCommand(registry, "rackbell", text) : readNote(note);
}

/** The text of "note …"; null for any other message. */
function noteIn(text: string): string | null {
  return /^\s*note\b[\s:]*(.*)$/is.exec(text)?.[1]?.trim() ?? null;
}

function readNote(typed: string): { note: string } | WrongCommand {
  const secrets = findSecrets(typed);
  if (secrets.length > 0) return leakedSecrets(secrets);
  const note = readPlainText(typed);
  if (note === "") return { error: "Write the note after the word: note the disk is full. Nothing was noted." };
  if (note.length > longestNote)
    return { error: `A note has at most ${longestNote} characters, and this has ${note.length}. Nothing was noted.` };
  return { note };
}

/** Adds a note to the alert in whose thread it was written. */
async function addNoteHere(app: ListenerApp, text: string, origin: Origin): Promise<void> {
  await admit(app, origin.slackUser);
  const { channel, thread, slackUser } = origin;
  const alert = channel !== null && thread !== null ? await alertOfThread(app, channel, thread) : null;
  const why = "A note belongs in the thread of an alert, and this is none. Nothing was noted.";
  const problem = alert === null ? why : await addNote(app, alert, { by: slackUser, text });
  await say(app, origin, problem ?? ":memo: Noted. *Brief me* on the alert shows it.");
}

async function run(
  app: ListenerApp,
  parsed: Exclude<TypedMessage, WrongCommand>,
  origin: Origin,
  trigger: string | null,
): Promise<void> {
  if ("note" in parsed) return addNoteHere(app, parsed.note, origin);
  const room =
    "readings" in parsed ? dispatchOneOf(app, parsed, origin) : await dispatch(app, parsed.invocation, origin, trigger);
  if (!room) await say(app, origin, busy);
}

/** Action id of the button that runs an unproven command; its value is the text. */
export const runTypedAction = "typed:run";

/** Ephemeral: an app that posts in the member's name cannot press the button for them. */
async function offerToRun(app: ListenerApp, text: string, origin: Origin): Promise<void> {
  await admit(app, origin.slackUser);
  const command = code(readPlainText(text), limits.button.value);
  const why = "Slack does not show that you typed this message yourself, so nothing was done.";
  const isShort = text.length <= limits.button.value;
  const question = isShort
    ? `${why} If you did, press *Run it*: ${command}`
    : `${why} If you did, type it again as a message of its own.`;
  await app.reply.ephemeral(origin, {
    text: question,
    blocks: [section(question), ...actions(isShort ? [button("Run it", runTypedAction, text)] : [])],
  });
}

/** Runs an offered command; its answer replaces the offer. */
export async function runOffered(app: ListenerApp, text: string, origin: Origin, trigger: string): Promise<void> {
  const parsed = parseTyped(app.registry, text);
  if ("error" in parsed) return reportError(app, origin, parsed);
  await run(app, replacing(parsed), origin, trigger);
}

const offered = { replace: true, typed: true };

function replacing(parsed: Exclude<TypedMessage, WrongCommand>): Exclude<TypedMessage, WrongCommand> {
  if ("note" in parsed) return parsed;
  if ("invocation" in parsed) return { invocation: { ...parsed.invocation, ...offered } };
  return { ...parsed, readings: parsed.readings.map((reading) => ({ ...reading, ...offered })) };
}

/** Warns a member, once, that their message shows a secret to others. Other messages are ignored. */
async function warnOfSecrets(app: ListenerApp, message: MessageFields): Promise<void> {
  const secrets = findSecrets(message.text ?? "");
  if (secrets.length === 0) return;
  const origin = originOfMessage(app, message);
  await guardInteraction(app, origin, async () => {
    if (await isFirstSight(app, message)) await reportError(app, origin, leakedSecrets(secrets));
  });
}

export function originOfMessage(
  { clock, memberOf }: Pick<ListenerApp, "clock" | "memberOf">,
  { channel, user, thread_ts: thread = null }: MessageFields,
): Origin {
  const by = { member: memberOf(user), slackUser: user, channel, responseUrl: null, thread };
  return originOf(by, clock.now());
}

async function reportError(app: ListenerApp, origin: Origin, { error, leaked = false }: WrongCommand): Promise<void> {
  if (!leaked) await admit(app, origin.slackUser);
  const advice = leaked ? " Delete your message, too." : "";
  const next = leaked ? [linkStep] : [helpStep];
  const offer = offerTo(await app.identities.links(origin.member), app.registry);
  const report = { text: escapeText(error) + advice, again: null, next };
  await app.reply.ephemeral(origin, errorAnswer(report, offer, { correct: null, delegate: null }));
}

function lateWords(age: number): string {
  return `Slack delivered this message ${duration(age)} late, so I did not act on it. Nothing was done. Send it again if you still want it.`;
}
