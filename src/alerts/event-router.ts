import type { Mute } from "../policy/maintenance-windows/mute.ts";
import type { AlertStore } from "./alert.ts";
import type { Cause } from "./causes.ts";
import type { Digests } from "./digest.ts";
import { type EventLog, type LoggedEvent, namesOf } from "./event-log.ts";
import { isDue, isLoud, isMissing, isWorthAlerting, partOf } from "./latest.ts";
import type { ChannelOutcome, EventOutcome } from "./outcomes.ts";
import type { ProductNames, Products } from "./products.ts";
import {
  channelModeOf,
  filtersByProduct,
  isMuted,
  passesFilter,
  type Routing,
  type Subscriptions,
} from "./subscriptions.ts";

/** How many earlier events about the service are searched for the same one found by polling. */
const eventsSearched = 20;

/** Reads which resources maintenance windows mute. `at`: milliseconds since the epoch. */
export interface MutingWindows {
  mutes(at: number, names: readonly string[]): Promise<Mute[]>;
}

/** Puts an event into the alerts and digests of its channels, and returns the outcome for each. Running it again changes nothing. */
export type RouteEvent = (
  event: LoggedEvent,
  cause: Cause | null,
) => Promise<Pick<EventOutcome, "repeat" | "channels">>;

export function createEventRouter({
  windows,
  events,
  subscriptions,
  alertStore,
  digests,
  products,
  askerIn,
  queueAlert,
}: {
  windows: MutingWindows;
  events: Pick<EventLog, "newest">;
  subscriptions: Pick<Subscriptions, "read">;
  alertStore: AlertStore;
  digests: Pick<Digests, "add">;
  products: Pick<Products, "find">;
  /** The request's requester, where everybody in the channel may know them; null otherwise. */
  askerIn: (request: string, channel: string) => Promise<string | null>;
  queueAlert: (alertId: string) => Promise<void>;
}): RouteEvent {
  /** True where polling found the same before the supplier's event arrived: a resold service is in the own account as well. */
  async function isRepeat(event: LoggedEvent): Promise<boolean> {
    const about = event.data.serviceId;
    if (!about || event.source !== "told") return false;
    const before = await events.newest({ about, before: event.id, limit: eventsSearched });
    const last = before.find((one) => partOf(one) === partOf(event));
    return last !== undefined && last.source !== "told" && last.event === event.event;
  }

  /** The outcome for one channel; null where the channel gets nothing. */
  async function routeTo(
    channel: string,
    event: LoggedEvent,
    how: {
      routing: Routing;
      alertKeys: string[];
      cause: Cause | null;
      isAlertable: boolean;
      productNames: ProductNames;
    },
  ): Promise<ChannelOutcome | null> {
    const { routing, alertKeys, cause, isAlertable, productNames } = how;
    const through = routing.subscriptions.filter(
      (one) => one.channel === channel && passesFilter(one, event, productNames),
    );
    const isSubscribed = isAlertable && through.length > 0;
    const muted = isSubscribed && isMuted(routing.mutes, channel, event);
    const notifies = isSubscribed && !muted;
    const loud = notifies && !cause?.expected && isLoud(event);
    const mentions = loud ? through.flatMap(({ mention }) => mention ?? []) : [];
    const request = cause?.request.id ?? event.request;
    const entry = {
      ...{ id: event.id, loud, askedBy: request === null ? null : await askerIn(request, channel) },
      mention: [...new Set(mentions)].join(" ") || null,
    };
    const { mode } = channelModeOf(routing, channel);
    if (mode === "digest") {
      if (muted) return { channel, as: "muted", card: null };
      if (!notifies || cause?.expected) return null;
      await digests.add(channel, event, entry);
      return { channel, as: "digest", card: null };
    }
    const added = await alertStore.add(event, {
      ...{ channel, alertKeys, entry },
      starts: notifies && starts(event, channel, cause),
      forceNew: loud && mode === "card",
    });
    if (added !== null) await queueAlert(added.id);
    if (muted) return { channel, as: "muted", card: added?.id ?? null };
    return added && { channel, as: added.begun || loud ? "rang" : "shown", card: added.id };
  }

  return async (event, cause) => {
    const alertKeys = alertKeysOf(event);
    const stored = await subscriptions.read();
    const routing = { ...stored, mutes: [...stored.mutes, ...(await windows.mutes(event.at, namesOf(event.data)))] };
    if (alertKeys.length === 0 || routing.subscriptions.length === 0) return { repeat: false, channels: [] };
    const repeat = event.askedBy === null && (await isRepeat(event));
    const isAlertable = isWorthAlerting(event) && !repeat;
    // Reading a product costs a call of the monitoring key, so read only where a filter names products.
    const productNames = routing.subscriptions.some(filtersByProduct) ? await products.find(event) : null;
    const channels: ChannelOutcome[] = [];
    for (const channel of new Set(routing.subscriptions.map((one) => one.channel))) {
      if (channel === event.data.saidIn) continue;
      const outcome = await routeTo(channel, event, { routing, alertKeys, cause, isAlertable, productNames });
      if (outcome) channels.push(outcome);
    }
    return { repeat, channels };
  };
}

/**
 * True where the event may begin an alert in the channel. An expected outcome is shown by the request's own message.
 * A new order or service still gets an alert in channels that do not have that message.
 */
function starts({ event }: LoggedEvent, channel: string, cause: Cause | null): boolean {
  if (!cause?.expected) return true;
  return (event.startsWith("order.") || event === "service.provisioned") && cause.request.channel !== channel;
}

/**
 * The keys of the alert that an event belongs to, the preferred one first. One alert shows an order with all its services,
 * a service without an order, a document, an image, or the renewals of one day.
 */
function alertKeysOf({ event, data }: LoggedEvent): string[] {
  if (data.documentId) return [`document:${data.documentId}`];
  if (data.imageId) return [`image:${data.imageId}`];
  if (data.serviceId && isDue(event)) return [`renewals:${data.dueAt?.slice(0, 10)}`];
  // After a timeout nobody may know whether the order exists, so only the request's id identifies it.
  if (isMissing(event) && !data.serviceId && !data.orderId) return [`asked:${data.externalOrderId}`];
  return [
    ...(data.orderId ? [`order:${data.orderId}`] : []),
    // Events that name only the service belong to the alert of its order, which is found by this key.
    ...(data.serviceId ? [`service:${data.serviceId}`] : []),
  ];
}
