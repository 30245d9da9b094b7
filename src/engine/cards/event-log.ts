// engine/cards/: events, the supplier's and what was found by reading: the log that keeps them, and what is shown of them in channels.
// May import: engine/, engine/*, operation/, views/, platform/*, storage/, the clock.

import { hash } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import type { SupplierEvent } from "../../platform/reseller/events.ts";
import type { LogEntry, Store } from "../../storage/store.ts";
import { EventFacts, type EventName, EventSource } from "./events.ts";

const minute = 60_000;
/** Longer than the supplier tries and re-queues: so long a delivery that comes again is known. */
const eventsKeptMs = 30 * 24 * 60 * minute;
const pageSize = 100;
const aheadAtMost = 5 * minute;

/** Why an event that was signed rightly is kept and rings nowhere. */
const Aside = z.enum(["too old", "ahead of our clock"]);
export type Aside = z.infer<typeof Aside>;

const Kept = z.object({
  event: z.string(),
  /** When the supplier signed this attempt, or it was found. */
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
  aside: Aside.nullable(),
  source: EventSource.default("told"),
  askedBy: z.string().nullable().default(null),
});

/** An event as it is kept; `at` is when it arrived, in milliseconds. */
export interface KeptEvent {
  id: string;
  at: number;
  event: string;
  timestamp: string;
  data: EventFacts;
  aside: Aside | null;
  source: EventSource;
  /** The member who did it through Rackbell, by their Slack user id, where that was known when it was found. */
  askedBy: string | null;
}

/** A delivery whose signature is right: what it tells, its bytes, and the id that the supplier gives it, which is not signed. */
export interface SignedDelivery {
  event: SupplierEvent;
  body: Buffer;
  deliveryId: string | null;
}

/** An event that nobody sent. One that is found again has the same `unique`. */
export interface FoundEvent {
  event: EventName;
  data: Partial<EventFacts>;
  source: Exclude<EventSource, "told">;
  askedBy: string | null;
  unique: string;
}

export interface EventQuery {
  /** An order, a service or a customer by its id, or an event by its name. */
  about?: string | undefined;
  source?: EventSource | undefined;
  before?: string | undefined;
  limit: number;
}

/** The events of the last 30 days, each once (design section 6). */
export interface EventLog {
  /** Keeps it, and resolves once it is on disk; false, with nothing changed, where its id or its body is known. */
  keep(delivery: SignedDelivery): Promise<boolean>;
  /** The same for what nobody sent; false where it was found before. */
  keepFound(found: FoundEvent): Promise<boolean>;
  /** Newest first. */
  newest(query: EventQuery): Promise<KeptEvent[]>;
  /** Oldest first, from the one after `id` on; "" is the beginning. `last`: where to go on; `more`: whether there is more there by now. */
  after(id: string): Promise<{ events: KeptEvent[]; last: string; more: boolean }>;
  entry(id: string): Promise<KeptEvent | null>;
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
    async keepFound({ unique, ...found }) {
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

/** The order and the customer of a thing, by its platform id, as the supplier's newest event of it names them. */
export async function saleOf(events: Pick<EventLog, "newest">, about: string): Promise<Partial<EventFacts>> {
  const [known] = await events.newest({ about, source: "told", limit: 1 });
  const { orderId, orderNumber, externalOrderId, externalCustomerId } = known?.data ?? {};
  return { orderId, orderNumber, externalOrderId, externalCustomerId };
}

function asideOf(signedAt: number, now: number): Aside | null {
  if (signedAt < now - eventsKeptMs) return "too old";
  return signedAt > now + aheadAtMost ? "ahead of our clock" : null;
}

function readEntry({ id, at, data }: LogEntry): KeptEvent[] {
  const kept = Kept.safeParse(data);
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

/** All that the order, the services, the customer, the document or the image of an event are called. */
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
