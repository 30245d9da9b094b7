// alerts/: the log of events, from the supplier and from polling, and the messages in channels that show them.
// May import: policy/*, notifications/, notifications/*, access/, operation/, views/, platform/*, storage/, the clock.

import { hash } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { SupplierEvent } from "../platform/reseller/events.ts";
import type { LogEntry, Store } from "../storage/store.ts";
import { EventFacts, type EventName, EventSource } from "./events.ts";

const minute = 60_000;
/** Longer than the supplier repeats a delivery, so that a repeated one is still recognised. */
const eventsKeptMs = 30 * 24 * 60 * minute;
const pageSize = 100;
const aheadAtMost = 5 * minute;

/** Why an event with the right signature is stored and begins no alert. */
const SetAsideReason = z.enum(["too old", "ahead of our clock"]);
export type SetAsideReason = z.infer<typeof SetAsideReason>;

const StoredEvent = z.object({
  event: z.string(),
  /** ISO time at which the supplier signed this attempt, or Rackbell detected the event. */
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
  aside: SetAsideReason.nullable(),
  source: EventSource.default("told"),
  askedBy: z.string().nullable().default(null),
  request: z.string().nullable().default(null),
  acted: z.boolean().default(false),
});

/** An event of the log; `at` is when it arrived, in milliseconds since the epoch. */
export interface LoggedEvent {
  id: string;
  at: number;
  event: string;
  timestamp: string;
  data: EventFacts;
  aside: SetAsideReason | null;
  source: EventSource;
  /** Slack user id of the member who caused it through Rackbell, if known when it was detected. */
  askedBy: string | null;
  /** Id of the request that caused it, if known when it was detected. */
  request: string | null;
  /** It was derived from the outcome of that request, not from a read of the platform. */
  acted: boolean;
}

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
  source: Exclude<EventSource, "told">;
  askedBy: string | null;
  request: string | null;
  acted?: boolean;
  unique: string;
}

export interface EventQuery {
  /** A name or id of an order, service, customer, document or image, or the name of an event. */
  about?: string | undefined;
  source?: EventSource | undefined;
  before?: string | undefined;
  limit: number;
}

/** The log of the last 30 days, with each event once (design section 6). */
export interface EventLog {
  /** Stores the event and resolves once it is on disk. False, with nothing changed, where its delivery id or its body is known. */
  keep(delivery: SignedDelivery): Promise<boolean>;
  /** The same for an event that Rackbell detected itself; false where its `unique` is known. */
  addDetected(found: DetectedEvent): Promise<boolean>;
  /** Newest first. */
  newest(query: EventQuery): Promise<LoggedEvent[]>;
  /** A page, oldest first, from the event after `id`; "" is the beginning. `last`: the id to continue from. `more`: another page may follow. */
  after(id: string): Promise<{ events: LoggedEvent[]; last: string; more: boolean }>;
  entry(id: string): Promise<LoggedEvent | null>;
}

export function createEventLog({ store, clock }: { store: Store; clock: Clock }): EventLog {
  const log = store.log("events", { retentionMs: eventsKeptMs });
  return {
    async keep({ event, body, deliveryId }) {
      const now = clock.now();
      const uniques = [`body:${hash("sha256", body)}`, ...(deliveryId === null ? [] : [`id:${deliveryId}`])];
      const data = { ...event, aside: asideOf(Date.parse(event.timestamp), now), source: "told" };
      const kept = await log.append({ at: now, subjects: subjectsOf(event, "told"), data }, uniques);
      return kept !== null;
    },
    async addDetected({ unique, ...found }) {
      const now = clock.now();
      const data = { ...found, timestamp: new Date(now).toISOString(), aside: null };
      const kept = await log.append({ at: now, subjects: subjectsOf(found, found.source), data }, [`found:${unique}`]);
      return kept !== null;
    },
    async newest({ about, source, before, limit }) {
      const subjects = [
        ...(about === undefined ? [] : [subjectOf(about)]),
        ...(source === undefined ? [] : [sourceSubject(source)]),
      ];
      return (await log.read({ limit, before, subjects })).flatMap(readEntry);
    },
    async after(id) {
      const page = await log.read({ after: id, limit: pageSize });
      return { events: page.flatMap(readEntry), last: page.at(-1)?.id ?? id, more: page.length === pageSize };
    },
    async entry(id) {
      const entry = await log.entry(id);
      return entry ? (readEntry(entry)[0] ?? null) : null;
    },
  };
}

/** The order and the customer of a resource (by its platform id), as the supplier's newest event about it names them. */
export async function orderAndCustomerOf(
  events: Pick<EventLog, "newest">,
  about: string,
): Promise<Partial<EventFacts>> {
  const [known] = await events.newest({ about, source: "told", limit: 1 });
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
  const about = [event, ...namesOf(EventFacts.parse(data))].map(subjectOf);
  return [...new Set([...about, sourceSubject(source)])];
}

/** All names and ids in an event: of its order, services, customer, document or image. */
export function namesOf(data: EventFacts): string[] {
  const { orderId, orderNumber, externalOrderId, externalCustomerId, serviceId, hostname, services } = data;
  const { name, documentId, documentNumber, imageId } = data;
  const listed = (services ?? []).flatMap((service) => [service.serviceId, service.hostname]);
  const names = [
    ...[orderId, orderNumber, externalOrderId, externalCustomerId, serviceId, hostname, ...listed],
    ...[name, documentId, documentNumber, imageId],
  ];
  return names.filter((name) => typeof name === "string" && name !== "").map(String);
}
