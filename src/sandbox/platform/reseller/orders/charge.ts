import { randomUUID } from "node:crypto";
import { badRequest, Refusal } from "../../http/refusal.ts";
import { issue, payByOperator, payFromCredit } from "../../money/documents.ts";
import { eurosText, taxOn } from "../../money/money.ts";
import type { PaymentMethod, WholesaleOrder } from "../../programme/partner.ts";
import type { User } from "../../world/users.ts";
import { isoNow } from "../../world/world.ts";
import type { Call } from "../request/call.ts";

/** The first fields of every order: nothing is charged yet, and it is priced in the partner's currency. */
export function uncharged({ world, programme, partner }: Call, base: number) {
  const { mode, currency } = programme.settings;
  const amount = Math.round(base * currency.rate);
  return {
    id: randomUUID(),
    number: `RES-${1000 + partner.orders.size}`,
    status: "payment_failed",
    paymentStatus: "processing",
    mode,
    base,
    amount,
    vat: taxOn(amount, world.settings.vatRate),
    currency: currency.code,
    documentId: null,
    paymentError: null,
    provisioningError: null,
    charging: false,
    created_at: isoNow(world),
    fulfil: null,
  } satisfies Partial<WholesaleOrder>;
}

/** Refuses an order that credit cannot pay: before any charge, and with both figures (spec 1.2). */
export function refuseWithoutCredit(call: Call, base: number): void {
  if (call.programme.settings.mode !== "credit") return;
  const owed = base + taxOn(base, call.world.settings.vatRate);
  const { balance } = payer(call);
  if (balance < owed) {
    throw badRequest(`Insufficient credit balance: ${eurosText(owed)} needed, ${eurosText(balance)} available`);
  }
}

/**
 * Charges an order in the mode of the programme that pays now, and records the document that it is paid by. Gives why the
 * gateway refused it, or null once it is paid.
 */
export function charge(call: Call, order: WholesaleOrder, methodId: string | undefined): string | null {
  if (order.mode === "saved_method") {
    const method = methodOf(call, methodId);
    if (method.refusal !== null) return method.refusal;
    method.lastUsedAt = isoNow(call.world);
  } else {
    refuseWithoutCredit(call, order.base);
  }
  const document = issueFor(call, order, () => {});
  if (order.mode === "credit" && document.total > 0) payFromCredit(call.world, payer(call), document);
  else payByOperator(call.world, document);
  return null;
}

/** Raises the document that an order is paid by (spec 1.2). */
export function issueFor(call: Call, order: WholesaleOrder, whenPaid: () => void) {
  const document = issue(call.world, {
    holder: call.partner.holder,
    cause: "order",
    lines: [{ description: `${order.product.name} × ${order.quantity}, ${order.cycle}`, amount: order.base }],
    service_ids: order.serviceIds,
    whenPaid,
  });
  order.documentId = document.id;
  return document;
}

/** The method that is named, else the default one. */
export function methodOf({ partner }: Call, id: string | undefined): PaymentMethod {
  const method = partner.paymentMethods.find((one) => (id === undefined ? one.isDefault : one.id === id));
  if (method !== undefined) return method;
  throw badRequest(id === undefined ? "There is no saved payment method" : "There is no such payment method");
}

function payer({ world, partner }: Call): User {
  const user = world.users.get(partner.owner);
  if (user === undefined) throw new Refusal(500, "", "The partner has no owner");
  return user;
}
