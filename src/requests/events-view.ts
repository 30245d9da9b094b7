import { type Block, context, type Message, paragraphs, section } from "../views/blocks.ts";
import { duration, moment } from "../views/format.ts";
import { eventArrived, eventTimeoutOf } from "./expected-events.ts";
import type { ReceivedEvent, Request } from "./request.ts";
import { titleOf } from "./view.ts";

/** Shows whether the supplier's events of a request have arrived, or are late. */
export function eventBlocks(request: Request): Block[] {
  const { expects, heard, overdueAt, slackUser } = request;
  const first = heard.find(({ event }) => expects?.first.includes(event));
  if (expects?.awaited) return awaitedBlocks(request, expects.awaited, first);
  if (first)
    return [
      context(
        `:incoming_envelope: The supplier tells of it. Expected: asked by <@${slackUser}>, ${delayWords(request, first)} before.`,
      ),
    ];
  if (overdueAt === null || eventArrived(request)) return [];
  return [context(`:warning: The supplier has not told of it in ${duration(eventTimeoutOf(request))}.`)];
}

/** Shows an event that somebody waits for: pending, arrived or missing. */
function awaitedBlocks(
  request: Request,
  { waits, came, missing }: AwaitedEvent,
  first: ReceivedEvent | undefined,
): Block[] {
  if (first) return [section(`:white_check_mark: ${came} It took ${delayWords(request, first)}.`)];
  if (request.overdueAt !== null) return [section(`:x: ${missing}`)];
  // After a refusal or an unknown outcome no event may come, so nobody should wait.
  if (request.state !== "done" && request.state !== "working") return [];
  return [section(`:hourglass_flowing_sand: ${waits}`)];
}

/** The thread shows this many events of a bulk request. */
const mostLines = 100;

/** Lists the events of one or several requests. It is edited as more arrive, since an edit notifies nobody. */
export function eventsMessage(requests: readonly Request[]): Message {
  const all = requests.flatMap((request) =>
    request.heard.map((one) => ({ at: one.at, line: eventLine(request, one) })),
  );
  const lines = all
    .toSorted((a, b) => a.at - b.at)
    .slice(-mostLines)
    .map(({ line }) => line);
  return { text: lines.join(" "), blocks: paragraphs(lines) };
}

function eventLine(request: Request, one: ReceivedEvent): string {
  const { slackUser, expects } = request;
  const words = expects?.failing.includes(one.event)
    ? `not what <@${slackUser}> asked for`
    : `expected: asked by <@${slackUser}>, ${delayWords(request, one)} before`;
  return `${moment(one.at)} ${one.line} · ${words}`;
}

/** Notifies the requester that an expected event is missing, or came late. */
export function overdueMessage(request: Request): Message {
  const since = `in ${duration(eventTimeoutOf(request))}`;
  const [late] = eventArrived(request) ? request.heard : [];
  const words = late
    ? `the supplier had not told of it ${since}, and told late, ${delayWords(request, late)} after it was asked.`
    : (request.expects?.awaited?.missing ?? `the supplier has not told of it ${since}. Look whether it is really so.`);
  const text = `:warning: <@${request.slackUser}> ${titleOf(request)}: ${words}`;
  return { text, blocks: [section(text)] };
}

type AwaitedEvent = NonNullable<NonNullable<Request["expects"]>["awaited"]>;

function delayWords({ decidedAt, createdAt }: Request, { at }: ReceivedEvent): string {
  return duration(at - (decidedAt ?? createdAt));
}
