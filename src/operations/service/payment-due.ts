import type { Step } from "../../operation/answer.ts";
import { documentReads } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { DocumentState } from "../../platform/customer/documents.ts";
import { money } from "../../views/format.ts";

/** The unpaid amount on the document of a purchase, with a button to pay it. */
export interface PaymentDue {
  /** "An invoice of 12.10 EUR waits to be paid." */
  text: string;
  next: Step[];
}

/**
 * The payment that a document still needs; null if nothing is owed. Branches on `settled`, as the contract asks (spec section
 * 2.6).
 */
export async function paymentDueOn(
  client: CustomerClient,
  { document, settled }: { document?: DocumentState | null | undefined; settled?: boolean | undefined },
  currency: string | null,
): Promise<PaymentDue | null> {
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

// The purchase is done by now: if the rest cannot be read, it must not look like a failed purchase.
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
