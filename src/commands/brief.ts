import { randomUUID } from "node:crypto";
import { type Alert, alertSlot, alertSubject, readAlert, responsibilityOf } from "../alerts/alert.ts";
import { readDisplayedEvents } from "../alerts/alert-messages.ts";
import type { AlertsApp } from "../alerts/app.ts";
import { eventResource } from "../alerts/events.ts";
import { readNotes } from "../alerts/notes.ts";
import { alertSteps, type DisplayedEvent, eventSentence, resourceName, sourceMark } from "../alerts/view.ts";
import { type AlertWait, alertWaiting } from "../alerts/waiting.ts";
import { type FoundEntry, newestEntries } from "../audit/audit.ts";
import { bind } from "../members/access/bound.ts";
import { slackUserIn } from "../members/identities/person.ts";
import { withoutMentions } from "../members/slack-user.ts";
import { errorText, whoseKey } from "../messages/answers/error-text.ts";
import type { Origin } from "../messages/origin.ts";
import { type Responsibility, readResponsibility } from "../policy/responsibility/responsibility.ts";
import { takeBlocks, waitBlocks } from "../policy/responsibility/take-view.ts";
import type { RequestsApp } from "../requests/app.ts";
import { runReading } from "../requests/ask.ts";
import type { Request } from "../requests/request.ts";
import { readRequest } from "../requests/store.ts";
import { accessOf, isKnownIn, type ViewerAccess } from "../requests/visibility.ts";
import { actions, type Block, button, context, type Message, paragraphs, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { clipMarkup, code, count, prose } from "../views/text.ts";
import { requireRead } from "./alert-readers.ts";
import type { App } from "./app.ts";

/** The action id of the button that posts the brief where the alert is. */
export const shareBriefAction = "alert:brief-share";

/** So many lines are shown, the newest: a flapping machine has hundreds. */
const mostLines = 30;
/** The newest audit entries that are read about each resource. */
const mostEntries = 30;
/** Blocks of the live answer. */
const mostOfAnswer = 4;

type BriefApp = App & Pick<AlertsApp, "outbox" | "people" | "causes">;

/** The reader of a brief: the presser, or everybody in the alert's channel. */
interface Reader {
  origin: Origin;
  isChannel: boolean;
}

/** A line of the brief, and its time in milliseconds since the epoch. */
interface BriefLine {
  at: number;
  text: string;
}

/** Shows the presser alone what happened about an alert, what was pressed, who has it, and what the platform says now. */
export async function showBrief(app: BriefApp, id: string, origin: Origin): Promise<void> {
  const alert = await requireAlert(app, id, origin);
  const message = await briefOf(app, id, alert, { origin, isChannel: false });
  const share = actions([button("Show to channel", shareBriefAction, id)], "brief");
  const blocks = [...message.blocks, context("Only you see this, with your key."), ...share];
  await app.reply.ephemeral(origin, { ...message, blocks });
}

/** Posts in the alert's thread what everybody in its channel may see of it. */
export async function shareBrief(app: BriefApp, id: string, origin: Origin): Promise<void> {
  const alert = await requireAlert(app, id, origin);
  const place = await app.outbox.placeOf(alertSubject, id, alertSlot);
  const message = await briefOf(app, id, alert, { origin, isChannel: true });
  const lead = `<@${origin.slackUser}> shows a brief, with what their key reads now.`;
  const shown = { text: `${lead} ${message.text}`, blocks: [...message.blocks, context(lead)] };
  await app.reply.inChannel(origin, shown, { channel: alert.channel, thread: place?.ts ?? null });
}

async function requireAlert(app: BriefApp, id: string, origin: Origin): Promise<Alert> {
  return requireRead(app, await readAlert(app, id), origin);
}

async function briefOf(app: BriefApp, id: string, alert: Alert, reader: Reader): Promise<Message> {
  const shown = await readDisplayedEvents(app, id, alert);
  const [record, waiting, notes, pressed] = await Promise.all([
    readResponsibility(app, responsibilityOf(id)),
    alertWaiting(app, id),
    readNotes(app, id),
    pressedLines(app, id, { alert, shown }, reader),
  ]);
  const lines: BriefLine[] = [
    ...shown.map(({ event }) => ({ at: event.at, text: `${eventSentence(event)}${sourceMark(event)}` })),
    ...notes.map(({ at, by, text }) => ({ at, text: `:memo: <@${by}>: ${prose(text, 1_000)}` })),
    ...pressed,
  ].toSorted((a, b) => a.at - b.at);
  const shownLines = await Promise.all(
    lines.slice(-mostLines).map(async ({ at, text }) => {
      return `${moment(at)} ${reader.isChannel ? await withoutMentions(app, text) : text}`;
    }),
  );
  const left = lines.length - shownLines.length;
  const newest = shown.at(-1);
  const name = (newest && resourceName(newest.event.event, newest.event.data)) ?? "this alert";
  const heading = `Brief of ${code(name)}`;
  return {
    text: heading,
    blocks: [
      section(`*${heading}*`),
      ...paragraphs([...(left > 0 ? [`${count(left, "earlier line")} not shown.`] : []), ...shownLines]),
      // The alert above the thread says it to the channel.
      ...(reader.isChannel ? [] : waitOf(record, waiting)),
      ...(await nowBlocks(app, shown, reader)),
    ],
  };
}

function waitOf(record: Responsibility, waiting: AlertWait | null): Block[] {
  return [
    ...takeBlocks(record),
    ...(record.takenBy ? [] : [context("Nobody has taken it.")]),
    ...waitBlocks(record, waiting?.isOver ? null : waiting),
  ];
}

/** The audit entries about the alert and its resources since it began, as far as the reader may see them. */
async function pressedLines(
  app: BriefApp,
  id: string,
  { alert, shown }: { alert: Alert; shown: readonly DisplayedEvent[] },
  reader: Reader,
): Promise<BriefLine[]> {
  const about = new Set([id, ...shown.flatMap(({ event }) => eventResource(event) ?? [])]);
  const read = await Promise.all(
    [...about].map((one) => newestEntries(app, { about: one, from: alert.startedAt, limit: mostEntries })),
  );
  const entries = new Map(read.flat().map((found) => [found.id, found]));
  const access = accessOf(app.requests, reader.origin);
  const lines = await Promise.all(
    [...entries.values()].map((found) => entryLine(app, found, { alert, access, reader })),
  );
  return lines.filter((line) => line !== null);
}

/** The kinds of entries that the alert itself shows to all. */
const shownByAlert = new Set(["taken", "released", "gone back", "notified", "reminded", "escalated", "unanswered"]);

async function entryLine(
  { requests }: { requests: RequestsApp },
  { at, entry }: FoundEntry,
  { alert, access, reader }: { alert: Alert; access: ViewerAccess; reader: Reader },
): Promise<BriefLine | null> {
  const isOwn = !reader.isChannel && entry.member === reader.origin.member;
  if (entry.request === null) {
    const isShown = isOwn || (entry.command === "rackbell alerts" && shownByAlert.has(entry.what));
    return isShown ? { at, text: `:point_right: ${clipMarkup(entry.outcome, 200)}` } : null;
  }
  const request = await readRequest(requests, entry.request);
  // A request of the requester alone has a price, or something else that is theirs.
  if (!request || (entry.alone && !isOwn)) return null;
  const sight = reader.isChannel ? await sightOfAll(requests, alert.channel, request) : await access.at(request);
  if (sight !== "whole" && sight !== "named") return null;
  const by = entry.decidedBy === null ? entry.slackUser : slackUserIn(entry.decidedBy);
  const target = entry.target ? ` ${code(entry.target.name, 60)}` : "";
  const what = `:point_right: *${entry.what}*: ${code(entry.command)}${target}, by <@${by}>.`;
  return { at, text: sight === "whole" ? `${what} ${clipMarkup(entry.outcome, 200)}` : what };
}

/** How much of a request all readers of a channel see. */
async function sightOfAll(app: RequestsApp, channel: string, request: Request): Promise<"whole" | "named" | null> {
  if (request.channel === channel) return "whole";
  return (await isKnownIn(app, channel, request)) ? "named" : null;
}

/** The present state, read with the presser's key: the answer of the command with which the alert shows its resource. */
async function nowBlocks(app: BriefApp, shown: DisplayedEvent[], { origin, isChannel }: Reader): Promise<Block[]> {
  const { registry, clock } = app;
  const step = alertSteps(shown).findLast(({ command }) => command.endsWith(" show"));
  const operation = step && registry.find(step.command);
  if (!step?.target || !operation || operation.api === "app") return [];
  if (isChannel && operation.personal) return [];
  try {
    const bound = await bind(app, operation, origin.member);
    const call = { id: randomUUID(), targetId: step.target, resolved: true, input: {}, now: clock.now() };
    const act = await bound.begin(call);
    const { text, blocks } = await runReading(app.requests, { bound, act, origin });
    // The card has prices and addresses, which are for the holder of the key: others read the state.
    const answer = isChannel || !blocks ? [section(text)] : blocks.slice(0, mostOfAnswer);
    return [section("*The platform says now*"), ...answer];
  } catch (error) {
    const { text } = errorText(error, clock.now(), isChannel ? whoseKey(origin.slackUser) : undefined);
    return [section(`*The platform says now*\nIt could not be read. ${text}`)];
  }
}
