import { listing } from "../../views/text.ts";

/** The loss of add-ons that a new plan does not offer, as a sentence; null if there is none. The spec leaves open if they end. */
export function leftOutLoss(titles: readonly string[]): string | null {
  return titles.length === 0
    ? null
    : `The new plan does not offer ${listing([...titles])}. ${titles.length > 1 ? "They may end, with their" : "It may end, with its"} data.`;
}

/** The loss of add-ons that end, as a sentence; null if none ends. The platform does not say what an add-on holds. */
export function addOnLoss(titles: readonly string[], isMany = titles.length > 1): string | null {
  if (titles.length === 0) return null;
  return `${listing([...titles])} will end, and ${isMany ? "their" : "its"} data, backups or addresses will be lost.`;
}
