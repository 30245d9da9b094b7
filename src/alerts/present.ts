import type { StoreApp } from "../storage/foundation.ts";
import { newestEvents } from "./event-log.ts";
import {
  aspectOf,
  aspectResource,
  aspectsEnded,
  forServiceOf,
  isUnsettled,
  isUrgent,
  type LoggedEvent,
  latestByAspect,
  otherResources,
} from "./events.ts";

// The present state of a resource, by the log: an alert has only the events that reached it, and a mute, a filter or a day keeps others away.

/** How many newest events about a resource are read to find its present state. An order has those of all its services, too. */
const eventsSearched = 100;

/** The earlier and later events about the resource of an event, and about what a failed order lists, the oldest first. `before`: an id. */
export async function newestAbout(app: StoreApp, event: LoggedEvent, before?: string): Promise<LoggedEvent[]> {
  const abouts = [...new Set([aspectResource(event), ...otherResources(event)])].filter((id) => typeof id === "string");
  const read = await Promise.all(abouts.map((about) => newestEvents(app, { about, before, limit: eventsSearched })));
  const byId = new Map(read.flat().map((one) => [one.id, one]));
  return [...byId.values()].filter(({ aside }) => aside === null).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The event with the present state of the same aspect; null where that aspect has ended, or all services of a failed order are past it. */
export async function presentOf(app: StoreApp, event: LoggedEvent): Promise<LoggedEvent | null> {
  const read = await newestAbout(app, event);
  const all = read.some(({ id }) => id === event.id) ? read : [event, ...read];
  return latestByAspect(all).find((one) => aspectOf(one) === aspectOf(event)) ?? null;
}

/** True if the newest event about the same aspect of its resource asks for somebody, too. */
export async function isStillBad(app: StoreApp, event: LoggedEvent): Promise<boolean> {
  const present = await presentOf(app, event);
  return present !== null && isUrgent(present);
}

/** True if nothing that came later made it good: it is the present state itself, or another failure is. */
export async function isOpenStill(app: StoreApp, event: LoggedEvent): Promise<boolean> {
  const present = await presentOf(app, event);
  return present !== null && (present.id === event.id || isUrgent(present));
}

/** The earlier events that this one changes: those about the same aspect since it was last settled, and about the aspects that it ends. */
export async function unsettledBefore(app: StoreApp, event: LoggedEvent): Promise<LoggedEvent[]> {
  const aspects = new Set([aspectOf(event), ...aspectsEnded(event)]);
  const before = (await newestAbout(app, event, event.id)).map((one) => forServiceOf(event, one));
  return [...Map.groupBy(before, aspectOf)].flatMap(([aspect, same]) => (aspects.has(aspect) ? lastRun(same) : []));
}

function lastRun(same: readonly LoggedEvent[]): LoggedEvent[] {
  let run: LoggedEvent[] = [];
  for (const one of same) {
    const last = run.at(-1);
    if (isUnsettled(one)) run.push(one);
    // A late event that the one before outranks settles nothing.
    else if (last && latestByAspect([last, one])[0] === one) run = [];
  }
  return run;
}
