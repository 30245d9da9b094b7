// requests/facets/bulk/: one request for many targets. It is asked, approved and shown as one; each target then is a request of its own.

import { createHash } from "node:crypto";
import * as z from "#zod";
import { type Limit, StoredPrice, sumsByCurrency } from "../../../policy/rule.ts";
import { PlainText } from "../../../process/plain-text.ts";
import { ShownPreconditions, StoredIdentity } from "../../preconditions.ts";

const Project = z.object({ id: z.string(), name: PlainText });
const Charge = z.union([StoredPrice, z.literal("unknown")]).nullable();

/** A target as the list showed it when the member asked: this is approved, and compared before it runs. */
export const ApprovedTarget = StoredIdentity.extend({
  id: z.string(),
  name: PlainText,
  state: z.string(),
  /** Null if the list does not show it. */
  project: Project.nullable(),
  preconditions: ShownPreconditions,
  price: Charge,
});
export type ApprovedTarget = z.infer<typeof ApprovedTarget>;

/** A list of targets shows so many, and counts the others. If there are more, a file has them all. */
export const mostShown = 20;

export const TargetOutcome = z.enum([
  "waiting",
  // Begun, or about to be.
  "running",
  // It was sent, and its outcome is unknown.
  "unknown",
  "done",
  "failed",
  // It had changed, or the act was not possible: nothing was sent.
  "left out",
  // An approver narrowed the request, and its payer asks again for the others alone.
  "taken out",
]);
export type TargetOutcome = z.infer<typeof TargetOutcome>;

/** The facet of a bulk request. Its targets are stored apart, since they never change. */
export const Bulk = z.object({
  /** For example "3 VPSes". */
  nouns: z.string(),
  /** A hash of the targets' ids: two requests with the same hash ask for the same. */
  digest: z.string(),
  /** The targets' projects. Null stands for an unknown project. */
  projects: z.array(Project.nullable()),
  /** The presser must type the number of targets. */
  counted: z.boolean(),
  /** A filter chose them by their state: a target in another state by its turn is left out. */
  byState: z.boolean(),
  /** The number of failures after which no more targets begin. */
  stopAfter: z.number(),
  /** One outcome for each target, in their order. */
  outcomes: z.array(TargetOutcome),
  /** Targets that the platform delayed, by position: how often, and until when (milliseconds since the epoch). */
  delayed: z.record(z.string(), z.object({ times: z.number(), until: z.number() })),
  /** Positions of targets that a crash of Rackbell interrupted. They do not count as failures. */
  interrupted: z.array(z.number()),
  /** The first request of the series: a button of another one made this one. Its own id if no button did. */
  series: z.string(),
  /** Of the first request, the others of its series. */
  followers: z.array(z.string()),
  /** Positions of targets that another request of the series has done since. */
  doneLater: z.array(z.number()),
  /** Positions of targets that somebody took back since, such as by keeping what was cancelled. */
  takenBack: z.array(z.number()),
  /** The targets that can still go back, by position, with the end of that (milliseconds since the epoch); null without an end. */
  canGoBack: z.record(z.string(), z.number().nullable()),
  /** The reason why no more targets begin, as a sentence; null while it goes on. */
  stopped: z.string().nullable(),
});
export type Bulk = z.infer<typeof Bulk>;

/** How often the platform delayed the target at `at`. */
export function triesOf({ delayed }: Bulk, at: number): number {
  return delayed[at]?.times ?? 0;
}

/** Hashes the targets' ids, whatever their order. */
export function digestTargets(targets: readonly ApprovedTarget[]): string {
  const ids = targets.map(({ id }) => id).toSorted();
  return createHash("sha256").update(ids.join(" ")).digest("base64url").slice(0, 22);
}

/** Adds the prices up: one sum per currency, and the number of targets without a known price. */
export function sumsOf(targets: readonly Pick<ApprovedTarget, "price">[]): { sums: Limit[]; unknown: number } {
  return {
    sums: sumsByCurrency(targets.flatMap(({ price }) => (price === null || price === "unknown" ? [] : [price]))),
    unknown: targets.filter(({ price }) => price === "unknown").length,
  };
}

/** The sum as one price. It is "unknown" if a price is missing or there are two currencies; null if all is free. */
export function priceOfAll(targets: readonly Pick<ApprovedTarget, "price">[]): z.infer<typeof Charge> {
  const { sums, unknown } = sumsOf(targets);
  const [only, second] = sums;
  if (unknown > 0 || second) return "unknown";
  if (!only) return null;
  // If tax comes on top of one price, the whole sum counts as before tax: too much rather than too little.
  const taxed = targets.some(({ price }) => price !== null && price !== "unknown" && price.beforeTax);
  return taxed ? { ...only, beforeTax: true } : only;
}
