import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import { amountOf, unitsOf } from "../platform/amounts.ts";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import type { Spent } from "./evaluate.ts";
import { Limit, sumsByCurrency } from "./rule.ts";

const day = 24 * 60 * 60_000;

const Entry = z.object({
  request: z.string(),
  at: z.number(),
  /** Null if nobody knows it. */
  price: Limit.nullable(),
  /** The platform's ids of what it made and what can be paid: a document, or an order of the supplier's. */
  made: z.array(z.string()),
  /** The id of what it pays; null if it is a purchase. */
  pays: z.string().nullable(),
});
type Entry = z.infer<typeof Entry>;
const Spending = z.object({ entries: z.array(Entry) });
type SpendingRecord = z.infer<typeof Spending>;

/** An act that costs something, as its sums are judged. */
export type Charge = Pick<Entry, "request" | "price" | "pays">;

/**
 * The keys under which one person's sums are stored (`marksOf`), whichever Slack account acts. All accounts of the person share the
 * first.
 */
export type Payer = readonly [string, ...string[]];

const spendingKind = defineKind({ name: "sum", namespace: "spending", schema: Spending, ttlMs: day });

/** The person's spending without this charge: with its price, it is all that they spent. */
export async function readSpending(app: TimedApp, payer: Payer, charge: Charge): Promise<Spent> {
  return spentOf(await readEntries(app, payer, charge.request), charge);
}

/** The requests that make the person's spending, `request` not among them. */
export async function spendingRequests(app: TimedApp, payer: Payer, request: string): Promise<string[]> {
  return [...new Set((await readEntries(app, payer, request)).map((entry) => entry.request))];
}

/**
 * Reserves a charge, in place of an earlier reservation of the same request, if `isFine` accepts the sums. Check and reservation are one
 * atomic step, so that ten requests at once cannot exceed a limit. False when it does not accept them.
 */
export async function reserveSpending(
  app: TimedApp,
  [first, ...others]: Payer,
  charge: Charge,
  isFine: (spent: Spent) => boolean,
): Promise<boolean> {
  const { store, clock } = app;
  const { request } = charge;
  const beside = await readEntries(app, others, request);
  const withEntry = ({ entries }: SpendingRecord = { entries: [] }): SpendingRecord => {
    const made = entries.filter((entry) => entry.request === request).flatMap((entry) => entry.made);
    return { entries: [...within(app, entries, request), { ...charge, at: clock.now(), made }] };
  };
  let fine = false;
  await update(store, spendingKind, first, (before) => {
    fine = isFine(spentOf([...within(app, before?.entries ?? [], request), ...beside], charge));
    return fine ? withEntry(before) : undefined;
  });
  if (fine) await Promise.all(others.map((mark) => update(store, spendingKind, mark, withEntry)));
  return fine;
}

/** Corrects the reservation of a request, if there is one: its price, if that is known now, and what it made. */
export async function correctSpending(
  { store }: TimedApp,
  payer: Payer,
  request: string,
  { price, made }: { price: Limit | null; made: readonly string[] },
): Promise<void> {
  const corrected = (before?: SpendingRecord) => {
    const own = before?.entries.find((entry) => entry.request === request);
    if (!before || !own) return undefined;
    const entry = { ...own, price: price ?? own.price, made: [...new Set([...own.made, ...made])] };
    if (isDeepStrictEqual(entry, own)) return undefined;
    return { entries: before.entries.map((one) => (one === own ? entry : one)) };
  };
  await Promise.all(payer.map((mark) => update(store, spendingKind, mark, corrected)));
}

/** Removes the reservation of a request that spent nothing. */
export async function releaseSpending({ store }: TimedApp, payer: Payer, request: string): Promise<void> {
  const without = (before?: SpendingRecord) =>
    before?.entries.some((entry) => entry.request === request)
      ? { entries: before.entries.filter((entry) => entry.request !== request) }
      : undefined;
  await Promise.all(payer.map((mark) => update(store, spendingKind, mark, without)));
}

async function readEntries(app: TimedApp, payer: readonly string[], request: string): Promise<Entry[]> {
  const kept = await Promise.all(payer.map((mark) => app.store.keyv(spendingKind).get(mark)));
  return kept.flatMap((record) => within(app, record?.entries ?? [], request));
}

function within({ clock }: TimedApp, entries: readonly Entry[], without: string): Entry[] {
  const since = clock.now() - day;
  return entries.filter(({ at, request }) => at > since && request !== without);
}

/** The sums beside a charge. One request is stored under several keys, and counts once. */
function spentOf(entries: Entry[], charge: Charge): Spent {
  const distinct = [...new Map(entries.map((entry) => [entry.request, entry])).values()];
  return {
    sums: sumsByCurrency(distinct.flatMap((entry) => unpaidOf(entry, [...distinct, charge]) ?? [])),
    unknown: entries.some(({ price }) => price === null),
  };
}

/** A payment counts whole, so of a purchase there counts only what payments left of its price. Null if that is nothing, or unknown. */
function unpaidOf({ price, made, pays }: Entry, charges: readonly Charge[]): Limit | null {
  if (price === null || pays !== null) return price;
  const { amount, currency } = price;
  const payments = charges.filter((charge) => made.some((id) => id === charge.pays));
  const paid = payments.flatMap((payment) =>
    payment.price?.currency === currency ? unitsOf(payment.price.amount) : [],
  );
  const left = paid.reduce((rest, sum) => rest - sum, unitsOf(amount));
  return left > 0n ? { amount: amountOf(left), currency } : null;
}
