import type { CausedEvent, Causes } from "../../../alerts/app.ts";
import { newestEvents } from "../../../alerts/event-log.ts";
import { comesWithinMs, reportedState } from "../../../alerts/events.ts";
import { requestsAbout } from "../../../audit/audit.ts";
import type { EffectiveAct } from "../../../operation/effects.ts";
import type { RequestsApp } from "../../app.ts";
import { type Request, wasSent } from "../../request.ts";
import { states } from "../../states.ts";
import { type AmendExtras, amendNewest, expecting, isStepTo, readRequest, waitingFor } from "../../store.ts";
import { noteLaterAct } from "../later-acts/note.ts";
import { type ExpectedEventsFacet, eventArrived } from "./record.ts";

const day = 24 * 60 * 60_000;

/** How many of the newest events about a resource are searched for one that ended the state to which an act had led. */
const eventsSearched = 20;

/** A request keeps this many of its latest events: one act may touch a hundred services. */
const mostEvents = 100;

/** Matches webhook events with the requests that caused them. */
export function requestCauses(app: RequestsApp): Causes {
  const { clock } = app;
  return {
    async attach(supplierEvent) {
      const cause = await findCause(app, supplierEvent);
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
    async readUnconfirmed(id) {
      const request = await readRequest(app, id);
      if (!request?.events || request.events.overdueAt !== null || request.events.first.length === 0) return null;
      return wasSent(request) && !eventArrived(request) ? causingOf(request) : null;
    },
    async noteOverdue(id) {
      await change(app, id, ({ overdueAt }) => (overdueAt === null ? { overdueAt: clock.now() } : null));
    },
    actsOn: (id) => actsOn(app, id),
    async readDone(id) {
      const request = await readRequest(app, id);
      return request?.state === "done" ? causingOf(request) : null;
    },
    noteLaterAct: (id) => noteLaterAct(app, id),
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

async function findCause(
  app: RequestsApp,
  supplierEvent: CausedEvent,
): Promise<{ request: Request; expected: boolean } | null> {
  const all = await candidates(app, supplierEvent);
  const { event, id } = supplierEvent;
  // After a crash the same event is delivered again: match it with the same request.
  const earlierMatch = all.find(({ events }) => events?.received.some((one) => one.id === id));
  const awaiting = all.filter((one) => awaitsEvent(one, event));
  const isOver = await Promise.all(awaiting.map((one) => isLeft(app, one, supplierEvent, all)));
  const request =
    earlierMatch ??
    awaiting.find((_, at) => !isOver[at]) ??
    all.find((one) => wasSent(one) && one.events?.later.includes(event)) ??
    all.findLast(({ events }) => events?.failing.includes(event));
  return request ? { request, expected: !request.events?.failing.includes(event) } : null;
}

/** The request as the alerts know it. */
function causingOf(request: Request) {
  const { id, requester, command, channel, target, next, endUnknown, customer, order, events, effects } = request;
  const expects = events && { first: events.first, awaited: events.awaited };
  const facts = { id, slackUser: requester.slackUser, command, channel, target };
  return { ...facts, next, endUnknown, customer, order, expects, effects };
}

/** Changes the events of the newest version. */
function change(
  app: RequestsApp,
  id: string,
  of: (events: ExpectedEventsFacet) => Partial<ExpectedEventsFacet> | null,
  extras: AmendExtras = {},
): Promise<Request | undefined> {
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

function awaitsEvent(request: Request, event: string): boolean {
  return wasSent(request) && !eventArrived(request) && (request.events?.first.includes(event) ?? false);
}

/**
 * True where the state to which the act led was left since, by a member's act or by the supplier: an act whose webhook was lost must not
 * explain the same state when the supplier brings it about hours later.
 */
async function isLeft(
  app: RequestsApp,
  { target, attemptedAt, createdAt }: Request,
  { id, event, at }: CausedEvent,
  others: readonly Request[],
): Promise<boolean> {
  const is = reportedState(event);
  const since = attemptedAt ?? createdAt;
  // Until then its own webhook may come after that of a later act.
  if (!is || !target || at - since < comesWithinMs) return false;
  const later = others.filter((one) => one.state === "done" && (one.attemptedAt ?? 0) > since);
  if (later.some((one) => one.target?.id === target.id && leadsFrom(one, is))) return true;
  const explained = new Set(others.flatMap(({ events }) => events?.received.map((one) => one.id) ?? []));
  const logged = await newestEvents(app, { about: target.id, before: id, limit: eventsSearched });
  return logged.some((one) => {
    const other = reportedState(one.event);
    const isOther = other?.aspect === is.aspect && other.state !== is.state;
    return isOther && one.at > since && one.aside === null && !explained.has(one.id);
  });
}

/** True where the act led its target to another state of the aspect. */
function leadsFrom({ effects }: Request, { aspect, state }: { aspect: string; state: string }): boolean {
  return effects.some(
    (one) => one.aspect === aspect && one.on === "target" && one.to.length > 0 && !one.to.includes(state),
  );
}

/** How many of the newest audit entries about a resource are searched: an act has about three. */
const entriesSearched = 50;
/** Milliseconds. The longest time that a machine takes for an act whose end the platform never shows. */
const unseenEndMs = 10 * 60_000;

/** The acts that were sent, newest first, on a resource or that made it. */
async function actsOn(app: RequestsApp, id: string): Promise<EffectiveAct[]> {
  const ids = await requestsAbout(app, id, entriesSearched);
  const requests = await Promise.all([...ids].map((request) => readRequest(app, request)));
  return requests.flatMap((request) => (request ? effectiveActs(request) : []));
}

/** The act of a request that was sent. A backup first is a request of its own. */
function effectiveActs(request: Request): EffectiveAct[] {
  if (!wasSent(request)) return [];
  const { id, requester, target, command, effects } = request;
  const { slackUser, member } = requester;
  return [{ request: id, slackUser, member, command, target: target?.id ?? null, effects, ...endOf(request) }];
}

function endOf(request: Request): Pick<EffectiveAct, "endsAt" | "reached"> {
  const { state, job, attemptedAt, changedAt, endUnknown } = request;
  const { phase } = states[state];
  if (phase === "claimed" || phase === "unknown" || phase === "working")
    return { endsAt: Number.POSITIVE_INFINITY, reached: false };
  const endedAt = job?.endedAt ?? attemptedAt ?? changedAt;
  if (state === "done" && !endUnknown) return { endsAt: endedAt, reached: true };
  return { endsAt: state === "failed" ? endedAt : endedAt + unseenEndMs, reached: false };
}
