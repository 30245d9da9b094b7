import { type Block, context, type Message, paragraphs, section, textMessage } from "../../../views/blocks.ts";
import { duration, moment } from "../../../views/format.ts";
import { type Request, titleOf } from "../../request.ts";
import { askedBy } from "../agent/view.ts";
import { type ExpectedEventsFacet, eventArrived, eventTimeoutOf, type ReceivedEvent } from "./record.ts";

/** Shows whether the supplier's events of a request have arrived, or are late. */
export function eventBlocks(request: Request): Block[] {
  const { events } = request;
  if (!events) return [];
  const first = events.received.find(({ event }) => events.first.includes(event));
  if (events.awaited) return awaitedBlocks(request, events.awaited, first);
  if (first)
    return [
      context(
        `:incoming_envelope: The webhook arrived. Expected: ${askedBy(request)}, ${delayWords(request, first)} before.`,
      ),
    ];
  if (events.overdueAt === null || eventArrived(request)) return [];
  return [context(`:warning: No webhook arrived in ${duration(eventTimeoutOf(request))}.`)];
}

/** Shows an event that somebody waits for: pending, arrived or missing. */
function awaitedBlocks(
  request: Request,
  { waits, came, missing }: AwaitedEvent,
  first: ReceivedEvent | undefined,
): Block[] {
  if (first) return [section(`:white_check_mark: ${came} It took ${delayWords(request, first)}.`)];
  if (request.events && request.events.overdueAt !== null) return [section(`:x: ${missing}`)];
  // After a refusal or an unknown outcome no event may come, so nobody should wait.
  if (request.state !== "done" && request.state !== "working") return [];
  return [section(`:hourglass_flowing_sand: ${waits}`)];
}

/** The thread shows this many events of a bulk request. */
const mostLines = 100;

/** Lists the events of one or several requests. It is edited as more arrive, since an edit notifies nobody. */
export function eventsMessage(requests: readonly Request[]): Message {
  const all = requests.flatMap((request) =>
    (request.events?.received ?? []).map((one) => ({ at: one.at, line: receivedLine(request, one) })),
  );
  const lines = all
    .toSorted((a, b) => a.at - b.at)
    .slice(-mostLines)
    .map(({ line }) => line);
  return { text: lines.join(" "), blocks: paragraphs(lines) };
}

function receivedLine(request: Request, one: ReceivedEvent): string {
  const words = request.events?.failing.includes(one.event)
    ? `not the expected outcome: ${askedBy(request)}`
    : `expected: ${askedBy(request)}, ${delayWords(request, one)} before`;
  return `${moment(one.at)} ${one.line} · ${words}`;
}

/** Notifies the requester that an expected event is missing, or came late. */
export function overdueMessage(request: Request): Message {
  const since = `in ${duration(eventTimeoutOf(request))}`;
  const [late] = eventArrived(request) ? (request.events?.received ?? []) : [];
  const words = late
    ? `no webhook arrived ${since}. It arrived late, ${delayWords(request, late)} after the request.`
    : (request.events?.awaited?.missing ?? `no webhook arrived ${since}. Check the real state yourself.`);
  const text = `:warning: <@${request.requester.slackUser}> ${titleOf(request)}: ${words}`;
  return textMessage(text);
}

type AwaitedEvent = NonNullable<ExpectedEventsFacet["awaited"]>;

function delayWords({ decidedAt, createdAt }: Request, { at }: ReceivedEvent): string {
  return duration(at - (decidedAt ?? createdAt));
}
