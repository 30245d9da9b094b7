import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";
import { type KeptEvent, namesOf } from "./event-log.ts";
import { isMissing } from "./latest.ts";
import type { ProductNames } from "./products.ts";

/** Which events a channel is told of. An empty list of what is included stands for everything. */
export const Filter = z.object({
  /** Names of events, or their beginning with a star: "service.*". */
  events: z.array(z.string()),
  notEvents: z.array(z.string()),
  /** Customers, orders and services, by any of their names. */
  about: z.array(z.string()),
  notAbout: z.array(z.string()),
  /** Names of products, or their beginning with a star: "VPS *". */
  products: z.array(z.string()).default([]),
  notProducts: z.array(z.string()).default([]),
});
export type Filter = z.infer<typeof Filter>;

const Subscription = Filter.extend({
  id: z.string(),
  channel: z.string(),
  /** Who set it. */
  by: z.string(),
  /** Who is mentioned with a failure, a suspension or an end, in mrkdwn; null: nobody. */
  mention: z.string().nullable().default(null),
});
export type Subscription = z.infer<typeof Subscription>;

const Mute = z.object({
  /** Null: every channel. */
  channel: z.string().nullable(),
  /** A customer, an order or a service; null: whatever it is about. */
  about: z.string().nullable(),
  /** Milliseconds since the epoch. */
  until: z.number(),
  by: z.string(),
});
export type Mute = z.infer<typeof Mute>;

/** How a channel is told: by a card with its history in the thread; by one card alone; by a digest at chosen hours. */
export const modes = ["thread", "card", "digest"] as const;

const Manner = z.object({
  channel: z.string(),
  mode: z.enum(modes),
  /** The hours of a digest, 0 to 23, in that time zone. */
  hours: z.array(z.number()),
  zone: z.string(),
});
export type Manner = z.infer<typeof Manner>;

const Routing = z.object({
  subscriptions: z.array(Subscription),
  mutes: z.array(Mute),
  /** Of the channels that are not told in the usual way. */
  manners: z.array(Manner).default([]),
});
export type Routing = z.infer<typeof Routing>;

const unset: Routing = { subscriptions: [], mutes: [], manners: [] };
const key = "workspace";

/** Who is told of what: set by admins, for the whole workspace. */
export interface Subscriptions {
  read(): Promise<Routing>;
  /** Of two changes at once neither undoes the other. */
  change(change: (routing: Routing) => Routing): Promise<Routing>;
}

export function createSubscriptions({ store, log }: { store: Store; log: Logger }): Subscriptions {
  const records = createRecords(store.values("alerts"), { name: "alert routing", schema: Routing, version: 1, log });
  return {
    read: async () => (await records.get(key)) ?? unset,
    change: async (change) => (await records.update(key, (before) => change(before ?? unset))) ?? unset,
  };
}

export function newSubscription(filter: Filter, set: Pick<Subscription, "channel" | "by" | "mention">): Subscription {
  return { ...filter, ...set, id: randomUUID().slice(0, 8) };
}

/** How the channel is told: by a card and its thread, unless something else was set. */
export function mannerOf({ manners }: Routing, channel: string): Manner {
  return manners.find((one) => one.channel === channel) ?? { channel, mode: "thread", hours: [], zone: "UTC" };
}

/** Milliseconds since the epoch at which the next of these hours begins in that time zone, after `now`. */
export function nextHour({ hours, zone }: Pick<Manner, "hours" | "zone">, now: number): number {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
  const wanted = new Set(hours.map((hour) => `${String(hour).padStart(2, "0")}:00`));
  // Zones differ by quarters of an hour, and an hour that a clock change leaves out comes on the day after.
  const quarter = 15 * 60_000;
  for (let at = (Math.floor(now / quarter) + 1) * quarter; at < now + 3 * 24 * 4 * quarter; at += quarter)
    if (wanted.has(clock.format(at))) return at;
  return now + 24 * 4 * quarter;
}

/** Whether the event is one that the filter lets through: named by what is included, and by nothing that is excluded. */
export function lets(filter: Filter, { event, data }: KeptEvent, known: ProductNames): boolean {
  const { events, notEvents, about, notAbout } = filter;
  if (!letsProducts(filter, known)) return false;
  const names = new Set(namesOf(data).map((name) => name.toLowerCase()));
  const isCalled = (word: string) => names.has(word.toLowerCase());
  if (notAbout.some(isCalled) || (about.length > 0 && !about.some(isCalled))) return false;
  const isIn = (words: string[], name: string) => words.some((word) => fits(word, name));
  if (isIn(notEvents, event)) return false;
  // Whoever is told of an event is told that it is missing.
  const meant = isMissing(event) ? (data.expected ?? []) : [event];
  const wanted = (name: string) => !isIn(notEvents, name) && (events.length === 0 || isIn(events, name));
  return isIn(events, event) || meant.some(wanted);
}

/** Whether it looks at products at all. */
export function asksProduct({ products, notProducts }: Filter): boolean {
  return products.length > 0 || notProducts.length > 0;
}

/** An order of several products is left out where each of them is. */
function letsProducts({ products, notProducts }: Filter, known: ProductNames): boolean {
  // What nobody knows rings: one alert too many is better than one that is missed.
  if (known === null) return true;
  const isIn = (words: string[], name: string) => words.some((word) => fits(word, name.toLowerCase()));
  if (known.length > 0 && known.every((name) => isIn(notProducts, name))) return false;
  return products.length === 0 || known.some((name) => isIn(products, name));
}

function fits(word: string, event: string): boolean {
  const wanted = word.toLowerCase();
  return wanted.endsWith("*") ? event.startsWith(wanted.slice(0, -1)) : event === wanted;
}

/** Whether somebody has silenced it in this channel for the time being. */
export function isMuted(mutes: Mute[], channel: string, { data, at }: KeptEvent): boolean {
  const names = new Set(namesOf(data).map((name) => name.toLowerCase()));
  return mutes.some(
    (mute) =>
      mute.until > at &&
      (mute.channel === null || mute.channel === channel) &&
      (mute.about === null || names.has(mute.about.toLowerCase())),
  );
}
