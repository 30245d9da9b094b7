import type { Precondition } from "../../operation/answer.ts";
import { unreadIs } from "../../operation/preconditions.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { capital, code, listing } from "../../views/text.ts";

/** An add-on that a service has, and how many of it. Neither spec shows the field of the quantity: null where the row has none. */
export interface HeldAddOn {
  name: PlainText;
  quantity: number | null;
}

/** The add-on of a row, which both APIs send in the platform's layout. */
export function heldAddOn(name: PlainText, quantity: unknown): HeldAddOn {
  return { name, quantity: typeof quantity === "number" ? quantity : null };
}

/** "3 × `Extra IPv4 address`", as mrkdwn; one of it is its name alone. */
export function addOnWords({ name, quantity }: HeldAddOn): string {
  const called = code(name, 60);
  if (quantity === null) return `an unknown quantity of ${called}`;
  return quantity === 1 ? called : `${quantity} × ${called}`;
}

/** The same for a label. */
export function addOnLabel({ name, quantity }: HeldAddOn): PlainText {
  return quantity === null || quantity === 1 ? name : plainly`${quantity} × ${name}`;
}

/** All of it ends at once, so a decision relies on how many there are. */
export function quantityIs({ quantity }: HeldAddOn): Precondition {
  if (quantity === null) return unreadIs("Quantity");
  return { value: quantity, label: "Quantity", text: String(quantity) };
}

/** True where a sentence calls them "they": several add-ons, or several of one. */
function areMany(addOns: readonly HeldAddOn[]): boolean {
  return addOns.length > 1 || addOns.some(({ quantity }) => quantity !== null && quantity > 1);
}

/** "its data, backups or addresses": all that an add-on may hold, which the platform does not say. */
export function heldByAddOns(addOns: readonly HeldAddOn[]): string {
  return `${areMany(addOns) ? "their" : "its"} data, backups or addresses`;
}

/** The loss of add-ons that end, as a sentence; null if none ends. */
export function addOnLoss<A extends HeldAddOn>(
  addOns: readonly A[],
  words: (addOn: A) => string = addOnWords,
): string | null {
  if (addOns.length === 0) return null;
  return `${capital(listing(addOns.map(words)))} will end, and ${heldByAddOns(addOns)} will be lost.`;
}

/** The loss of add-ons that a new plan does not offer, as a sentence; null if there is none. The spec leaves open if they end. */
export function leftOutLoss(addOns: readonly HeldAddOn[]): string | null {
  if (addOns.length === 0) return null;
  const end = areMany(addOns) ? "They may end, with their" : "It may end, with its";
  return `The new plan does not offer ${listing(addOns.map(addOnWords))}. ${end} data.`;
}

/** The add-ons that the new plan does not offer, for a decision to rely on; none without any. */
export function leftOutIs(addOns: readonly HeldAddOn[]): { leftOut?: Precondition } {
  const text = listing(addOns.map(addOnWords));
  return text === "" ? {} : { leftOut: { value: text, label: "Not offered with it", text } };
}
