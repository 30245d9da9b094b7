import { scanIndex } from "../storage/create.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { readAlert } from "./alert.ts";
import { readEvent } from "./event-log.ts";
import { type LoggedEvent, latestByAspect } from "./events.ts";
import { isUnattended } from "./mentions.ts";
import { isStillBad } from "./present.ts";

// The alerts of each channel that are open, in an index: what waits for somebody is found without a look at all alerts.

const openIn = (channel: string) => `open-alerts:${channel}`;
/** So many alerts of a channel are looked at: a storm has thousands. */
const mostRead = 50;

/** Lists an alert among the open ones of its channel, or no longer. Resolves with its events that are as bad still, oldest first. */
export async function noteOpen({ store }: StoreApp, id: string, channel: string): Promise<LoggedEvent[]> {
  const open = await openEventsOf({ store }, id);
  await store.transact({
    records: [],
    index: [{ name: openIn(channel), member: id, score: open[0]?.at ?? null }],
  });
  return open;
}

/** The events of an alert that are as bad still, the oldest first. */
export async function openEventsOf({ store }: StoreApp, id: string): Promise<LoggedEvent[]> {
  const loud = (await readAlert({ store }, id))?.events.filter((one) => one.loud) ?? [];
  const read = await Promise.all(loud.map((one) => readEvent({ store }, one.id)));
  const latest = latestByAspect(read.filter((event) => event !== null));
  const bad = await Promise.all(latest.map((event) => isStillBad({ store }, event)));
  return latest.filter((_, at) => bad[at]);
}

/**
 * The open alerts of a channel that nobody has taken and no mute silences: their number, and since when the oldest is (milliseconds since the
 * epoch). `more`: there are others, which were not looked at. Null without any.
 */
export async function untakenAlerts(
  app: TimedApp,
  channel: string,
): Promise<{ amount: number; since: number; more: boolean } | null> {
  const { entries, next } = await app.store.index(openIn(channel)).range({ limit: mostRead });
  const begins = await Promise.all(entries.map(({ member }) => untakenSince(app, member, channel)));
  const untaken = begins.filter((at) => at !== null);
  return untaken.length === 0
    ? null
    : { amount: untaken.length, since: Math.min(...untaken), more: next !== undefined };
}

/** The ids of the alerts of a channel that were open when something last happened to them. */
export async function* openAlerts({ store }: StoreApp, channel: string): AsyncGenerator<string> {
  for await (const { member } of scanIndex(store.index(openIn(channel)))) yield member;
}

async function untakenSince(app: TimedApp, id: string, channel: string): Promise<number | null> {
  for (const event of await noteOpen(app, id, channel))
    if (await isUnattended(app, channel, event, id)) return event.at;
  return null;
}
