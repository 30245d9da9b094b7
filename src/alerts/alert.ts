import * as z from "#zod";
import { alertLane, alertTimer } from "../messages/outbox.ts";
import { markUnposted } from "../messages/postman.ts";
import type { Subject } from "../policy/responsibility/responsibility.ts";
import { Reached } from "../policy/responsibility/steps.ts";
import { RuleStep } from "../policy/rule.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import type { LoggedEvent } from "./events.ts";

const day = 24 * 60 * 60_000;
const month = 30 * day;

/** The kind of its messages in the outbox, and the slot of the alert itself, beside its replies and its history. */
export const alertSubject = "alert";
export const alertSlot = "alert";
/** The action id of the button *Take* or *Release* of an alert. */
export const takeAlertAction = "alert:take";

/** The action id of the button *Brief me* of an alert. */
export const briefAction = "alert:brief";

/** The people whom an event notifies, and the steps that follow. */
const AlertCall = z.object({
  /** In mrkdwn. */
  to: z.string(),
  reached: Reached,
  later: z.array(RuleStep),
});
export type AlertCall = z.infer<typeof AlertCall>;

const AlertEvent = z.object({
  id: z.string(),
  /** It gets a reply of its own: Slack notifies nobody of an edit. */
  loud: z.boolean(),
  /** It waits for somebody in this alert, or in a newer one of the channel; "no": it is well, or a member's own act led to it. */
  waits: z.enum(["here", "newer", "no"]),
  /** Until when a mute kept it from notifying anybody (milliseconds since the epoch); null where none did. */
  mutedUntil: z.number().nullable(),
  /** The member who requested it through Rackbell, in mrkdwn; null where the channel may not know them. */
  askedBy: z.string().nullable(),
  /** Mentions that are posted with it, in mrkdwn. */
  mention: z.string().nullable(),
  /** The same as people; null where nobody is mentioned. */
  call: AlertCall.nullable(),
  /** The number of events under it (`unmentionedUnder`), once no more can come. */
  unmentioned: z.number(),
});
export type AlertEvent = z.infer<typeof AlertEvent>;

/** A mention that was owed: the events that were still as bad when the pause of a subscription was over, each with its alert, and the number of others. */
const LateMention = z.object({
  subscription: z.string(),
  mention: z.string(),
  call: AlertCall.nullable(),
  at: z.number(),
  events: z.array(z.object({ id: z.string(), alert: z.string() })),
  others: z.number(),
});
type LateMention = z.infer<typeof LateMention>;

/** A message in a channel about one order, or one other resource, and the events of a day that it shows. */
const Alert = z.object({
  channel: z.string(),
  startedAt: z.number(),
  events: z.array(AlertEvent),
  /** In their order, each a message of its own. */
  lateMentions: z.array(LateMention),
});
export type Alert = z.infer<typeof Alert>;

const CurrentAlert = z.object({ alert: z.string() });

const alerts = defineKind({ name: "alert", namespace: "alerts", schema: Alert, ttlMs: month });
const currentAlerts = defineKind({
  name: "current alert",
  namespace: "current-alerts",
  schema: CurrentAlert,
  ttlMs: day,
});

export function readAlert({ store }: StoreApp, id: string): Promise<Alert | undefined> {
  return store.keyv(alerts).get(id);
}

/** Has the outbox post the alert, or edit it. */
export function queueAlert({ store, clock }: TimedApp, id: string): Promise<void> {
  return store.timers.set(alertTimer(alertSubject, id), clock.now());
}

/** The current alert there, if it is at most a day old: an older one has scrolled away. */
async function findCurrent({ store }: StoreApp, place: string, at: number): Promise<string | null> {
  const id = (await store.keyv(currentAlerts).get(place))?.alert;
  const alert = id === undefined ? undefined : await readAlert({ store }, id);
  return id !== undefined && alert && alert.startedAt > at - day ? id : null;
}

/**
 * Adds the event to the current alert of the first of its keys that has one in that channel. `begun`: the alert begins with this event.
 * Null where no alert exists and `starts` is false. `forceNew` begins a new one: Slack notifies nobody of an edit, and a channel without
 * replies gets a loud event by a new message alone.
 */
export async function addToAlert(
  { store }: StoreApp,
  event: LoggedEvent,
  to: { channel: string; alertKeys: string[]; starts: boolean; entry: AlertEvent; forceNew?: boolean },
): Promise<{ id: string; begun: boolean } | null> {
  const { channel, alertKeys, starts, entry, forceNew = false } = to;
  const places = alertKeys.map((alertKey) => `${channel}:${alertKey}`);
  const currentIds = await Promise.all(
    places.map((place) => (forceNew ? null : findCurrent({ store }, place, event.at))),
  );
  const currentId = currentIds.find((id) => id !== null) ?? null;
  if (currentId === null && !starts) return null;
  const id = currentId ?? `${places[0]}:${event.id}`;
  // Store the alert before the pointer to it: after a crash in between, the same event makes the same alert again.
  let isNew = false;
  const alert = await update(store, alerts, id, (before) => {
    isNew = before === undefined;
    const { events, ...alert } = before ?? { channel, startedAt: event.at, events: [], lateMentions: [] };
    const changed = withEntry(events, entry);
    return changed && { ...alert, events: changed };
  });
  // Nothing can have been posted about a new alert.
  if (isNew) markUnposted(store, alertSubject, id);
  const current = store.keyv(currentAlerts);
  for (const [at, place] of places.entries()) if (currentIds[at] === null) await current.set(place, { alert: id });
  return { id, begun: alert?.events[0]?.id === entry.id };
}

/** Adds the event silently to an alert that shows its resource. */
export async function joinAlert({ store }: StoreApp, id: string, entry: AlertEvent): Promise<void> {
  await update(store, alerts, id, (before) => {
    const events = before && withEntry(before.events, entry);
    return before && events && { ...before, events };
  });
}

/** The events with this one; undefined where they have it. Of one that is there, the end of a mute makes it loud, and a newer alert takes it over. */
function withEntry(events: readonly AlertEvent[], entry: AlertEvent): AlertEvent[] | undefined {
  const known = events.find(({ id }) => id === entry.id);
  if (!known) return [...events, entry];
  const next =
    entry.loud && !known.loud ? entry : { ...known, waits: entry.waits === "newer" ? entry.waits : known.waits };
  return next === entry || next.waits !== known.waits ? events.map((one) => (one === known ? next : one)) : undefined;
}

/** The index of the events that mention nobody, since the mention of this event was so recent. Its message counts them. */
export function unmentionedUnder(alert: string, event: string): string {
  return `unmentioned:${alert}:${event}`;
}

/** Keeps the number of an event's unmentioned ones in its alert, in place of their index. */
export async function settleUnmentioned(app: TimedApp, id: string, event: string): Promise<void> {
  const name = unmentionedUnder(id, event);
  const unmentioned = await app.store.index(name).size();
  await update(app.store, alerts, id, (alert) =>
    alert?.events.some((one) => one.id === event && one.unmentioned < unmentioned)
      ? { ...alert, events: alert.events.map((one) => (one.id === event ? { ...one, unmentioned } : one)) }
      : undefined,
  );
  await emptyIndex(app, name);
}

/** Entries of an index that one transaction removes. */
const mostAtOnce = 500;

/** Removes the members of an index, or those with a score of at most `to`. */
export async function emptyIndex({ store }: StoreApp, name: string, to?: number): Promise<void> {
  for (;;) {
    const { entries } = await store.index(name).range({ limit: mostAtOnce, ...(to === undefined ? {} : { to }) });
    if (entries.length === 0) return;
    await store.transact({ records: [], index: entries.map(({ member }) => ({ name, member, score: null })) });
  }
}

export async function removeFromIndex({ store }: StoreApp, name: string, members: readonly string[]): Promise<void> {
  for (let at = 0; at < members.length; at += mostAtOnce) {
    const some = members.slice(at, at + mostAtOnce);
    await store.transact({ records: [], index: some.map((member) => ({ name, member, score: null })) });
  }
}

/** Stores a mention that was owed, once for its newest event, and has the outbox post it. */
export async function addLateMention(app: TimedApp, id: string, late: LateMention): Promise<void> {
  await update(app.store, alerts, id, (alert) => {
    const isKnown = (one: LateMention) =>
      one.mention === late.mention && one.events.at(-1)?.id === late.events.at(-1)?.id;
    return alert && !alert.lateMentions.some(isKnown)
      ? { ...alert, lateMentions: [...alert.lateMentions, late] }
      : undefined;
  });
  await queueAlert(app, id);
}

/** The alert as its responsibility. */
export function responsibilityOf(id: string): Subject {
  return { kind: alertSubject, id };
}

/** How many alerts and digests are queued for Slack. */
export async function countQueued({ store }: StoreApp): Promise<number> {
  const lane = (await store.timers.backlog()).find((one) => one.lane === alertLane);
  return lane === undefined ? 0 : lane.due + lane.failing;
}
