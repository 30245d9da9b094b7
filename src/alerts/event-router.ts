import * as z from "#zod";
import { windowMutes } from "../policy/maintenance-windows/windows.ts";
import { responsibilityTimer } from "../policy/responsibility/responsibility.ts";
import { mentionWords } from "../policy/responsibility/steps.ts";
import type { StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import {
  type AlertCall,
  type AlertEvent,
  addToAlert,
  alertSlot,
  alertSubject,
  joinAlert,
  queueAlert,
  readAlert,
  responsibilityOf,
} from "./alert.ts";
import type { AlertsApp, Cause } from "./app.ts";
import { holdInBurst, updateHeld } from "./burst.ts";
import { addToDigest } from "./digest.ts";
import { searchTermsOf } from "./event-log.ts";
import {
  aspectOf,
  failedServices,
  isLoud,
  isOfOrder,
  isRenewal,
  isUnsettled,
  isWorthAlerting,
  type LoggedEvent,
  latestByAspect,
  onlyJoins,
  seemsLate,
} from "./events.ts";
import { noteMentions, oweMentions, pauseMs, takeMentions } from "./mentions.ts";
import { keepMuted } from "./muted-events.ts";
import { noteOpen } from "./open.ts";
import { newestAbout, unsettledBefore } from "./present.ts";
import { findProducts, type ProductNames } from "./products.ts";
import {
  channelModeOf,
  filtersByProduct,
  muteAmong,
  passesFilter,
  type Routing,
  readRouting,
  type Subscription,
} from "./subscriptions.ts";
import { undeliveredReason } from "./undelivered.ts";
import { callOf } from "./waiting.ts";

const month = 30 * 24 * 60 * 60_000;

/** The outcome for one channel. `posted`: a new message. `updated`: a silent edit of an alert. `digest`: a line in the next digest. `muted`: no notification. */
const ChannelOutcome = z.object({
  channel: z.string(),
  as: z.enum(["posted", "updated", "digest", "muted"]),
  /** The id of the alert that shows it. */
  alert: z.string().nullable(),
});
export type ChannelOutcome = z.infer<typeof ChannelOutcome>;

/** The outcome of an event for its request and its channels. */
const EventOutcome = z.object({
  /** The request that caused it, its requester, and whether the request expected it. */
  request: z.object({ id: z.string().nullable(), slackUser: z.string(), expected: z.boolean() }).nullable(),
  /** Polling had found and shown the same before. */
  repeat: z.boolean(),
  /** A channel that got nothing has no entry. */
  channels: z.array(ChannelOutcome),
});
export type EventOutcome = z.infer<typeof EventOutcome>;

const eventOutcomes = defineKind({
  name: "event's outcome",
  namespace: "event-outcomes",
  schema: EventOutcome,
  ttlMs: month,
  lasts: "system",
});

/**
 * Adds to the outcome of an event, which is stored for as long as the log keeps the event. "Muted" replaces nothing else: where the end of
 * the mute alerts the event while the feed is at it, the feed would hide that alert from the log and from the recovery.
 */
export async function noteOutcome(
  { store }: AlertsApp,
  event: string,
  { request, repeat, channels }: Partial<EventOutcome> & Pick<EventOutcome, "channels">,
): Promise<void> {
  await update(store, eventOutcomes, event, (before) => {
    const byChannel = new Map(before?.channels.map((one) => [one.channel, one]));
    for (const one of channels)
      if (one.as !== "muted" || (byChannel.get(one.channel)?.as ?? "muted") === "muted")
        byChannel.set(one.channel, one);
    return {
      request: request ?? before?.request ?? null,
      repeat: repeat ?? before?.repeat ?? false,
      channels: [...byChannel.values()],
    };
  });
}

/** The outcome of an event, and for each channel whether its alert was posted. */
export interface PostedOutcome extends Omit<EventOutcome, "channels"> {
  channels: (ChannelOutcome & {
    /** Its alert is in the channel. */
    posted: boolean;
    /** Why Slack did not accept the alert; null otherwise. */
    unplaced: string | null;
  })[];
}

/** Null where the event, named by its id, was not processed yet, or by a version that stored no outcomes. */
export async function readOutcome(app: AlertsApp, event: string): Promise<PostedOutcome | null> {
  const outcome = await app.store.keyv(eventOutcomes).get(event);
  return outcome
    ? { ...outcome, channels: await Promise.all(outcome.channels.map((one) => withPlace(app, one))) }
    : null;
}

async function withPlace(app: AlertsApp, outcome: ChannelOutcome): Promise<PostedOutcome["channels"][number]> {
  if (outcome.alert === null) return { ...outcome, posted: false, unplaced: null };
  const [unplaced, place] = await Promise.all([
    undeliveredReason(app, responsibilityOf(outcome.alert)),
    app.outbox.placeOf(alertSubject, outcome.alert, alertSlot),
  ]);
  return { ...outcome, posted: place !== null, unplaced };
}

/** Puts an event into the alerts and digests of its channels, and returns the outcome for each. `over`: it seemed late. Running it again changes nothing. */
export async function routeEvent(
  app: AlertsApp,
  event: LoggedEvent,
  cause: Cause | null,
): Promise<Pick<EventOutcome, "repeat" | "channels"> & { over: boolean }> {
  const alertKeys = alertKeysOf(event);
  const routing = await routingOf(app, event);
  const before = await newestAbout(app, event, event.id);
  const earlier = ofSameAspect(event, before);
  const repeat = event.askedBy === null && (await isRepeat(app, event, earlier));
  const over = seemsLate(event, before);
  if (routing.subscriptions.length === 0) return { repeat, over, channels: [] };
  const isAlertable = isWorthAlerting(event) && !repeat && !over;
  // Reading a product costs a call of the monitoring key, so read only where a filter names products.
  const productNames = routing.subscriptions.some(filtersByProduct) ? await findProducts(app, event) : null;
  const channels: ChannelOutcome[] = [];
  for (const channel of new Set(routing.subscriptions.map((one) => one.channel))) {
    if (channel === event.data.saidIn) continue;
    const outcome = await routeTo(app, channel, event, {
      routing,
      alertKeys,
      cause,
      isAlertable,
      productNames,
      earlier,
    });
    if (outcome) channels.push(outcome);
  }
  return { repeat, over, channels };
}

/**
 * Puts an event that a mute kept silent into the alerts of the channel, as one that comes now. Resolves to its outcome there, "muted" where a
 * new mute keeps it silent. Running it again changes nothing.
 */
export async function routeAfterMute(
  app: AlertsApp,
  channel: string,
  event: LoggedEvent,
): Promise<ChannelOutcome["as"] | null> {
  const mutedUntil = app.clock.now();
  const stored = await app.store.keyv(eventOutcomes).get(event.id);
  const late = { ...event, at: mutedUntil, request: event.request ?? stored?.request?.id ?? null };
  const routing = await routingOf(app, late);
  const productNames = routing.subscriptions.some(filtersByProduct) ? await findProducts(app, event) : null;
  const isAlertable = isWorthAlerting(event);
  const earlier = await earlierEvents(app, event);
  const how = { routing, alertKeys: alertKeysOf(event), cause: null, isAlertable, productNames, mutedUntil, earlier };
  const routed = await routeTo(app, channel, late, how);
  if (!routed) return null;
  const others = stored?.channels.filter((one) => one.channel !== channel) ?? [];
  await updateEarlier(app, late, { cause: null, channels: [...others, routed] });
  await noteOutcome(app, event.id, { channels: [routed] });
  return routed.as;
}

/** The routing at the time of the event, with the mutes of the maintenance windows. */
async function routingOf(app: AlertsApp, { at, data }: LoggedEvent): Promise<Routing> {
  const [routing, windows] = await Promise.all([readRouting(app), windowMutes(app, at, searchTermsOf(data))]);
  return { ...routing, mutes: [...routing.mutes, ...windows] };
}

/** The earlier events of the log on the same aspect of the same resource, the oldest first. */
async function earlierEvents(app: AlertsApp, event: LoggedEvent): Promise<LoggedEvent[]> {
  return ofSameAspect(event, await newestAbout(app, event, event.id));
}

function ofSameAspect(event: LoggedEvent, events: readonly LoggedEvent[]): LoggedEvent[] {
  return events.filter((one) => aspectOf(one) === aspectOf(event));
}

/** True where polling found the same before the supplier's event arrived: a resold service is in the own account as well. */
async function isRepeat(app: AlertsApp, event: LoggedEvent, earlier: readonly LoggedEvent[]): Promise<boolean> {
  if (event.source !== "webhook") return false;
  if (isFoundLast(event, earlier)) return true;
  // A failed order lists its services, and polling finds each of them.
  const listed = event.data.serviceId ? [] : failedServices(event.data);
  const each = listed.map(({ serviceId }) => ({ ...event, data: { ...event.data, serviceId } }));
  const found = await Promise.all(each.map(async (one) => isFoundLast(one, await earlierEvents(app, one))));
  return found.length > 0 && found.every(Boolean);
}

function isFoundLast({ event }: LoggedEvent, earlier: readonly LoggedEvent[]): boolean {
  const last = earlier.at(-1);
  return last !== undefined && last.source !== "webhook" && last.event === event;
}

/** True where another event of the log is the same: polling had found and shown it before, or it confirms a webhook. */
export async function wasRepeat({ store }: StoreApp, { id, source }: LoggedEvent): Promise<boolean> {
  if (source === "confirmed") return true;
  return source === "webhook" && (await store.keyv(eventOutcomes).get(id))?.repeat === true;
}

/**
 * True for a failure after a recovery from an earlier one: a reply in the thread of the old alert would reach nobody. `isOwed`: its mention
 * follows by itself, so that a failure soon after the last one is a reply.
 */
function needsNewMessage(event: LoggedEvent, earlier: readonly LoggedEvent[], isOwed: boolean): boolean {
  const [last] = latestByAspect([...earlier]);
  const failed = earlier.findLast(isLoud);
  if (last === undefined || isLoud(last) || !failed || latestByAspect([...earlier, event])[0] !== event) return false;
  return !isOwed || event.at - failed.at >= pauseMs;
}

/** How a channel takes an event. */
interface Taking {
  cause: Cause | null;
  /** The subscriptions whose filters the event passes; none of them where it is no alert. */
  through: Subscription[];
  muted: boolean;
  /** It notifies people, and no request expected it. */
  loud: boolean;
  /** It may begin an alert. */
  begins: boolean;
  /** Until when a mute kept it silent; null where none did. */
  mutedUntil: number | null;
}

/** The outcome for one channel; null where the channel gets nothing. */
async function routeTo(
  app: AlertsApp,
  channel: string,
  event: LoggedEvent,
  how: {
    routing: Routing;
    alertKeys: [string, ...string[]];
    cause: Cause | null;
    isAlertable: boolean;
    productNames: ProductNames;
    earlier: readonly LoggedEvent[];
    mutedUntil?: number;
  },
): Promise<ChannelOutcome | null> {
  const { routing, alertKeys, cause, isAlertable, productNames, earlier, mutedUntil = null } = how;
  const passed = routing.subscriptions.filter(
    (one) => one.channel === channel && passesFilter(one, event, productNames),
  );
  const through = isAlertable ? passed : [];
  const mute = through.length > 0 ? muteAmong(routing.mutes, channel, event) : null;
  if (mute && isUnsettled(event) && !cause?.expected) await keepMuted(app, channel, event, mute.until);
  const muted = mute !== null;
  const notifies = through.length > 0 && !muted;
  const loud = notifies && !cause?.expected && isLoud(event);
  const taking = { cause, through, muted, loud, begins: notifies && starts(event, channel, cause), mutedUntil };
  const { mode } = channelModeOf(routing, channel);
  if (mode === "digest") return routeToDigest(app, channel, event, taking);
  return routeToAlert(app, channel, event, { ...taking, alertKeys, isOneCardEach: mode === "card", earlier });
}

async function routeToDigest(
  app: AlertsApp,
  channel: string,
  event: LoggedEvent,
  taking: Taking,
): Promise<ChannelOutcome | null> {
  if (taking.muted) return { channel, as: "muted", alert: null };
  if (!taking.begins) return null;
  // A digest is one message, which mentions once.
  const mentionedBy = taking.loud ? taking.through.map(({ id }) => id) : [];
  const { askedBy } = await entryFor(app, channel, event, taking, null);
  await addToDigest(app, channel, event, { askedBy, mentionedBy });
  return { channel, as: "digest", alert: null };
}

async function routeToAlert(
  app: AlertsApp,
  channel: string,
  event: LoggedEvent,
  taking: Taking & {
    alertKeys: [string, ...string[]];
    isOneCardEach: boolean;
    earlier: readonly LoggedEvent[];
  },
): Promise<ChannelOutcome | null> {
  const { through, muted, loud, begins, alertKeys, isOneCardEach, earlier } = taking;
  const { takenBy, recent } = await takeMentions(app, loud ? through : [], event);
  const call = await callOf(
    app,
    channel,
    through.filter(({ id }) => takenBy.includes(id)),
  );
  const added = await addToAlert(app, event, {
    channel,
    alertKeys,
    entry: await entryFor(app, channel, event, taking, call),
    starts: begins,
    forceNew: loud && (isOneCardEach || needsNewMessage(event, earlier, takenBy.length === 0 && recent.length > 0)),
  });
  if (added !== null) {
    await showAdded(app, { ...added, channel, mentions: call !== null, loud }, event);
    if (hasSteps(added, { call, loud }))
      await app.store.timers.set(responsibilityTimer(responsibilityOf(added.id)), app.clock.now());
    await noteMentions(app, takenBy, event, added.id);
  }
  await oweMentions(app, event, added?.id ?? null, recent);
  if (muted) return { channel, as: "muted", alert: added?.id ?? null };
  return added && { channel, as: added.begun || loud ? "posted" : "updated", alert: added.id };
}

/**
 * Has the other alerts that show the resource as failed, or to be paid, show the event as well: one that is older than a day, or each card of
 * a channel without threads. Resolves with the outcome for each channel that had none.
 */
export async function updateEarlier(
  app: AlertsApp,
  event: LoggedEvent,
  { cause, channels }: { cause: Cause | null; channels: readonly ChannelOutcome[] },
): Promise<ChannelOutcome[]> {
  const stored = app.store.keyv(eventOutcomes);
  const outcomes = await Promise.all((await unsettledBefore(app, event)).map(({ id }) => stored.get(id)));
  const showing = new Set(outcomes.flatMap((outcome) => outcome?.channels.flatMap(({ alert }) => alert ?? []) ?? []));
  const updated = new Map<string, ChannelOutcome>();
  for (const id of showing) {
    const channel = (await readAlert(app, id))?.channel;
    if (channel === undefined || channel === event.data.saidIn) continue;
    const own = channels.find((one) => one.channel === channel);
    if (own?.alert === id) continue;
    const entry = await entryFor(app, channel, event, { cause, loud: false, mutedUntil: null }, null);
    await joinAlert(app, id, { ...entry, waits: own?.alert && entry.waits === "here" ? "newer" : entry.waits });
    await showAdded(app, { id, begun: false, channel, mentions: false, loud: false }, event);
    if (!own) updated.set(channel, { channel, as: "updated", alert: id });
  }
  return [...updated.values()];
}

/** Has the outbox show an event that was added to an alert, there or in the message about a burst. */
async function showAdded(
  app: AlertsApp,
  alert: { id: string; begun: boolean; channel: string; mentions: boolean; loud: boolean },
  event: LoggedEvent,
): Promise<void> {
  const { id, begun, channel, loud } = alert;
  if (begun) await holdInBurst(app, alert, event);
  else await updateHeld(app, alert, event);
  await queueAlert(app, id);
  // An alert that begins with what is no failure is not open.
  if (loud || !begun) await noteOpen(app, id, channel);
}

/** True if steps may follow the event: its own, or those of a failure soon before it in the same alert. */
function hasSteps({ begun }: { begun: boolean }, { call, loud }: { call: AlertCall | null; loud: boolean }): boolean {
  return call !== null || (loud && !begun);
}

/** The event as an alert or a digest of the channel stores it. */
async function entryFor(
  app: AlertsApp,
  channel: string,
  event: LoggedEvent,
  { cause, loud, mutedUntil }: Pick<Taking, "cause" | "loud" | "mutedUntil">,
  call: AlertCall | null,
): Promise<AlertEvent> {
  const request = cause?.request.id ?? event.request;
  return {
    id: event.id,
    loud,
    waits: isLoud(event) && isWorthAlerting(event) && !cause?.expected ? "here" : "no",
    mutedUntil,
    askedBy: request === null ? null : await app.requesterIn(request, channel),
    mention: call && mentionWords(call.reached),
    call,
    unmentioned: 0,
  };
}

/**
 * True where the event may begin an alert in the channel. An expected outcome is shown by the request's own message.
 * A new order or service still gets an alert in channels that do not have that message.
 */
function starts({ event }: LoggedEvent, channel: string, cause: Cause | null): boolean {
  if (onlyJoins(event)) return false;
  if (!cause?.expected) return true;
  return (isOfOrder(event) || event === "service.provisioned") && cause.request.channel !== channel;
}

/**
 * The keys of the alert that an event belongs to, the preferred one first. One alert shows an order with all its services,
 * a service without an order, a document, an image, or the renewals of one day.
 */
function alertKeysOf({ id, event, data }: LoggedEvent): [string, ...string[]] {
  if (data.documentId) return [`document:${data.documentId}`];
  if (data.imageId) return [`image:${data.imageId}`];
  if (data.serviceId && isRenewal(event)) return [`renewals:${data.dueAt?.slice(0, 10)}`];
  const order = data.orderId ? [`order:${data.orderId}`] : [];
  // Events that name only the service belong to the alert of its order, which is found by this key.
  const service = data.serviceId ? [`service:${data.serviceId}`] : [];
  const [first, ...others] = [...order, ...service];
  if (first) return [first, ...others];
  // After a timeout nobody may know whether the order exists, so only the request's id identifies it. An event without any readable id
  // still gets an alert: a malformed field must not hide a failure.
  return [data.externalOrderId ? `asked:${data.externalOrderId}` : `event:${id}`];
}
