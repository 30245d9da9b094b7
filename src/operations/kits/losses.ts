import type { TargetKind } from "../../operation/target.ts";
import { listing } from "../../views/text.ts";

/** A part of a service that ends with it, beside its disk or data. `names` as mrkdwn; without any, `what` alone is in the sentence. */
export interface LostPart {
  what: string;
  names?: readonly string[];
}

/** "`a`, `b`, `c`, `d` and more": a sentence has room for four names. */
export function namesOf(names: readonly string[]): string {
  return listing([...names.slice(0, 4), ...(names.length > 4 ? ["more"] : [])]);
}

/**
 * " Its snapshots and addresses (`192.0.2.1` and `192.0.2.2`) will be lost."; empty without parts. It comes last of the loss: a dialog that
 * has no room for the names leaves it out, and the sentences before it say that the disk or the data goes.
 */
export function alsoLost(parts: readonly LostPart[], { when = "" }: { when?: string } = {}): string {
  const texts = parts.map(({ what, names = [] }) => (names.length > 0 ? `${what} (${namesOf(names)})` : what));
  return texts.length > 0 ? ` Its ${listing(texts)} will be lost${when}.` : "";
}

/** A kind as this file sees it: the parts that its target kind declares. */
type Losing = Pick<TargetKind<never, never>, "lostWith">;

/** The same of all parts of a kind. `names`: those that its row shows, by the part. */
export function partsLost(
  { lostWith = [] }: Losing,
  names: Readonly<Record<string, readonly string[]>> = {},
  at?: { when: string },
): string {
  return alsoLost(
    lostWith.map((what) => ({ what, names: names[what] ?? [] })),
    at,
  );
}

/** The same of one that may lack some of them, and whose row shows none. */
export function anyLost({ lostWith = [] }: Losing, { when = "" }: { when?: string } = {}): string {
  return ` Any ${listing([...lostWith])} will be lost${when}.`;
}
