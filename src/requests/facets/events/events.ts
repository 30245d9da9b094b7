import type { CausedEvent, Causes } from "../../../alerts/app.ts";
import { type Block, context, type Message, paragraphs, section } from "../../../views/blocks.ts";
import { duration, moment } from "../../../views/format.ts";
import type { RequestsApp } from "../../app.ts";
import { type Amendment, type Request, titleOf, wasSent } from "../../request.ts";
import { type AmendExtras, amend, expecting, isStepTo, readRequest, waitingFor } from "../../store.ts";
import type { ExpectedEventsFacet, ReceivedEvent } from "./record.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** Milliseconds. The supplier sends once a minute, and retries after 1, 2 and 4 minutes if we did not answer. */
const eventTimeout = 10 * minute;
/** Milliseconds, for an event that somebody waits for. */
const awaitedEventTimeout = 5 * minute;
/** Milliseconds in which an expected event must arrive. */
export function eventTimeoutOf({ events }: Pick<Request, "events">): number {
  return events?.awaited ? awaitedEventTimeout : eventTimeout;
}

/** A request keeps this many of its latest events: one act may touch a hundred services. */
const mostEvents = 100;

/** Matches webhook events with the requests that caused them. */
export function expectedEvents(app: RequestsApp): Causes {
  const { clock } = app;
  return {
    async attach(supplierEvent) {
      const cause = await causeOf(app, supplierEvent);
      if (!cause) return null;
      const { id, event, at, line } = supplierEvent;
      // An event proves nothing, but it is a reason to check the outcome at once.
      const extras = cause.request.state === "unknown" ? { lookAt: clock.now() } : {};
      const attached = await change(
        app,
        cause.request.id,
        ({ received }) =>
          received.some((one) => one.id === id)
            ? null
            : { received: [...received, { id, event, at, line }].slice(-mostEvents) },
        extras,
      );
      return { request: causingOf(attached ?? cause.request), expected: cause.expected };
    },
    async unconfirmed(id) {
      const request = await readRequest(app, id);
      if (!request?.events || request.events.overdueAt !== null || request.events.first.length === 0) return null;
      return wasSent(request) && !eventArrived(request) ? causingOf(request) : null;
    },
    async overdue(id) {
      await change(app, id, ({ overdueAt }) => (overdueAt === null ? { overdueAt: clock.now() } : null));
    },
    async done(id) {
      const request = await readRequest(app, id);
      return request?.state === "done" ? causingOf(request) : null;
    },
    async pollWaiting(act) {
      for (const { id } of await waitingFor(app, act))
        await amendNewest(
          app,
          id,
          ({ state, next }) =>
            state === "working" ? { next: next.filter((step) => !isStepTo(step, act.command, act.target)) } : null,
          { pollAt: clock.now() },
        );
    },
    async close(id) {
      const request = await readRequest(app, id);
      if (!request?.events || request.events.over) return undefined;
      const until = request.createdAt + day;
      if (clock.now() < until) return until;
      await change(app, id, () => ({ over: true }), { silent: true });
      return undefined;
    },
  };
}

async function candidates(app: RequestsApp, { about, ownOrder }: CausedEvent): Promise<Request[]> {
  const found = await Promise.all([...new Set(about)].map((id) => expecting(app, id)));
  const own = ownOrder === null ? undefined : await readRequest(app, ownOrder);
  const byId = new Map([...found.flat(), ...(own ? [own] : [])].map((request) => [request.id, request]));
  return [...byId.values()].sort((a, b) => a.createdAt - b.createdAt);
}

async function causeOf(
  app: RequestsApp,
  supplierEvent: CausedEvent,
): Promise<{ request: Request; expected: boolean } | null> {
  const all = await candidates(app, supplierEvent);
  const { event, id } = supplierEvent;
  // After a crash the same event is delivered again: match it with the same request.
  const earlierMatch = all.find(({ events }) => events?.received.some((one) => one.id === id));
  const request =
    earlierMatch ??
    all.find((one) => awaitsEvent(one, event)) ??
    all.find((one) => wasSent(one) && one.events?.later.includes(event)) ??
    all.findLast(({ events }) => events?.failing.includes(event));
  return request ? { request, expected: !request.events?.failing.includes(event) } : null;
}

/** The request as the alerts know it. */
function causingOf({ id, requester, command, channel, target, next, endUnknown, customer, order, events }: Request) {
  const expects = events && { first: events.first, awaited: events.awaited };
  return { id, slackUser: requester.slackUser, command, channel, target, next, endUnknown, customer, order, expects };
}

/** Changes the events of the newest version. */
function change(
  app: RequestsApp,
  id: string,
  of: (events: ExpectedEventsFacet) => Partial<ExpectedEventsFacet> | null,
  extras: AmendExtras = {},
): Promise<Request | null> {
  return amendNewest(
    app,
    id,
    ({ events }) => {
      const changed = events && of(events);
      return events && changed && { events: { ...events, ...changed } };
    },
    extras,
  );
}

/** Applies a change to the newest version, and retries: other processes change the request at the same time. */
async function amendNewest(
  app: RequestsApp,
  id: string,
  of: (request: Request) => Amendment | null,
  extras: AmendExtras,
): Promise<Request | null> {
  for (;;) {
    const request = await readRequest(app, id);
    const changed = request ? of(request) : null;
    if (!request || changed === null) return null;
    const advanced = await amend(app, request, changed, { ...extras, aside: true });
    if (advanced) return advanced;
  }
}

function awaitsEvent(request: Request, event: string): boolean {
  return wasSent(request) && !eventArrived(request) && (request.events?.first.includes(event) ?? false);
}

/** True if an expected event has arrived, or one that reports a failure. */
export function eventArrived({ events }: Request): boolean {
  if (!events) return false;
  return events.received.some(({ event }) => events.first.includes(event) || events.failing.includes(event));
}

/** Shows whether the supplier's events of a request have arrived, or are late. */
export function eventBlocks(request: Request): Block[] {
  const { events, requester } = request;
  if (!events) return [];
  const first = events.received.find(({ event }) => events.first.includes(event));
  if (events.awaited) return awaitedBlocks(request, events.awaited, first);
  if (first)
    return [
      context(
        `:incoming_envelope: The webhook arrived. Expected: asked by <@${requester.slackUser}>, ${delayWords(request, first)} before.`,
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
    (request.events?.received ?? []).map((one) => ({ at: one.at, line: eventLine(request, one) })),
  );
  const lines = all
    .toSorted((a, b) => a.at - b.at)
    .slice(-mostLines)
    .map(({ line }) => line);
  return { text: lines.join(" "), blocks: paragraphs(lines) };
}

function eventLine(request: Request, one: ReceivedEvent): string {
  const { slackUser } = request.requester;
  const words = request.events?.failing.includes(one.event)
    ? `not what <@${slackUser}> asked for`
    : `expected: asked by <@${slackUser}>, ${delayWords(request, one)} before`;
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
  return { text, blocks: [section(text)] };
}

type AwaitedEvent = NonNullable<ExpectedEventsFacet["awaited"]>;

function delayWords({ decidedAt, createdAt }: Request, { at }: ReceivedEvent): string {
  return duration(at - (decidedAt ?? createdAt));
}
