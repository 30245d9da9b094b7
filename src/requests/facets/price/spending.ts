import type { Request } from "../../request.ts";
import type { PolicyFacts, Rules } from "../../rules.ts";

/** An amount that counts against the limits: of the act or of the backup before it, with the approval that it needs. */
export interface Spent {
  policyFacts: PolicyFacts;
  verdict: Parameters<Rules["reserve"]>[1];
}

/**
 * Counts the prices before the claim: of ten presses at once, those beyond the daily limit stop here. Resolves to false, with nothing
 * counted, if other spending left no room for all of them.
 */
export async function reservePrices(
  rules: Pick<Rules, "reserve" | "release">,
  request: Request,
  spent: readonly (Spent | null)[],
): Promise<boolean> {
  for (const one of spent) {
    if (one === null || (await rules.reserve(one.policyFacts, one.verdict))) continue;
    await rules.release(request);
    return false;
  }
  return true;
}

/** A request that was refused, or ended before its act, has cost nothing. */
export async function releasePrice(rules: Pick<Rules, "release">, request: Request): Promise<void> {
  if (request.price !== null) await rules.release(request);
}
