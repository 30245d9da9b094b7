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

/** The same of a service of any kind. The spec shows snapshots, backups and add-ons at routes of their own, and no list of services has them. */
export function anyLost({ when = "" }: { when?: string } = {}): string {
  return ` Any snapshots, backups, add-ons and addresses will be lost${when}.`;
}
