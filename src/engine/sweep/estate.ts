import * as z from "zod";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import type { Dedicated } from "../../platform/customer/dedicated.ts";
import { type Document, dueOf, numberOf } from "../../platform/customer/documents.ts";
import type { Vps } from "../../platform/customer/vps.ts";
import { Amount, Currency } from "../../platform/money.ts";
import { createRecords } from "../../storage/records.ts";
import type { Foundation } from "../foundation.ts";

const day = 24 * 60 * 60_000;
/** How far ahead what falls due is kept. */
const dueWithinMs = 14 * day;
/** Names that are kept of one day, and documents in all: the rest are counted. */
const mostNames = 5;
const mostDocuments = 50;

const Sum = z.object({ project: z.string(), currency: z.string(), amount: z.string(), machines: z.number() });
const DueDay = z.object({ day: z.string(), count: z.number(), names: z.array(z.string()) });
const DueDocument = z.object({
  name: z.string(),
  total: z.string(),
  currency: z.string().nullable(),
  dueAt: z.string().nullable(),
});

/** What a whole reading of one list came to. */
export const Figures = z.object({
  /** What the active ones cost a month before tax, by project and currency. */
  sums: z.array(Sum),
  /** Active ones that are billed by the hour, and those whose price could not be read. */
  hourly: z.number(),
  unknown: z.number(),
  /** Renewals, by the platform's day. */
  due: z.array(DueDay),
  /** Documents that wait for money, the first ones, and how many there are. */
  documents: z.array(DueDocument),
  waiting: z.number(),
});
export type Figures = z.infer<typeof Figures>;

const Kept = z.object({
  /** What is being read: its pages so far. */
  page: z.number(),
  partial: Figures,
  /** The last list that was read to its end, and when that was; null where none was yet. */
  whole: Figures.nullable(),
  at: z.number().nullable(),
  /** The key that it was read with. */
  key: z.string(),
});

const none: Figures = { sums: [], hourly: 0, unknown: 0, due: [], documents: [], waiting: 0 };

/** The lists that it is made of. */
const parts = ["machines", "dedicated servers", "invoices", "proformas"] as const;
export type EstatePart = (typeof parts)[number];

/** Which page of a list was read, counted from 1, and with which key. */
interface EstatePage {
  page: number;
  last: boolean;
  key: string;
}

/** What the workspace's reading key shows of prices and dates, summed up as the sweep reads it: no call is made for it. */
export interface Estate {
  see(part: EstatePart, figures: Figures, at: EstatePage): Promise<void>;
  /** Null while a list has not been read to its end with that key. `at`: when the oldest of them was, in milliseconds. */
  read(key: string): Promise<{ figures: Figures; at: number } | null>;
}

export function createEstate({ store, clock, log }: Pick<Foundation, "store" | "clock" | "log">): Estate {
  const records = createRecords(store.values("estate"), { name: "estate", schema: Kept, version: 1, log });
  return {
    async see(part, figures, { page, last, key }) {
      await records.update(part, (before) => {
        const known = before?.key === key ? before : undefined;
        // A page that is read again after a crash counts once.
        if (page > 1 && known?.page !== page - 1) return undefined;
        const partial = page === 1 ? figures : plus(known?.partial ?? none, figures);
        if (!last) return { whole: null, at: null, ...known, page, partial, key };
        return { page: 0, partial: none, whole: partial, at: clock.now(), key };
      });
    },
    async read(key) {
      const read = await Promise.all(parts.map((part) => records.get(part)));
      let figures = none;
      let at = clock.now();
      for (const kept of read) {
        if (!kept?.whole || kept.at === null || kept.key !== key) return null;
        figures = plus(figures, kept.whole);
        at = Math.min(at, kept.at);
      }
      return { figures, at };
    },
  };
}

/** Of a page of machines of either kind. `now`: milliseconds since the epoch. */
export function machineFigures(rows: readonly (Vps | Dedicated)[], now: number): Figures {
  return rows.map((row) => figuresOf(row, now)).reduce(plus, none);
}

/** The shape that the spec names for a VPS; of a dedicated server it names none. Spec sections 2.3 and 2.5. */
const Billing = z.object({
  cycle: z.string(),
  amount: Amount,
  currency: Currency.nullable(),
  next_due_date: z.string().nullish(),
});

function figuresOf(row: Vps | Dedicated, now: number): Figures {
  if (row.status !== "active") return none;
  const billing = Billing.safeParse(row.billing).data;
  if (!billing) return { ...none, unknown: 1 };
  const { cycle, amount, currency, next_due_date: dueAt } = billing;
  if (cycle === "hourly") return { ...none, hourly: 1 };
  const ends = row.cancellation !== null && row.cancellation !== undefined;
  const name = row.name ?? row.hostname ?? row.id;
  const due = dueAt && !ends && isNear(dueAt, now) ? [{ day: dueAt.slice(0, 10), count: 1, names: [name] }] : [];
  const months = monthsOf[cycle];
  if (months === undefined || currency === null) return { ...none, unknown: 1, due };
  const monthly = amountOf(unitsOf(amount) / months);
  return { ...none, due, sums: [{ project: row.project?.name ?? "", currency, amount: monthly, machines: 1 }] };
}

const monthsOf: Record<string, bigint> = { monthly: 1n, quarterly: 3n, "semi-annually": 6n, annually: 12n };

function isNear(at: string, now: number): boolean {
  const left = Date.parse(at) - now;
  return left >= 0 && left <= dueWithinMs;
}

/** Of a page of documents that wait for money. */
export function documentFigures(rows: readonly Document[]): Figures {
  const documents = rows.map((row) => ({
    name: numberOf(row) ?? row.id,
    total: row.total,
    currency: typeof row.currency === "string" ? row.currency : null,
    dueAt: dueOf(row),
  }));
  return { ...none, documents: documents.toSorted(byDue).slice(0, mostDocuments), waiting: rows.length };
}

function byDue(a: z.infer<typeof DueDocument>, b: z.infer<typeof DueDocument>): number {
  return (a.dueAt ?? "9").localeCompare(b.dueAt ?? "9");
}

function plus(a: Figures, b: Figures): Figures {
  return {
    sums: merged(
      [...a.sums, ...b.sums],
      ({ project, currency }) => JSON.stringify([project, currency]),
      (one, other) => ({
        ...one,
        amount: amountOf(unitsOf(one.amount) + unitsOf(other.amount)),
        machines: one.machines + other.machines,
      }),
    ),
    hourly: a.hourly + b.hourly,
    unknown: a.unknown + b.unknown,
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

function merged<T>(items: T[], keyOf: (item: T) => string, join: (one: T, other: T) => T): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) {
    const known = byKey.get(keyOf(item));
    byKey.set(keyOf(item), known === undefined ? item : join(known, item));
  }
  return [...byKey.values()];
}
