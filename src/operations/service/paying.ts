import type { Step } from "../../operation/answer.ts";
import { documentReads } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { DocumentState } from "../../platform/customer/documents.ts";
import { money } from "../../views/format.ts";

/** What is still to be paid of a document that a purchase made. */
export interface Owed {
  /** "An invoice of 12.10 EUR waits to be paid." */
  text: string;
  next: Step[];
}

/** Says what a document asks for; null where nothing is owed. Branches on `settled`, as the contract says (spec section 2.6). */
export async function owedOn(
  client: CustomerClient,
  { document, settled }: { document?: DocumentState | null | undefined; settled?: boolean | undefined },
  currency: string | null,
): Promise<Owed | null> {
  if (settled === true || document?.settled === true) return null;
  if (!document)
    return { text: "The platform did not say which document is to be paid for it: look at your documents.", next: [] };
  if (document.status === "paid" || document.status === "converted" || document.status === "cancelled") return null;
  const left = await remainingOf(client, document);
  const part = left !== null && Number(left) !== Number(document.total);
  const total = money(document.total, currency);
  const text = part
    ? `Of ${nameOfType(document)} of ${total}, ${money(left, currency)} is still to be paid.`
    : `${capital(nameOfType(document))} of ${total} waits to be paid.`;
  return { text, next: [payStep(document.id)] };
}

export function payStep(document: string): Step {
  return { label: "Pay…", command: "billing pay", target: document, style: "primary" };
}

// The purchase has been made by now: that what is left of it cannot be read must not look like a purchase that failed.
async function remainingOf(client: CustomerClient, { type, id }: DocumentState): Promise<string | null> {
  try {
    const detail = await documentReads[type](client, id);
    return detail.remaining_amount;
  } catch {
    return null;
  }
}

function nameOfType({ type }: DocumentState): string {
  return type === "invoice" ? "an invoice" : "a proforma";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
