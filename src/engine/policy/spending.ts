import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";
import type { Spent } from "./judge.ts";
import { Limit } from "./rule.ts";

const day = 24 * 60 * 60_000;

const Entry = z.object({ request: z.string(), at: z.number(), price: Limit.nullable() });
type Entry = z.infer<typeof Entry>;
const Spending = z.object({ v: z.literal(1), entries: z.array(Entry) });

/** What each member has spent, or is about to, within the last 24 hours. */
export interface Spending {
  /** What a member has spent, `request` not counted. */
  of(member: string, request: string): Promise<Spent>;
  /**
   * Counts a request's price, if that is still fine with all that was counted meanwhile: `isFine` is asked in one atomic step with the
   * counting, so that of ten at once no sum is overrun. False where it is not.
   */
  reserve(member: string, request: string, price: Limit | null, isFine: (spent: Spent) => boolean): Promise<boolean>;
  /** Nothing was spent after all. */
  release(member: string, request: string): Promise<void>;
}

export function createSpending({ store, clock, log }: { store: Store; clock: Clock; log: Logger }): Spending {
  const records = createRecords(store.values("spending"), { name: "sum", schema: Spending, version: 1, log });

  function within(entries: readonly Entry[], without: string): Entry[] {
    const since = clock.now() - day;
    return entries.filter(({ at, request }) => at > since && request !== without);
  }

  return {
    async of(member, request) {
      return spentOf(within((await records.get(member))?.entries ?? [], request));
    },
    async reserve(member, request, price, isFine) {
      let fine = false;
      await records.update(
        member,
        (before) => {
          const others = within(before?.entries ?? [], request);
          fine = isFine(spentOf(others));
          return fine ? { v: 1, entries: [...others, { request, at: clock.now(), price }] } : undefined;
        },
        day,
      );
      return fine;
    },
    async release(member, request) {
      await records.update(
        member,
        (before) => before && { v: 1, entries: before.entries.filter((entry) => entry.request !== request) },
        day,
      );
    },
  };
}

function spentOf(entries: Entry[]): Spent {
  const sums = new Map<string, bigint>();
  for (const { price } of entries)
    if (price) sums.set(price.currency, (sums.get(price.currency) ?? 0n) + unitsOf(price.amount));
  return {
    sums: [...sums].map(([currency, units]) => ({ currency, amount: amountOf(units) })),
    unknown: entries.some(({ price }) => price === null),
  };
}
