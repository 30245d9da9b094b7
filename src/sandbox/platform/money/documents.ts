// money/: what is charged and how it is paid: documents, orders as records, add-ons, upgrades and their prices. Whole
// cents. A rule that is broken is a Refusal, which each API puts into its own envelope.

import { randomUUID } from "node:crypto";
import { badField, badRequest } from "../http/refusal.ts";
import type { BillingDocument, Payment } from "../world/billing.ts";
import type { User } from "../world/users.ts";
import { isoNow, type World } from "../world/world.ts";
import { euros, eurosText, taxOn } from "./money.ts";
import { nextNumber } from "./numbers.ts";

interface NewDocument {
  holder: string;
  cause: BillingDocument["cause"];
  lines: BillingDocument["lines"];
  service_ids: string[];
  whenPaid: () => void;
}

/** Issues one document, of the type that the operator has chosen, with tax on top of its lines. */
export function issue(world: World, details: NewDocument, type = world.settings.document): BillingDocument {
  const net = details.lines.reduce((sum, line) => sum + line.amount, 0);
  const tax = taxOn(net, world.settings.vatRate);
  const document: BillingDocument = {
    id: randomUUID(),
    type,
    number: nextNumber(world, type === "invoice" ? "INV" : "PRO", world.documents),
    status: "unpaid",
    tax,
    total: net + tax,
    payments: [],
    invoice_id: null,
    created_at: isoNow(world),
    ...details,
  };
  world.documents.set(document.id, document);
  return document;
}

export function paidOf(document: BillingDocument): number {
  return document.payments.reduce((sum, payment) => sum + payment.amount, 0);
}

export function remainingOf(document: BillingDocument): number {
  return isOpen(document) ? document.total - paidOf(document) : 0;
}

export function isOpen(document: BillingDocument): boolean {
  return document.status === "unpaid" || document.status === "pending";
}

export function isSettled(document: BillingDocument): boolean {
  return document.status === "paid" || document.status === "converted";
}

/** The `document` object of spec 2.6. */
export function stateOf(document: BillingDocument) {
  const { type, id, status, total } = document;
  return { type, id, status, total: eurosText(total), settled: isSettled(document) };
}

interface CreditResult {
  payment: Payment;
  /** The invoice that a proforma became by this payment. */
  invoice: BillingDocument | null;
}

/** Pays from the user's own credit; `amount` in cents, by default what the balance and the document allow. */
export function payFromCredit(world: World, user: User, document: BillingDocument, amount?: number): CreditResult {
  if (!isOpen(document)) throw badRequest(`This ${document.type} is already settled`);
  const remaining = remainingOf(document);
  const paying = amount ?? Math.min(user.balance, remaining);
  if (paying > remaining) throw badField("amount", "The amount exceeds the outstanding balance");
  if (paying > user.balance || paying <= 0) throw badRequest("Insufficient credit balance");
  user.balance -= paying;
  const payment = record(world, document, paying, "credit");
  world.ledger.unshift({
    id: payment.id,
    user: user.name,
    type: "payment",
    amount: -paying,
    balance: user.balance,
    description: `Credit applied to ${document.number}`,
    created_at: payment.created_at,
  });
  return { payment, invoice: settleIfPaid(world, document) };
}

/** Money from elsewhere: the operator books it. */
export function payByOperator(world: World, document: BillingDocument): void {
  record(world, document, remainingOf(document), "operator");
  settleIfPaid(world, document);
}

export function cancelDocument(document: BillingDocument): void {
  if (isOpen(document)) document.status = "cancelled";
}

/** Every document of a service that still waits for money. */
export function openDocumentsOf(world: World, serviceId: string): BillingDocument[] {
  return [...world.documents.values()].filter((one) => isOpen(one) && one.service_ids.includes(serviceId));
}

/** Prices a document anew, tax too. */
export function reprice(world: World, document: BillingDocument, lines: BillingDocument["lines"]): void {
  const net = lines.reduce((sum, line) => sum + line.amount, 0);
  document.lines = lines;
  document.tax = taxOn(net, world.settings.vatRate);
  document.total = net + document.tax;
}

export function documentRow(document: BillingDocument) {
  const { id, number, status, total, created_at } = document;
  const due_date = new Date(Date.parse(created_at) + daysToPay * 86_400_000).toISOString();
  return { id, number, status, total: eurosText(total), currency: "EUR", created_at, due_date };
}

export const daysToPay = 14;

export function paymentRow({ id, amount, method, created_at }: Payment) {
  return { id, amount: euros(amount), method, created_at };
}

function record(world: World, document: BillingDocument, amount: number, method: Payment["method"]): Payment {
  const payment: Payment = { id: randomUUID(), amount, method, created_at: isoNow(world) };
  document.payments.push(payment);
  document.status = world.settings.shapes.paidInPart;
  return payment;
}

function settleIfPaid(world: World, document: BillingDocument): BillingDocument | null {
  if (paidOf(document) < document.total) return null;
  const invoice = document.type === "proforma" ? convert(world, document) : null;
  document.status = document.type === "proforma" ? "converted" : "paid";
  document.whenPaid();
  return invoice;
}

function convert(world: World, proforma: BillingDocument): BillingDocument {
  const { holder, lines, service_ids } = proforma;
  const invoice = issue(world, { holder, lines, service_ids, cause: "conversion", whenPaid: () => {} }, "invoice");
  invoice.status = "paid";
  invoice.total = proforma.total;
  invoice.tax = proforma.tax;
  invoice.payments = [...proforma.payments];
  if (world.settings.recordsConversion) proforma.invoice_id = invoice.id;
  return invoice;
}
