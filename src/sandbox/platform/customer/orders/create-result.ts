import { documentRow, isSettled, payFromCredit, remainingOf, stateOf } from "../../money/documents.ts";
import { euros } from "../../money/money.ts";
import type { BillingDocument } from "../../world/billing.ts";
import type { Call } from "../request/call.ts";

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

export function nestedDocument(document: BillingDocument): NestedDocument {
  return { type: document.type, row: documentRow(document) };
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
