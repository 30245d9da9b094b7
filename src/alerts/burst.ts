import * as z from "#zod";
import { alertTimer, type Notification, type NotificationSource } from "../messages/outbox.ts";
import { readResponsibility } from "../policy/responsibility/responsibility.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import { update } from "../storage/update.ts";
import { actions, button, type Message, paragraphs, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { count } from "../views/text.ts";
import { type Alert, queueAlert, readAlert, responsibilityOf } from "./alert.ts";
import type { AlertsApp } from "./app.ts";
import { readEvent } from "./event-log.ts";
import { eventsWords, isUrgent, type LoggedEvent, presentEvents } from "./events.ts";
import { locationNames, locationWords } from "./locations.ts";
import { channelAccepted, channelRefused } from "./notices.ts";
import { storedLocation } from "./products.ts";
import { eventLine, sourceMark } from "./view.ts";

// From the sixth alert of a channel in a minute on, one message names them: the alerts are held, and each is posted when somebody opens it, when
// it has somebody to mention, or when it fails later. An index has them, so that ten thousand cost a row each, and no growing record.

const minute = 60_000;
const month = 30 * 24 * 60 * minute;
/** So many alerts of one minute are messages of their own. */
const mostAlone = 5;
/** Kinds and locations that are counted apart; further locations are counted as not known. */
const mostKinds = 100;
/** So many alerts are named in the message. */
const mostNamed = 20;

/** The outbox kind of the messages that name several alerts. */
export const burstSubject = "alert-burst";
/** The action ids of its buttons: all alerts, and one of them as a message of its own. */
export const showBurstAction = "alert:burst";
export const openHeldAction = "alert:open";

const Kind = z.object({ event: z.string(), location: z.string().nullable() });
type Kind = z.infer<typeof Kind>;

const Burst = z.object({
  channel: z.string(),
  startedAt: z.number(),
  /** When the last alert joined it. */
  lastAt: z.number(),
  /** The kinds of the events that its alerts show, or showed before, each with the location of its resource; null where none is known. */
  kinds: z.array(Kind),
});
export type Burst = z.infer<typeof Burst>;

const bursts = defineKind({ name: "burst of alerts", namespace: "alert-bursts", schema: Burst, ttlMs: month });
const currentBursts = defineKind({
  name: "current burst of a channel",
  namespace: "current-alert-bursts",
  schema: z.object({ burst: z.string() }),
  ttlMs: minute * 10,
});
const held = defineKind({
  name: "held alert",
  namespace: "held-alerts",
  schema: z.object({ burst: z.string(), opened: z.boolean() }),
  ttlMs: month,
});

const begunIn = (channel: string) => `alerts-begun:${channel}`;
const alertsOf = (burst: string) => `burst:${burst}`;
/** The messages that named the alert before it failed, each with the time of the failure. */
const namedBefore = (alert: string) => `named-before:${alert}`;
const alertsBy = (burst: string, { event, location }: Kind) => `burst:${burst}:${JSON.stringify([event, location])}`;

/** An alert to which an event was added. */
interface AddedAlert {
  id: string;
  channel: string;
  mentions: boolean;
}

/**
 * Counts an alert that an event began, and holds it if the channel had five others within a minute. Running it again for the same event gives
 * the same. An alert that mentions somebody is never held.
 */
export async function holdInBurst(app: TimedApp, alert: AddedAlert, logged: LoggedEvent): Promise<void> {
  const isAlone = await countsAlone(app, alert, logged.at);
  if (alert.mentions || isAlone) return;
  const { store } = app;
  const { id, channel } = alert;
  const burst = (await store.keyv(held).get(id))?.burst ?? (await burstAt(app, channel, logged.at)) ?? id;
  await join(app, burst, alert, logged);
  // Last: an alert without its place in the message would be forgotten.
  await update(store, held, id, (before) => (before ? undefined : { burst, opened: false }));
}

/** Counts the alert among those of its channel. True if fewer than five others are messages, or named in one, since a minute before. */
async function countsAlone({ store }: StoreApp, { id, channel }: AddedAlert, at: number): Promise<boolean> {
  const name = begunIn(channel);
  const over = await store.index(name).range({ to: at - minute });
  await store.transact({
    records: [],
    index: [{ name, member: id, score: at }, ...over.entries.map(({ member }) => ({ name, member, score: null }))],
  });
  const recent = await store.index(name).range({ from: at - minute + 1, to: at, limit: mostAlone + 1 });
  return recent.entries.filter(({ member }) => member !== id).length < mostAlone;
}

/** Names the alert in the message of the burst, which goes on in the channel from then. */
async function join(app: TimedApp, burst: string, { id, channel }: AddedAlert, logged: LoggedEvent): Promise<void> {
  const { store } = app;
  const { at } = logged;
  await update(store, bursts, burst, (before) => {
    const { startedAt = at, lastAt = at, kinds = [] } = before ?? {};
    return { channel, startedAt, lastAt: Math.max(lastAt, at), kinds };
  });
  await countIn(app, burst, id, logged);
  await store.keyv(currentBursts).set(channel, { burst });
  await store.transact({
    records: [],
    index: [{ name: alertsOf(burst), member: id, score: at }],
    timers: [{ id: alertTimer(burstSubject, burst), at: app.clock.now() }],
  });
}

/** Counts the alert under the kind of its present event, and under no other. */
async function countIn(app: StoreApp, burst: string, id: string, present: LoggedEvent): Promise<void> {
  const { store } = app;
  const { event, at } = present;
  const read = await storedLocation(app, present);
  const isOf = (location: string | null) => (kind: Kind) => kind.event === event && kind.location === location;
  const stored = await update(store, bursts, burst, (before) => {
    if (!before) return undefined;
    const { kinds } = before;
    // The record must not grow with the storm.
    const location = kinds.some(isOf(read)) || kinds.length < mostKinds ? read : null;
    return kinds.some(isOf(location)) ? undefined : { ...before, kinds: [...kinds, { event, location }] };
  });
  const kinds = stored?.kinds ?? [];
  const own = isOf(kinds.some(isOf(read)) ? read : null);
  const index = kinds.map((kind) => ({ name: alertsBy(burst, kind), member: id, score: own(kind) ? at : null }));
  await store.transact({ records: [], index });
}

/** The burst that goes on in the channel; undefined if there is none. */
async function burstAt({ store }: StoreApp, channel: string, at: number): Promise<string | undefined> {
  const id = (await store.keyv(currentBursts).get(channel))?.burst;
  return id !== undefined && (await goesOn({ store }, id, at)) ? id : undefined;
}

async function goesOn(app: StoreApp, burst: string, at: number): Promise<boolean> {
  const found = await readBurst(app, burst);
  return found !== undefined && at - found.lastAt < minute;
}

/** Has the messages that name a held alert show its present state, and posts a failure as a new message: Slack notifies nobody of an edit. */
export async function updateHeld(
  app: TimedApp,
  alert: AddedAlert & { loud: boolean },
  logged: LoggedEvent,
): Promise<void> {
  const { store, clock } = app;
  const { id } = alert;
  const found = await store.keyv(held).get(id);
  if (!found) return;
  if (alert.loud && !alert.mentions && !found.opened) await postFailure(app, alert, logged, found.burst);
  const present = presentEvent(await eventsOf(app, id));
  const before = await store.index(namedBefore(id)).range();
  const named = new Set([...before.entries.map(({ member }) => member), (await store.keyv(held).get(id))?.burst]);
  for (const burst of named) {
    if (burst === undefined) continue;
    if (present) await countIn(app, burst, id, present);
    await store.timers.set(alertTimer(burstSubject, burst), clock.now());
  }
}

/**
 * Opens a held alert that fails after its beginning. Of more than five in a minute, one further message names the others, so that a storm in
 * held alerts posts no message for each. Running it again for the same event gives the same.
 */
async function postFailure(app: TimedApp, alert: AddedAlert, logged: LoggedEvent, burst: string): Promise<void> {
  const { store } = app;
  const { id, channel } = alert;
  const { at } = logged;
  const before = await store.index(namedBefore(id)).range();
  if (before.entries.some(({ score }) => score === at)) return;
  // The message of this minute has notified people of the alert's failure: an order fails right after its service.
  const others = (await readAlert(app, id))?.events.filter(({ id: event }) => event !== logged.id) ?? [];
  if (others.some(({ loud }) => loud) && (await goesOn(app, burst, at))) return;
  if (await countsAlone(app, alert, at)) {
    await openHeld(app, id);
    return;
  }
  const current = await burstAt(app, channel, at);
  const next = current === undefined || current === burst ? `${id}:${logged.id}` : current;
  await join(app, next, alert, logged);
  // In one step: a crash in between would have the same event name it in a third message.
  for (;;) {
    const stored = await store.read(held, id);
    if (!stored.value) return;
    const records = [replacing(stored, { ...stored.value, burst: next })];
    if (await store.transact({ records, index: [{ name: namedBefore(id), member: burst, score: at }] })) return;
  }
}

/** True while the alert has no message of its own. Whatever notifies somebody of it posts it: nobody may be mentioned in vain. */
export async function isHeld({ store }: StoreApp, id: string, { events, lateMentions }: Alert): Promise<boolean> {
  const found = await store.keyv(held).get(id);
  if (!found || found.opened) return false;
  if (lateMentions.length > 0 || events.some(({ mention, call }) => mention !== null || call !== null)) return false;
  const { steps, takenBy } = await readResponsibility({ store }, responsibilityOf(id));
  return steps.length === 0 && takenBy === null;
}

/** Posts a held alert as a message of its own. False where it is no longer known. */
export async function openHeld(app: TimedApp, id: string): Promise<boolean> {
  if (!(await readAlert(app, id))) return false;
  await update(app.store, held, id, (before) => (before && !before.opened ? { ...before, opened: true } : undefined));
  await queueAlert(app, id);
  return true;
}

export function readBurst({ store }: StoreApp, id: string): Promise<Burst | undefined> {
  return store.keyv(bursts).get(id);
}

/** A page of its alerts, oldest first, each in a line with its present state. */
export async function burstPage(
  app: StoreApp,
  id: string,
  after?: string,
): Promise<{ alerts: { id: string; line: string }[]; next: string | undefined; total: number }> {
  const index = app.store.index(alertsOf(id));
  const [{ entries, next }, total] = await Promise.all([index.range({ after, limit: mostNamed }), index.size()]);
  const alerts = await Promise.all(
    entries.map(async ({ member }) => ({ id: member, line: await lineOf(app, member) })),
  );
  return { alerts, next, total };
}

async function lineOf(app: StoreApp, id: string): Promise<string> {
  const present = presentEvent(await eventsOf(app, id));
  return present
    ? `${moment(present.at)} ${eventLine(present)}${sourceMark(present)}`
    : "Nothing is known of this any more.";
}

async function eventsOf(app: StoreApp, id: string): Promise<LoggedEvent[]> {
  const alert = await readAlert(app, id);
  const read = await Promise.all((alert?.events ?? []).map((one) => readEvent(app, one.id)));
  return read.filter((event) => event !== null);
}

/** The event by which one line says how the alert is: what is not over yet, before all else. */
function presentEvent(events: LoggedEvent[]): LoggedEvent | undefined {
  const latest = presentEvents(events);
  return latest.findLast(isUrgent) ?? latest.at(-1);
}

export function burstMessages(app: AlertsApp): NotificationSource {
  return {
    async notifications(id) {
      const burst = await readBurst(app, id);
      if (!burst) return null;
      const { channel, startedAt: since } = burst;
      const to = { in: "channel", channel, otherwise: null, lasting: true } as const;
      const message = await burstMessage(app, id, burst);
      return [{ slot: "burst", to, message, priority: "alert", since } satisfies Notification];
    },
    async unplaced(id, _slot, reason) {
      const burst = await readBurst(app, id);
      if (!burst) return;
      const { channel, startedAt: since } = burst;
      const message = { channel, since, noun: "a message that counts alerts", slot: "burst", reason };
      await channelRefused(app, { kind: burstSubject, id }, message);
    },
    async placed(id) {
      const burst = await readBurst(app, id);
      if (burst) await channelAccepted(app, { kind: burstSubject, id }, burst.channel);
    },
  };
}

async function burstMessage(app: StoreApp, id: string, { startedAt, kinds }: Burst): Promise<Message> {
  const { alerts, total } = await burstPage(app, id);
  const counted = await Promise.all(
    kinds.map(async (kind) => ({ ...kind, amount: await app.store.index(alertsBy(id, kind)).size() })),
  );
  const nameOf = await locationNames(app);
  const present = counted.filter(({ amount }) => amount > 0);
  const words = [...Map.groupBy(present, ({ event }) => event)].map(([event, all]) => {
    const amount = all.reduce((sum, one) => sum + one.amount, 0);
    const { inside, after } = locationWords(all, nameOf);
    return `${eventsWords(event, amount, inside)}${after}`;
  });
  const begun = `:rotating_light: ${count(total, "more alert")} since ${moment(startedAt)}`;
  const text = `${begun}${words.length === 1 ? ":" : "."} ${words.join(". ")}.`;
  const left = total - alerts.length;
  const more = left > 0 ? [`And ${left.toLocaleString("en")} more.`] : [];
  return {
    text,
    blocks: [
      section(`*${text}*`),
      ...paragraphs([...alerts.map(({ line }) => line), ...more]),
      ...actions([button("Show all…", showBurstAction, id)], "burst"),
    ],
  };
}
