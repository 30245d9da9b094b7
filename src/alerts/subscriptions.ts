import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { PeopleList } from "../members/people/people-list.ts";
import { peopleMention } from "../members/people/resolve-people.ts";
import type { OnCallApp } from "../members/people/rotations.ts";
import { Mute } from "../policy/maintenance-windows/windows.ts";
import { RuleStep } from "../policy/rule.ts";
import type { StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { namesByService } from "./event-log.ts";
import { isMissingEvent, type LoggedEvent } from "./events.ts";
import type { ProductNames } from "./products.ts";

/** Selects the events that a channel gets. An empty list of included events, names or products includes all. */
export const Filter = z.object({
  /** Names of events, or a beginning and a star: "service.*". */
  events: z.array(z.string()),
  notEvents: z.array(z.string()),
  /** Customers, orders and services, by any of their names or ids. */
  about: z.array(z.string()),
  notAbout: z.array(z.string()),
  /** Names of products, or a beginning and a star: "VPS *". */
  products: z.array(z.string()),
  notProducts: z.array(z.string()),
});
export type Filter = z.infer<typeof Filter>;

const Subscription = Filter.extend({
  id: z.string(),
  channel: z.string(),
  /** Slack user id of the admin who set it. */
  by: z.string(),
  /** The people whom a loud alert mentions; null: nobody. */
  mention: PeopleList.nullable(),
  /** The steps after the mention while nobody takes it, the earlier one first. */
  later: z.array(RuleStep),
});
export type Subscription = z.infer<typeof Subscription>;

/** How a channel gets its alerts: with replies and the history in a thread, without a thread, or in a digest at chosen hours. */
export const modes = ["thread", "card", "digest"] as const;

const ChannelMode = z.object({
  channel: z.string(),
  mode: z.enum(modes),
  /** The hours of a digest, 0 to 23, in `zone`. */
  hours: z.array(z.number()),
  zone: z.string(),
});
export type ChannelMode = z.infer<typeof ChannelMode>;

const Routing = z.object({
  subscriptions: z.array(Subscription),
  mutes: z.array(Mute),
  /** The modes of channels; those without one use threads. */
  modes: z.array(ChannelMode),
});
export type Routing = z.infer<typeof Routing>;

const emptyRouting: Routing = { subscriptions: [], mutes: [], modes: [] };
const key = "workspace";

const routingKind = defineKind({ name: "alert routing", namespace: "alert-routing", schema: Routing });

/** The workspace's alert subscriptions, mutes and channel modes, which admins set. */
export async function readRouting({ store }: StoreApp): Promise<Routing> {
  return (await store.keyv(routingKind).get(key)) ?? emptyRouting;
}

/** Changes the routing atomically: of two changes at once neither undoes the other. Resolves to the new routing. */
export async function changeRouting({ store }: StoreApp, change: (routing: Routing) => Routing): Promise<Routing> {
  return (await update(store, routingKind, key, (before) => change(before ?? emptyRouting))) ?? emptyRouting;
}

export function newSubscription(
  filter: Filter,
  set: Pick<Subscription, "channel" | "by" | "mention" | "later">,
): Subscription {
  return { ...filter, ...set, id: randomUUID().slice(0, 8) };
}

/** The mode of a channel: with threads, unless an admin set another. */
export function channelModeOf({ modes }: Routing, channel: string): ChannelMode {
  return modes.find((one) => one.channel === channel) ?? { channel, mode: "thread", hours: [], zone: "UTC" };
}

/** Milliseconds since the epoch at which the next of these hours begins in that time zone, after `now`. */
export function nextHour({ hours, zone }: Pick<ChannelMode, "hours" | "zone">, now: number): number {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
  const wanted = new Set(hours.map((hour) => `${String(hour).padStart(2, "0")}:00`));
  // Step by quarters of an hour, by which zones differ. Three days suffice: an hour that a clock change skips comes the day after.
  const quarter = 15 * 60_000;
  for (let at = (Math.floor(now / quarter) + 1) * quarter; at < now + 3 * 24 * 4 * quarter; at += quarter)
    if (wanted.has(clock.format(at))) return at;
  return now + 24 * 4 * quarter;
}

/** True where the filter includes the event and does not exclude it. `productNames`: its products, null where they are unknown. */
export function passesFilter(filter: Filter, { event, data }: LoggedEvent, productNames: ProductNames): boolean {
  const { events, notEvents, about, notAbout } = filter;
  if (!letsProducts(filter, productNames)) return false;
  const services = namesByService(data);
  // An event about several services is excluded only where each of them is.
  if (services.every((names) => isAnyOf(notAbout, names))) return false;
  if (about.length > 0 && !services.some((names) => isAnyOf(about, names))) return false;
  const isIn = (words: string[], name: string) => words.some((word) => matchesPattern(word, name));
  if (isIn(notEvents, event)) return false;
  // A filter that includes an event includes the report that this event is missing.
  const meant = isMissingEvent(event) ? (data.expected ?? []) : [event];
  const wanted = (name: string) => !isIn(notEvents, name) && (events.length === 0 || isIn(events, name));
  return isIn(events, event) || meant.some(wanted);
}

/** True where the filter names products, so that the event's product must be read. */
export function filtersByProduct({ products, notProducts }: Filter): boolean {
  return products.length > 0 || notProducts.length > 0;
}

/** An order of several products is excluded only where each of them is. */
function letsProducts({ products, notProducts }: Filter, productNames: ProductNames): boolean {
  // Let unknown products pass: one alert too many is better than a missed one.
  if (productNames === null) return true;
  const isIn = (words: string[], name: string) => words.some((word) => matchesPattern(word, name.toLowerCase()));
  if (productNames.length > 0 && productNames.every((name) => isIn(notProducts, name))) return false;
  return products.length === 0 || productNames.some((name) => isIn(products, name));
}

/** True where a word, or a beginning and a star, names it. `name` is in small letters. */
export function matchesPattern(word: string, name: string): boolean {
  const wanted = word.toLowerCase();
  return wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}

/** The mute by which the event is covered in this channel for the longest time; null if none covers it. */
export function muteAmong(mutes: Mute[], channel: string, { data, at }: LoggedEvent): Mute | null {
  const present = mutes.filter((mute) => mute.until > at && (mute.channel === null || mute.channel === channel));
  const lastOf = (names: string[]) =>
    present.filter(({ about }) => about === null || isAnyOf([about], names)).toSorted((a, b) => b.until - a.until)[0] ??
    null;
  // A failure lists all services of its order: one that no mute covers still needs its alert.
  const covering = namesByService(data).map(lastOf);
  const mute = covering.filter((one) => one !== null).toSorted((a, b) => a.until - b.until)[0];
  return mute === undefined || covering.includes(null) ? null : mute;
}

function isAnyOf(words: readonly string[], names: readonly string[]): boolean {
  return words.some((word) => names.some((name) => name.toLowerCase() === word.toLowerCase()));
}

/** The mentions of these subscriptions at a moment, in mrkdwn, each once. */
export async function mentionsOf(
  app: OnCallApp,
  subscriptions: readonly Subscription[],
  at: number,
): Promise<string[]> {
  const mentions = subscriptions.map(({ mention }) => (mention ? peopleMention(app, mention, at) : ""));
  return [...new Set(await Promise.all(mentions))].filter((mention) => mention !== "");
}
