// engine/requests/bulk/: one request for many targets. It is asked, approved and told as one; each target then is a request of its own.
// May import: engine/, engine/*, operation/, views/, platform/, platform/*, storage/, the clock.

import { createHash } from "node:crypto";
import * as z from "zod";
import { amountOf, unitsOf } from "../../../platform/amounts.ts";
import { Limit } from "../../policy/rule.ts";

const Fact = z.object({ label: z.string(), value: z.string() });
const Price = z.union([Limit, z.literal("unknown")]).nullable();

/** One of many, as the list showed it when it was asked: what is approved, and what is compared before it is done. */
export const BulkTarget = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  /** Empty where its row does not tell it. */
  project: z.string(),
  material: z.array(Fact),
  price: Price,
});
export type BulkTarget = z.infer<typeof BulkTarget>;

export const Outcome = z.enum([
  // It was not begun; it was; nobody could find out what came of it.
  "waiting",
  "running",
  "unclear",
  "done",
  "failed",
  // It had changed, or could not be done to it: it is as it was.
  "left out",
]);
export type Outcome = z.infer<typeof Outcome>;

/** What a request for many knows beside what every request does. Its targets are kept apart: they never change. */
export const Bulk = z.object({
  /** "3 VPSes". */
  nouns: z.string(),
  /** Of its targets: two requests for the same ones are the same. */
  digest: z.string(),
  /** The projects that they are in, by name; null stands for one that is not told. */
  projects: z.array(z.string().nullable()),
  /** Who presses must type how many they are. */
  counted: z.boolean(),
  /** They were picked by their state: one that is in another by its turn is not meant any more. */
  byState: z.boolean(),
  /** After how many failures nothing more is begun. */
  stopAfter: z.number(),
  /** What came of each, in the order of the targets. */
  outcomes: z.array(Outcome),
  /** Of those that the platform put off: how often, and until when (milliseconds since the epoch). By their place. */
  putOff: z.record(z.string(), z.object({ times: z.number(), until: z.number() })),
  /** Why nothing more is begun, as a sentence; null while it goes on. */
  stopped: z.string().nullable(),
});
export type Bulk = z.infer<typeof Bulk>;

/** What a request for one of many knows of the whole. */
export const Part = z.object({
  of: z.string(),
  /** The platform refused it for now, and when it may be tried again (milliseconds since the epoch). */
  again: z.number().nullable(),
});
export type Part = z.infer<typeof Part>;

/** The id of what is done to one of many. The same try of the same is the same id, so that it is begun once, whatever dies in between. */
export function partId(bulk: string, target: string, tries: number): string {
  const hex = createHash("sha256").update(`${bulk} ${target} ${tries}`).digest("hex");
  // A version and a variant, as the platform wants to see them in an idempotency key.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What tells one set of targets from another. */
export function digestOf(targets: readonly BulkTarget[]): string {
  const ids = targets.map(({ id }) => id).toSorted();
  return createHash("sha256").update(ids.join(" ")).digest("base64url").slice(0, 22);
}

/** The prices of some of many: a sum in each currency, and of how many the platform does not name it. */
export function sumsOf(targets: readonly Pick<BulkTarget, "price">[]): { sums: Limit[]; unknown: number } {
  const sums = new Map<string, bigint>();
  for (const { price } of targets)
    if (price !== null && price !== "unknown")
      sums.set(price.currency, (sums.get(price.currency) ?? 0n) + unitsOf(price.amount));
  return {
    sums: [...sums].map(([currency, units]) => ({ currency, amount: amountOf(units) })),
    unknown: targets.filter(({ price }) => price === "unknown").length,
  };
}

/** The sum as one price: one that is not known whole, or in two currencies, is not known. */
export function priceOfAll(targets: readonly Pick<BulkTarget, "price">[]): z.infer<typeof Price> {
  const { sums, unknown } = sumsOf(targets);
  const [only, second] = sums;
  if (unknown > 0 || second) return "unknown";
  return only ?? null;
}
