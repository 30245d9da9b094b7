// alerts/: the log of events, from the supplier and from polling, and the messages in channels that show them.

import { hash } from "node:crypto";
import * as z from "#zod";
import type { SupplierEvent } from "../platform/reseller/events.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import type { Log, LogEntry } from "../storage/store.ts";
import { EventFacts, type EventName, EventSource, type LoggedEvent, SetAsideReason, serviceIn } from "./events.ts";

const minute = 60_000;
/** Longer than the supplier repeats a delivery, so that a repeated one is still recognised. */
const eventsKeptMs = 30 * 24 * 60 * minute;
const pageSize = 100;
const aheadAtMost = 5 * minute;

const StoredEvent = z.object({
  event: z.string(),
  /** ISO time at which the supplier signed this attempt, it arrived without one, or Rackbell detected the event. */
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
  aside: SetAsideReason.nullable(),
  source: EventSource,
  askedBy: z.string().nullable(),
  request: z.string().nullable(),
  acted: z.boolean(),
});
type StoredEvent = z.infer<typeof StoredEvent>;

/** A delivery with the right signature: its event, its bytes, and the supplier's id for it, which is not signed. */
export interface SignedDelivery {
  event: SupplierEvent;
  body: Buffer;
  deliveryId: string | null;
}

/** An event that Rackbell detected itself. Detected again, it must have the same `unique`: the log stores it once. */
export interface DetectedEvent {
  event: EventName;
  data: Partial<EventFacts>;
  source: Exclude<EventSource, "webhook">;
  askedBy: string | null;
  request: string | null;
  acted?: boolean;
  unique: string;
  /**
   * The id of the newest event about the same service when the finder looked, or null. Both APIs may show one change at the same moment, to
   * two finders: of two equal events after the same one the log stores the first.
   */
  after?: string | null;
}

export interface EventQuery {
  /** A name or id of an order, service, customer, document or image, or the name of an event. */
  about?: string | undefined;
  source?: EventSource | undefined;
  before?: string | undefined;
  limit: number;
}

/** The parts of the app that store an event. `wakeFeed` has the feed post it. */
type StoringApp = TimedApp & { wakeFeed: () => void };

/** The log of the last 30 days, with each event once. */
function logOf({ store }: StoreApp): Log {
  return store.log("events", { retentionMs: eventsKeptMs });
}

/**
 * Stores a delivery's event, resolves once it is on disk, and has the feed post it. False, with nothing changed, where its delivery id or
 * its body is known.
 */
export async function storeDelivery(app: StoringApp, { event, body, deliveryId }: SignedDelivery): Promise<boolean> {
  const now = app.clock.now();
  const uniques = [`body:${hash("sha256", body)}`, ...(deliveryId === null ? [] : [`id:${deliveryId}`])];
  const unexplained = { askedBy: null, request: null, acted: false };
  // An event must alert although its time cannot be read: then it counts as new.
  const timestamp = event.timestamp ?? new Date(now).toISOString();
  const data = {
    ...event,
    timestamp,
    aside: asideOf(Date.parse(timestamp), now),
    source: "webhook" as const,
    ...unexplained,
  };
  return append(app, { at: now, subjects: subjectsOf(event, "webhook"), data }, uniques);
}

/** The same for an event that Rackbell detected itself; false where its `unique` is known. */
export async function storeDetected(app: StoringApp, { unique, after, ...found }: DetectedEvent): Promise<boolean> {
  const now = app.clock.now();
  const data = { acted: false, ...found, timestamp: new Date(now).toISOString(), aside: null };
  const { event, data: facts } = found;
  const next = after === undefined ? [] : [`next:${JSON.stringify([event, facts.serviceId, after])}`];
  return append(app, { at: now, subjects: subjectsOf(found, found.source), data }, [`found:${unique}`, ...next]);
}

async function append(
  app: StoringApp,
  entry: Omit<LogEntry, "id" | "data"> & { data: StoredEvent },
  uniques: string[],
): Promise<boolean> {
  const isNew = (await logOf(app).append(entry, uniques)) !== null;
  if (isNew) app.wakeFeed();
  return isNew;
}

/** The newest events first. */
export async function newestEvents(
  app: StoreApp,
  { about, source, before, limit }: EventQuery,
): Promise<LoggedEvent[]> {
  const subjects = [
    ...(about === undefined ? [] : [subjectOf(about)]),
    ...(source === undefined ? [] : [sourceSubject(source)]),
  ];
  return (await logOf(app).read({ limit, before, subjects })).flatMap(readEntry);
}

/**
 * A page, oldest first, from the event after `id`; "" is the beginning. `last`: the id to continue from. `more`: another page may follow.
 */
export async function eventsAfter(
  app: StoreApp,
  id: string,
): Promise<{ events: LoggedEvent[]; last: string; more: boolean }> {
  const page = await logOf(app).read({ after: id, limit: pageSize });
  return { events: page.flatMap(readEntry), last: page.at(-1)?.id ?? id, more: page.length === pageSize };
}

export async function readEvent(app: StoreApp, id: string): Promise<LoggedEvent | null> {
  const entry = await logOf(app).entry(id);
  return entry ? (readEntry(entry)[0] ?? null) : null;
}

/** The order and the customer of a resource (by its platform id), as the supplier's newest event about it names them. */
export async function findOrderAndCustomer(app: StoreApp, about: string): Promise<Partial<EventFacts>> {
  const [known] = await newestEvents(app, { about, source: "webhook", limit: 1 });
  const { orderId, orderNumber, externalOrderId, externalCustomerId } = known?.data ?? {};
  return { orderId, orderNumber, externalOrderId, externalCustomerId };
}

function asideOf(signedAt: number, now: number): SetAsideReason | null {
  if (signedAt < now - eventsKeptMs) return "too old";
  return signedAt > now + aheadAtMost ? "ahead of our clock" : null;
}

function readEntry({ id, at, data }: LogEntry): LoggedEvent[] {
  const kept = StoredEvent.safeParse(data);
  if (!kept.success) return [];
  return [{ id, at, ...kept.data, data: EventFacts.parse(kept.data.data) }];
}

function subjectOf(about: string): string {
  return `about:${about.toLowerCase()}`;
}

function sourceSubject(source: EventSource): string {
  return `source:${source}`;
}

function subjectsOf({ event, data }: { event: string; data: unknown }, source: EventSource): string[] {
  const about = [event, ...searchTermsOf(EventFacts.parse(data))].map(subjectOf);
  return [...new Set([...about, sourceSubject(source)])];
}

/** All names, ids and addresses in an event: of its order, services, customer, document or image. */
export function searchTermsOf(data: EventFacts): string[] {
  return [...new Set(subjectsIn(data).flatMap(({ names }) => names))];
}

/** The id by which events name a customer, an order, a service, a document or an image; the name for people, null if it is the same. */
export interface EventSubject {
  about: string;
  name: string | null;
}

/** All that an event names, each with its id, if the event has that, and the other words that find it. */
export function subjectsIn(data: EventFacts): (EventSubject & { names: string[] })[] {
  const { externalCustomerId, orderId, orderNumber, externalOrderId, documentId, documentNumber, invoiceId } = data;
  const { imageId, serviceId, hostname, name, serverIp, services } = data;
  const named = [
    { id: externalCustomerId, names: [] },
    { id: orderId, names: [orderNumber, externalOrderId] },
    { id: documentId, names: [documentNumber] },
    { id: invoiceId, names: [] },
    { id: imageId, names: imageId ? [name] : [] },
    { id: serviceId, names: [hostname, imageId ? null : name], address: serverIp },
    ...(services ?? []).map((service) => ({ id: service.serviceId, names: [service.hostname] })),
  ];
  return named.flatMap(({ id, names: all, address }) => {
    const names = readable([id, ...all, address]);
    const [about] = names;
    const called = readable(all)[0] ?? null;
    return about === undefined ? [] : [{ about, name: called === about ? null : called, names }];
  });
}

/**
 * All names and ids in an event, once for each of its services: those of the service, and of the order, customer, document or image that
 * all share. Only a name of each service, or one that they share, is a name of the whole event.
 */
export function namesByService(data: EventFacts): string[][] {
  const { orderId, orderNumber, externalOrderId, externalCustomerId, serviceId, hostname, name, services } = data;
  const { documentId, documentNumber, invoiceId, imageId } = data;
  const shared = [orderId, orderNumber, externalOrderId, externalCustomerId];
  const others = [documentId, documentNumber, invoiceId, imageId];
  const own = readable([serviceId, hostname, name]);
  const listed = (services ?? []).map((service) => readable([service.serviceId, service.hostname]));
  const named = [{ id: serviceIn(data) ?? own[0], names: own }, ...listed.map((names) => ({ id: names[0], names }))];
  // The list may name the event's own service again: a mute by a name that only one of the two has must cover it.
  const same = [...Map.groupBy(named, ({ id }) => id?.toLowerCase()).values()];
  const each = same.map((group) => group.flatMap(({ names }) => names)).filter((names) => names.length > 0);
  return (each.length > 0 ? each : [[]]).map((names) => [...readable(shared), ...names, ...readable(others)]);
}

function readable(names: readonly unknown[]): string[] {
  return names.filter((name) => typeof name === "string" && name !== "").map(String);
}
