import { listing } from "../../views/text.ts";

/** A part of a service that ends with it. `names` as mrkdwn; without any, `what` alone is in the sentence. */
export interface LostPart {
  what: string;
  names?: readonly string[];
}

/** "`a`, `b`, `c`, `d` and more": a sentence has room for four names. */
function namesOf(names: readonly string[]): string {
  return listing([...names.slice(0, 4), ...(names.length > 4 ? ["more"] : [])]);
}

/** "disk (50 GB), snapshots and addresses (`192.0.2.1` and `192.0.2.2`) will be lost". */
export function lossOf(parts: readonly LostPart[]): string {
  const texts = parts.map(({ what, names = [] }) => (names.length > 0 ? `${what} (${namesOf(names)})` : what));
  return `${listing(texts)} will be lost`;
}

/** All that ends with a service of any kind. The spec shows snapshots, backups and add-ons at routes of their own, and no list of services has them. */
export const anyLoss = lossOf([{ what: "data" }, { what: "any snapshots, backups, add-ons and addresses" }]);
