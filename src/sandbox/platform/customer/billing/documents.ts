// customer/billing/: invoices, proformas and paying them; renewals, add-ons and upgrades, which end in one (spec 4.5
// and 4.6).

import { z } from "zod";
import { notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import {
  documentRow,
  isOpen,
  isSettled,
  paidOf,
  payFromCredit,
  paymentRow,
  remainingOf,
} from "../../money/documents.ts";
import { euros, eurosText, toCents } from "../../money/money.ts";
import type { BillingDocument } from "../../world/billing.ts";
import { holderOf } from "../../world/users.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";
import { placedPage } from "../request/envelope.ts";
import { pageOf, pagination } from "../request/pages.ts";

const types = ["invoice", "proforma"] as const;
type DocumentType = (typeof types)[number];

export const billingRoutes: Route[] = [
  { method: "GET", path: "/account/transactions", scope: "read", permission: "billing.view", handle: transactions },
  ...types.flatMap(documentRoutes),
];

function documentRoutes(type: DocumentType): Route[] {
  const read = { method: "GET", scope: "read", permission: "invoices.view" } as const;
  return [
    { ...read, path: `/${type}s`, handle: (call) => list(call, type) },
    { ...read, path: `/${type}s/{id}`, handle: (call) => show(call, documentOf(call, type)) },
    {
      method: "POST",
      path: `/${type}s/{id}/pay`,
      scope: "billing",
      permission: "invoices.pay",
      handle: (call) => pay(call, documentOf(call, type)),
    },
  ];
}

// Billing belongs to the account and knows no projects.
function myDocuments(call: Call, type: DocumentType): BillingDocument[] {
  const holder = holderOf(call.user);
  return [...call.world.documents.values()]
    .filter((document) => document.holder === holder && document.type === type)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
}

function list(call: Call, type: DocumentType) {
  const all = myDocuments(call, type);
  const status = call.query.get("status");
  const page = pageOf(call, status === null ? all : all.filter((document) => document.status === status), 20);
  const more = type === "invoice" ? { stats: statsOf(all) } : {};
  return placedPage(call, `${type}s`, page.rows.map(documentRow), pagination(page), more);
}

function statsOf(documents: BillingDocument[]) {
  const stats: Record<string, { count: number; total: number }> = {};
  for (const { status, total } of documents) {
    const before = stats[status] ?? { count: 0, total: 0 };
    stats[status] = { count: before.count + 1, total: euros(toCents(before.total) + total) };
  }
  return stats;
}

function show(call: Call, document: BillingDocument) {
  const rows = document.lines.map(({ description, amount }) => ({ description, amount: eurosText(amount) }));
  const detail = {
    ...documentRow(document),
    ...orderOf(call, document),
    subtotal: eurosText(document.total - document.tax),
    tax: eurosText(document.tax),
    items: rows,
    ...(document.type === "proforma"
      ? { payments: document.payments.map(paymentRow), invoice_id: document.invoice_id }
      : {}),
  };
  const flat = call.world.settings.shapes.document === "flat";
  return ok({
    ...(flat ? detail : { [document.type]: detail }),
    paid_amount: euros(paidOf(document)),
    remaining_amount: euros(remainingOf(document)),
    settled: isSettled(document),
  });
}

function orderOf({ world }: Call, { id }: BillingDocument): { order_id?: string; order_number?: string } {
  const order = [...world.orders.values()].find(({ document_id }) => document_id === id);
  if (order === undefined) return {};
  const { documentOrder } = world.settings.shapes;
  if (documentOrder === "it names its number") return { order_number: order.number };
  return documentOrder === "it names order" ? { order_id: order.id } : {};
}

const payBody = z.object({ amount: z.number("amount must be a number").positive("amount must be above 0").optional() });

function pay(call: Call, document: BillingDocument) {
  const { amount } = readBody(call, payBody);
  return cooled(call, "pay", document.id, () => {
    const cents = amount === undefined ? undefined : toCents(amount);
    const { payment, invoice } = payFromCredit(call.world, call.user, document, cents);
    const result = { newBalance: euros(call.user.balance), remainingAmount: euros(remainingOf(document)) };
    const paid = !isOpen(document);
    if (document.type === "invoice") return ok({ payment: paymentRow(payment), ...result, invoicePaid: paid });
    return ok({
      creditApplied: euros(payment.amount),
      ...result,
      proformaPaid: paid,
      invoice: invoice === null ? null : documentRow(invoice),
    });
  });
}

function documentOf(call: Call, type: DocumentType): BillingDocument {
  const id = param(call, "id").toLowerCase();
  const document = call.world.documents.get(id);
  if (document?.type !== type || document.holder !== holderOf(call.user)) {
    throw notFound(type === "invoice" ? "Invoice" : "Proforma");
  }
  return document;
}

function transactions(call: Call) {
  const mine = call.world.ledger.filter((entry) => entry.user === call.user.name);
  const page = pageOf(call, mine, 20);
  const rows = page.rows.map(({ user, amount, balance, ...row }) => ({
    ...row,
    amount: euros(amount),
    balance_after: euros(balance),
    currency: "EUR",
  }));
  const { pages: totalPages, ...rest } = pagination(page);
  return placedPage(call, "transactions", rows, { ...rest, totalPages });
}
