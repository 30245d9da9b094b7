import type { Preconditions, Step } from "../../operation/answer.ts";
import { timeIs } from "../../operation/preconditions.ts";
import { documentReads } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { DocumentState } from "../../platform/customer/documents.ts";
import type { Service } from "../../platform/customer/services.ts";
import { previewUpgrades } from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { oncePer } from "../../process/once-per.ts";
import { moment, money, perCycle } from "../../views/format.ts";
import { capital, code } from "../../views/text.ts";
import { currencyFor, payStep } from "../billing/bill.ts";
import { endsAt, serviceName } from "./service.ts";

/** The billing terms of a service; `currency` is the account's, unless a VPS names its own. */
export interface Terms {
  amount: string;
  currency: string | null;
  cycle: string;
  /** Paid until; null if nothing is paid in advance. */
  due: string | null;
  product: string;
  /** The day of its scheduled end; null if it is not cancelled, undefined if the platform does not say. */
  ends: string | null | undefined;
}

const readMachine = oncePer(({ id }: Service, client: CustomerClient) => readVps(client, id));

/**
 * The billing terms of a service, from the reads that have them; null if the platform does not name them. Spec sections 2.3 and
 * 2.12.
 */
export async function readTerms(client: CustomerClient, service: Service): Promise<Terms | null> {
  return (await readTermsOf(client, [service])).get(service.id) ?? null;
}

/** The same of several services, by their ids: a call for each, and one for the account's currency. */
export async function readTermsOf(client: CustomerClient, services: readonly Service[]): Promise<Map<string, Terms>> {
  const read = await Promise.all(services.map((service) => readOwnTerms(client, service)));
  const named = read.filter((terms) => terms !== null);
  const account = named.some(({ currency }) => currency === null) ? await currencyFor(client, null) : null;
  return new Map(named.map(({ id, ...terms }) => [id, { ...terms, currency: terms.currency ?? account }]));
}

async function readOwnTerms(client: CustomerClient, service: Service): Promise<(Terms & { id: string }) | null> {
  const { id, serviceType } = service;
  if (serviceType === "vps") {
    const { billing, product, cancellation } = await readMachine(service, client);
    const { amount, currency, cycle, next_due_date: due } = billing;
    return { id, amount, currency, cycle, due, product: product.name, ends: cancellation?.scheduled_date ?? null };
  }
  // Some kinds cannot be upgraded: their price is unknown.
  const preview = await previewUpgrades(client, id).catch(nullIfRefused(400, 404));
  if (!preview) return null;
  const { amount, billingCycle, nextDueDate, productName } = preview.service;
  const ends = endsAt(service);
  return { id, amount, currency: null, cycle: billingCycle, due: nextDueDate, product: productName, ends };
}

/** The currency of a service's prices: its own, which only a VPS names, otherwise the account's. */
export async function readCurrency(client: CustomerClient, service: Service): Promise<string | null> {
  const isVps = service.serviceType === "vps";
  return currencyFor(client, isVps ? (await readMachine(service, client)).billing.currency : null);
}

/** The scheduled end of a service, for the card of an act that is paid and does not keep it: a warning, and what must stay the same. */
export async function readEnd(client: CustomerClient, service: Service) {
  const isVps = service.serviceType === "vps";
  const ends = isVps ? ((await readMachine(service, client)).cancellation?.scheduled_date ?? null) : endsAt(service);
  const warning = ends
    ? [`${code(serviceName(service))} is cancelled and ends ${moment(ends)}. This does not keep it.`]
    : [];
  return { warning, precondition: endPrecondition(ends) };
}

/** None where the platform does not say if it ends. */
export function endPrecondition(ends: string | null | undefined): Preconditions {
  if (ends === undefined) return {};
  return { ends: ends ? timeIs("Ends", ends) : { value: "never", label: "Ends", text: "not cancelled" } };
}

export function priceOf(terms: Terms | null): string {
  return terms ? perCycle(money(terms.amount, terms.currency), terms.cycle) : "The platform does not show it.";
}

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
  if (!document) return { text: "The platform did not name the document to pay: check your documents.", next: [] };
  if (document.status === "paid" || document.status === "converted") return null;
  // It was accepted, and nothing can be paid on it: that is not the same as paid.
  if (document.status === "cancelled")
    return {
      text: `The platform has cancelled ${nameOfType(document)} of ${money(document.total, currency)} for it.`,
      next: [],
    };
  const left = await readRemaining(client, document);
  const part = left !== null && Number(left) !== Number(document.total);
  const total = money(document.total, currency);
  const text = part
    ? `Of ${nameOfType(document)} of ${total}, ${money(left, currency)} is still to be paid.`
    : `${capital(nameOfType(document))} of ${total} waits to be paid.`;
  return { text, next: [payStep(document.id)] };
}

// The purchase is done by now: if the rest cannot be read, it must not look like a failed purchase.
async function readRemaining(client: CustomerClient, { type, id }: DocumentState): Promise<string | null> {
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
