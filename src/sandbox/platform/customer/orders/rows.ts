import { documentRow, isSettled, payFromCredit, remainingOf, stateOf } from "../../money/documents.ts";
import { euros, eurosText } from "../../money/money.ts";
import type { BillingDocument } from "../../world/billing.ts";
import { type Order, orderStatus, servicesOf } from "../../world/order.ts";
import type { Service } from "../../world/service.ts";
import type { World } from "../../world/world.ts";
import type { Call } from "../request/call.ts";

export function orderRow(world: World, order: Order) {
  const { id, number, order_type, hostname, idempotency_key, project_id, total, created_at, document_id } = order;
  const document = world.documents.get(document_id ?? "");
  const names = world.settings.shapes.documentOrder === "order names it" && document !== undefined;
  return {
    id,
    order_number: number,
    order_type,
    status: orderStatus(world, order),
    hostname,
    idempotency_key,
    project_id,
    total: eurosText(total),
    currency: "EUR",
    created_at,
    ...(names ? { [`${document.type}_id`]: document.id } : {}),
  };
}

export function orderDetail(world: World, order: Order) {
  const items = order.items.map(({ amount, ...item }) => ({ ...item, amount: eurosText(amount) }));
  const { changedServices } = world.settings.shapes;
  const shown = order.order_type === "upgrade" ? changedServices : "listed";
  const services = shown === "listed" ? servicesOf(world, order).map(orderedService) : [];
  return { ...orderRow(world, order), items, ...(shown === "left out" ? {} : { services }) };
}

export function orderedService({ id, name, hostname, status, product, billing, location }: Service) {
  return { id, name, hostname, status, product, billing, location };
}

interface NestedDocument {
  type: "invoice" | "proforma";
  row: object;
}

/** Rows as they were before anything was settled: the platform serialises them first (spec 2.6). */
export interface NestedRows {
  services: object[];
  document: NestedDocument | null;
  serviceOption?: object;
}

export function nestedDocument(document: BillingDocument | null): NestedDocument | null {
  return document && { type: document.type, row: documentRow(document) };
}

/** If the operator has switched it on, credit pays the document at once, as far as it goes. */
export function autoCredit(call: Call, document: BillingDocument, nested: NestedRows): void {
  const { world, user } = call;
  if (!world.settings.autoCredit || user.balance <= 0 || nested.document === null) return;
  const { payment, invoice } = payFromCredit(world, user, document);
  const applied = {
    creditApplied: euros(payment.amount),
    newBalance: euros(user.balance),
    remainingAmount: euros(remainingOf(document)),
    invoice: invoice === null ? null : documentRow(invoice),
    ...(document.type === "proforma" ? { proformaPaid: isSettled(document) } : {}),
  };
  nested.document.row = { ...nested.document.row, autoCreditApplied: applied };
}

interface Created {
  order: object | null;
  document: BillingDocument | null;
  nested: NestedRows;
}

export function createResult(call: Call, { order, document, nested }: Created) {
  const { document: row, services, serviceOption } = nested;
  return {
    order,
    services,
    ...(serviceOption === undefined ? {} : { serviceOption }),
    invoice: row?.type === "invoice" ? row.row : null,
    proforma: row?.type === "proforma" ? row.row : null,
    ...summary(call, document),
  };
}

/** The first fields of every answer that may cost money; `settled` is true when nothing is owed. */
export function summary(call: Call, document: BillingDocument | null) {
  const settled = document === null || isSettled(document);
  return {
    document: document === null ? null : stateOf(document),
    settled,
    next_step: settled ? "Nothing is owed. Work has begun." : "Pay the document to begin.",
    credit_balance: euros(call.user.balance),
  };
}
