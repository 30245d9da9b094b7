import * as z from "zod";
import type { Clock } from "../clock.ts";
import { amountOf, unitsOf } from "../platform/amounts.ts";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import type { Spent } from "./evaluate.ts";
import { Limit } from "./rule.ts";

const day = 24 * 60 * 60_000;

const Entry = z.object({ request: z.string(), at: z.number(), price: Limit.nullable() });
type Entry = z.infer<typeof Entry>;
const Spending = z.object({ v: z.literal(1), entries: z.array(Entry) });
type SpendingRecord = z.infer<typeof Spending>;

/**
 * The keys under which one person's sums are stored (`marksOf`), whichever Slack account acts. All accounts of the person share the
 * first.
 */
export type Payer = readonly string[];

/** Each person's spending and reservations within the last 24 hours. */
export interface Spending {
  /** The person's spending, `request` not counted. */
  of(payer: Payer, request: string): Promise<Spent>;
  /**
   * Reserves a request's price if `isFine` accepts the sums. Check and reservation are one atomic step, so that ten requests at once
   * cannot exceed a limit. False when it does not accept them.
   */
  reserve(payer: Payer, request: string, price: Limit | null, isFine: (spent: Spent) => boolean): Promise<boolean>;
  /** Removes the reservation of a request that spent nothing. */
  release(payer: Payer, request: string): Promise<void>;
}

const spendingKind = defineKind({ name: "sum", namespace: "spending", schema: Spending, version: 1, ttlMs: day });

export function createSpending({ store, clock }: { store: Store; clock: Clock }): Spending {
  const records = store.keyv(spendingKind);

  function within(entries: readonly Entry[], without: string): Entry[] {
    const since = clock.now() - day;
    return entries.filter(({ at, request }) => at > since && request !== without);
  }

  async function entriesOf(payer: Payer, request: string): Promise<Entry[]> {
    const kept = await Promise.all(payer.map((mark) => records.get(mark)));
    return kept.flatMap((record) => within(record?.entries ?? [], request));
  }

  return {
    of: async (payer, request) => spentOf(await entriesOf(payer, request)),
    async reserve([first = "", ...others], request, price, isFine) {
      const entry = { request, at: clock.now(), price };
      const beside = await entriesOf(others, request);
      let fine = false;
      await update(
        store,
        spendingKind,
        first,
        (before) => {
          const counted = within(before?.entries ?? [], request);
          fine = isFine(spentOf([...counted, ...beside]));
          return fine ? { v: 1 as const, entries: [...counted, entry] } : undefined;
        },
        day,
      );
      const add = (before?: SpendingRecord): SpendingRecord => ({
        v: 1,
        entries: [...within(before?.entries ?? [], request), entry],
      });
      if (fine) await Promise.all(others.map((mark) => update(store, spendingKind, mark, add)));
      return fine;
    },
    async release(payer, request) {
      const without = (before?: SpendingRecord) =>
        before?.entries.some((entry) => entry.request === request)
          ? { v: 1 as const, entries: before.entries.filter((entry) => entry.request !== request) }
          : undefined;
      await Promise.all(payer.map((mark) => update(store, spendingKind, mark, without)));
    },
  };
}

/** One request is stored under several keys, and counts once. */
function spentOf(entries: Entry[]): Spent {
  const sums = new Map<string, bigint>();
  for (const { price } of new Map(entries.map((entry) => [entry.request, entry])).values())
    if (price) sums.set(price.currency, (sums.get(price.currency) ?? 0n) + unitsOf(price.amount));
  return {
    sums: [...sums].map(([currency, units]) => ({ currency, amount: amountOf(units) })),
    unknown: entries.some(({ price }) => price === null),
  };
}
