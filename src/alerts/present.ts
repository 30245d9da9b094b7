import type { StoreApp } from "../storage/foundation.ts";
import { newestEvents } from "./event-log.ts";
import {
  aspectOf,
  aspectResource,
  aspectsEnded,
  isUnsettled,
  isUrgent,
  type LoggedEvent,
  latestByAspect,
} from "./events.ts";

// The present state of a resource, by the log: an alert has only the events that reached it, and a mute, a filter or a day keeps others away.

/** How many newest events about a resource are read to find its present state. */
const eventsSearched = 20;

async function newestAbout(app: StoreApp, event: LoggedEvent, before?: string): Promise<LoggedEvent[]> {
  const about = aspectResource(event);
  const read = about ? await newestEvents(app, { about, before, limit: eventsSearched }) : [];
  return read.filter(({ aside }) => aside === null).toReversed();
}

/** The event with the present state of the same aspect; null where that aspect has ended. */
export async function presentOf(app: StoreApp, event: LoggedEvent): Promise<LoggedEvent | null> {
  const aspect = aspectOf(event);
  const read = await newestAbout(app, event);
  const found = latestByAspect(read).find((one) => aspectOf(one) === aspect);
  return found ?? (read.some((one) => aspectsEnded(one).includes(aspect)) ? null : event);
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
  const before = await newestAbout(app, event, event.id);
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
