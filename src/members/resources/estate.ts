import * as z from "#zod";
import { Amount, amountOf, Currency, unitsOf } from "../../platform/amounts.ts";
import type { DocumentType } from "../../platform/customer/billing.ts";
import type { Dedicated } from "../../platform/customer/dedicated.ts";
import { type Document, dueOf, numberOf } from "../../platform/customer/documents.ts";
import type { Vps } from "../../platform/customer/vps.ts";
import { monthsIn } from "../../platform/cycles.ts";
import { serviceStage } from "../../platform/service-stage.ts";
import { characters, PlainText } from "../../process/plain-text.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";

const day = 24 * 60 * 60_000;
/** Renewals within this time are stored. */
const dueWithinMs = 14 * day;
/** Limits of a record's size: names for each day, and documents. The others are only counted. */
const mostNames = 5;
const mostDocuments = 50;

const Sum = z.object({ project: z.string(), currency: z.string(), amount: z.string(), machines: z.number() });
const DueDay = z.object({ day: z.string(), count: z.number(), names: z.array(PlainText) });
const DueDocument = z.object({
  name: z.string(),
  total: z.string(),
  /** The amount left to pay; null where it was not read. */
  remaining: z.string().nullable(),
  currency: z.string().nullable(),
  dueAt: z.string().nullable(),
});

/** Sums over one list that was read to its end. */
export const Figures = z.object({
  /** Monthly prices of active servers before tax, by project and currency. */
  sums: z.array(Sum),
  /** Numbers of active servers: billed by the hour, and without a readable price. */
  hourly: z.number(),
  unknown: z.number(),
  /** Monthly prices of suspended servers, which the platform may go on to bill, and the number of those without one. */
  suspended: z.array(Sum),
  suspendedUnknown: z.number(),
  /** The number of servers that are ordered and not active yet. */
  starting: z.number(),
  /** Renewals by the platform's calendar day. */
  due: z.array(DueDay),
  /** The open documents that are due first, and the number of all open ones. */
  documents: z.array(DueDocument),
  waiting: z.number(),
});
export type Figures = z.infer<typeof Figures>;

const StoredPart = z.object({
  /** The number of the last page of the reading under way, and the sums so far. */
  page: z.number(),
  partial: Figures,
  /** The sums of the last reading that ended, and its time in milliseconds; null where none did yet. */
  whole: Figures.nullable(),
  at: z.number().nullable(),
  /** The id of the monitoring key that read it. */
  key: z.string(),
});

const noFigures: Figures = {
  sums: [],
  hourly: 0,
  unknown: 0,
  suspended: [],
  suspendedUnknown: 0,
  starting: 0,
  due: [],
  documents: [],
  waiting: 0,
};

/** The lists that make up the estate. */
const parts = ["machines", "dedicated servers", "invoices", "proformas"] as const;
export type EstatePart = (typeof parts)[number];

/** The page of a list that was read, counted from 1, and the id of the monitoring key. */
interface EstatePage {
  page: number;
  last: boolean;
  key: string;
}

// Prices and due dates of the monitored account, summed up from the pages that polling reads anyway: this makes no calls.

const estateParts = defineKind({ name: "estate", namespace: "estate", schema: StoredPart });

/** Adds a page that polling read. */
export async function addToEstate(
  { store, clock }: TimedApp,
  part: EstatePart,
  figures: Figures,
  { page, last, key }: EstatePage,
): Promise<void> {
  await update(store, estateParts, part, (before) => {
    const known = before?.key === key ? before : undefined;
    // Add only the next page: one that is read again after a crash would count twice.
    if (page > 1 && known?.page !== page - 1) return undefined;
    const partial = page === 1 ? figures : plus(known?.partial ?? noFigures, figures);
    if (!last) return { whole: null, at: null, ...known, page, partial, key };
    return { page: 0, partial: noFigures, whole: partial, at: clock.now(), key };
  });
}

/** Null until every list was read to its end with that key. `at`: when the oldest reading ended, in milliseconds. */
export async function readEstate(
  { store, clock }: TimedApp,
  key: string,
): Promise<{ figures: Figures; at: number } | null> {
  const records = store.keyv(estateParts);
  const read = await Promise.all(parts.map((part) => records.get(part)));
  let figures = noFigures;
  let at = clock.now();
  for (const kept of read) {
    if (!kept?.whole || kept.at === null || kept.key !== key) return null;
    figures = plus(figures, kept.whole);
    at = Math.min(at, kept.at);
  }
  return { figures, at };
}

/**
 * The sums of a page of VPSes or dedicated servers. `unread`: rows that cannot be read, which count as servers without a readable price.
 * `now`: milliseconds since the epoch.
 */
export function machineFigures(rows: readonly (Vps | Dedicated)[], now: number, unread = 0): Figures {
  return rows.map((row) => figuresOf(row, now)).reduce(plus, { ...noFigures, unknown: unread });
}

/** The billing of a VPS. The spec names no shape for a dedicated server, so the same is tried. Spec sections 2.3 and 2.5. */
const Billing = z.object({
  cycle: z.string(),
  amount: Amount,
  currency: Currency.nullable(),
  next_due_date: z.string().nullish(),
});

function figuresOf(row: Vps | Dedicated, now: number): Figures {
  const stage = serviceStage(row.status);
  // Its price may go on.
  if (stage === null) return { ...noFigures, unknown: 1 };
  if (stage === "starting") return { ...noFigures, starting: 1 };
  if (stage !== "active" && stage !== "suspended") return noFigures;
  const figures = activeFiguresOf(row, now);
  if (stage === "active") return figures;
  return { ...noFigures, suspended: figures.sums, suspendedUnknown: figures.hourly + figures.unknown };
}

function activeFiguresOf(row: Vps | Dedicated, now: number): Figures {
  const billing = Billing.safeParse(row.billing).data;
  if (!billing) return { ...noFigures, unknown: 1 };
  const { cycle, amount, currency, next_due_date: dueAt } = billing;
  if (cycle === "hourly") return { ...noFigures, hourly: 1 };
  const ends = row.cancellation !== null && row.cancellation !== undefined;
  const name = row.name ?? row.hostname ?? row.id;
  const due = dueAt && !ends && isNear(dueAt, now) ? [{ day: dueAt.slice(0, 10), count: 1, names: [name] }] : [];
  const months = monthsIn(cycle);
  if (months === null || currency === null) return { ...noFigures, unknown: 1, due };
  const monthly = amountOf(unitsOf(amount) / months);
  return {
    ...noFigures,
    due,
    sums: [{ project: characters(row.project?.name ?? ""), currency, amount: monthly, machines: 1 }],
  };
}

function isNear(at: string, now: number): boolean {
  const left = Date.parse(at) - now;
  return left >= 0 && left <= dueWithinMs;
}

/** The sums of a page of open documents. `left`: amounts left to pay, by document id. `unread`: documents that cannot be read. */
export function documentFigures(
  type: DocumentType,
  rows: readonly Document[],
  left: ReadonlyMap<string, string>,
  unread = 0,
): Figures {
  const documents = rows.map((row) => ({
    name: numberOf(row, type) ?? row.id,
    total: row.total,
    remaining: left.get(row.id) ?? null,
    currency: typeof row.currency === "string" ? row.currency : null,
    dueAt: dueOf(row),
  }));
  return { ...noFigures, documents: documents.toSorted(byDue).slice(0, mostDocuments), waiting: rows.length + unread };
}

function byDue(a: z.infer<typeof DueDocument>, b: z.infer<typeof DueDocument>): number {
  return (a.dueAt ?? "9").localeCompare(b.dueAt ?? "9");
}

function plus(a: Figures, b: Figures): Figures {
  return {
    sums: plusSums([...a.sums, ...b.sums]),
    hourly: a.hourly + b.hourly,
    unknown: a.unknown + b.unknown,
    suspended: plusSums([...a.suspended, ...b.suspended]),
    suspendedUnknown: a.suspendedUnknown + b.suspendedUnknown,
    starting: a.starting + b.starting,
    due: merged(
      [...a.due, ...b.due],
      (one) => one.day,
      (one, other) => ({
        ...one,
        count: one.count + other.count,
        names: [...one.names, ...other.names].slice(0, mostNames),
      }),
    ).toSorted((one, other) => one.day.localeCompare(other.day)),
    documents: [...a.documents, ...b.documents].toSorted(byDue).slice(0, mostDocuments),
    waiting: a.waiting + b.waiting,
  };
}

function plusSums(sums: Figures["sums"]): Figures["sums"] {
  return merged(
    sums,
    ({ project, currency }) => JSON.stringify([project, currency]),
    (one, other) => ({
      ...one,
      amount: amountOf(unitsOf(one.amount) + unitsOf(other.amount)),
      machines: one.machines + other.machines,
    }),
  );
}

function merged<T>(items: T[], keyOf: (item: T) => string, join: (one: T, other: T) => T): T[] {
  return [...Map.groupBy(items, keyOf).values()].map((same) => same.reduce(join));
}
