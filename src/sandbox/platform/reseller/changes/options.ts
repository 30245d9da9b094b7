// reseller/changes/: what changes what a service is and costs: its add-ons as an absolute set, another package, and the
// document that shows all of a service (spec 2.4, 3.4 and 4.2).

import { z } from "zod";
import { notFound } from "../../http/refusal.ts";
import { type ApiResponse, json, ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { billedText, euros } from "../../money/money.ts";
import type { OrderedOption, WholesaleOrder } from "../../programme/partner.ts";
import { optionPrice, optionsOf, type WholesaleOption } from "../../programme/prices.ts";
import type { AddOn } from "../../world/billing.ts";
import type { Service } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { methodOf, refuseWithoutCredit, uncharged } from "../orders/charge.ts";
import { orderResult } from "../orders/rows.ts";
import { optionsBody } from "../orders/rules.ts";
import { invoice, refusedWith, settle } from "../orders/settle.ts";
import { refuseWithheld, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { type Difference, differenceOf, heldBy, productOf, putOn, takeAway, takeOff } from "./difference.ts";

const path = "/services/{serviceId}/options";

export const optionRoutes: Route[] = [
  {
    method: "GET",
    path,
    scope: "read",
    handle: (call) => underName(call, "options", optionsSection(call, serviceOf(call))),
  },
  { method: "PUT", path, scope: "orders", handle: set },
  { method: "DELETE", path: `${path}/{serviceOptionId}`, scope: "orders", handle: remove },
];

/** The section about options in the service's document, at wholesale prices. */
export function optionsSection(call: Call, service: Service) {
  const product = productOf(call, service);
  const addOns = heldBy(call, service);
  return {
    priceBasis: "wholesale",
    active: addOns.map((addOn) => addOnRow(call, service, addOn)),
    available: product === undefined ? [] : optionsOf(product).map((option) => availableRow(call, service, option)),
  };
}

function availableRow(call: Call, service: Service, option: WholesaleOption) {
  const { id, name, pricingType, maxQuantity } = option;
  const price = optionPrice(call.programme, option, service.billing.cycle);
  const money = { price: price.cycle / 100, setupFee: euros(price.setup) };
  const row = { name, pricingType, maxQuantity };
  return shapeOf(call, service.id, 2) === 0 ? { id, ...row, ...money } : { optionId: id, ...row, pricing: money };
}

// Of a row the spec shows its id alone.
function addOnRow(
  call: Call,
  service: Service,
  { id, option_id, name, status, quantity, billing_cycle, amount }: AddOn,
) {
  if (shapeOf(call, service.id, 2) === 0) {
    return { id, optionId: option_id, name, status, quantity, billingCycle: billing_cycle, amount: billedText(amount) };
  }
  return { id, option_id, name, status, quantity, billing_cycle, price: euros(amount) };
}

const body = z.object({
  options: optionsBody,
  externalReference: z.string().min(1).max(90, "externalReference has at most 90 characters").optional(),
});

/** An absolute set: what is not in it goes, and what is more is charged (spec 4.2). */
function set(call: Call) {
  const service = serviceOf(call);
  refuseWithheld(call, service);
  const { options, externalReference = null } = readBody(call, body);
  const first = [...call.partner.orders.values()].find((one) => {
    const same = one.kind === "options" && externalReference !== null && one.externalReference === externalReference;
    return same && one.status !== "payment_failed";
  });
  if (first !== undefined) return replay(call, service, first);
  const difference = differenceOf(call, service, options);
  const owed = [...difference.added, ...difference.increased];
  const base = owed.reduce((sum, one) => sum + (one.unitPrice + one.setupFee) * one.quantity, 0);
  if (base === 0) {
    takeOff(call, service, difference);
    putOn(call, service, owed, "active");
    return answer(call, service, difference, { status: 200, order: null });
  }
  refuseWithoutCredit(call, base);
  if (call.programme.settings.mode === "saved_method") methodOf(call, undefined);
  const order = newOrder(call, service, { base, owed, externalReference });
  return order.mode === "invoice"
    ? setLater(call, service, order, difference)
    : setNow(call, service, order, difference);
}

function setNow(call: Call, service: Service, order: WholesaleOrder, difference: Difference): ApiResponse {
  order.fulfil = () => {
    takeOff(call, service, difference);
    return putOn(call, service, order.options, "active");
  };
  const outcome = settle(call, order, undefined);
  if (outcome === "refused") {
    const charge = chargeOf(call, order);
    const shape = shapeOf(call, order.id, 2);
    if (shape === 1) return refusedWith(call, 402, order.paymentError ?? "The charge failed", order);
    return json(402, { success: false, error: order.paymentError, data: { ...namesOf(difference), charge } });
  }
  return answer(call, service, difference, { status: 200, order });
}

/** An added option waits for its document; a removed one goes at once. */
function setLater(call: Call, service: Service, order: WholesaleOrder, difference: Difference): ApiResponse {
  takeOff(call, service, difference);
  const waiting = putOn(call, service, order.options, "pending_payment");
  order.fulfil = () => {
    for (const addOn of waiting) if (addOn.status === "pending_payment") addOn.status = "active";
  };
  invoice(call, order, []);
  return answer(call, service, difference, { status: 202, order });
}

function answer(
  call: Call,
  service: Service,
  difference: Difference,
  { status, order }: { status: 200 | 202; order: WholesaleOrder | null },
): ApiResponse {
  return success(status, {
    ...namesOf(difference),
    options: heldBy(call, service).map((addOn) => addOnRow(call, service, addOn)),
    charge: order === null ? null : chargeOf(call, order),
  });
}

function replay(call: Call, service: Service, order: WholesaleOrder): ApiResponse {
  const added = order.options.map(({ optionId, name, quantity }) => ({ optionId, name, quantity }));
  const nothing = { increased: [], decreased: [], removed: [], unchanged: [] };
  const options = heldBy(call, service).map((addOn) => addOnRow(call, service, addOn));
  return ok({ added, ...nothing, options, charge: chargeOf(call, order), idempotent: true });
}

function chargeOf(call: Call, order: WholesaleOrder) {
  const { orderId, status, paymentStatus, paymentMode, amount, vat, total, currency, invoiceId } = orderResult(
    call,
    order,
  );
  return { orderId, status, paymentStatus, paymentMode, amount, vat, total, currency, invoiceId };
}

function namesOf({ added, increased, decreased, removed, unchanged }: Difference) {
  const ordered = ({ optionId, name, quantity }: OrderedOption) => ({ optionId, name, quantity });
  const rowOf = ({ option_id, name, quantity }: AddOn) => ({ optionId: option_id, name, quantity });
  return {
    added: added.map(ordered),
    increased: increased.map(ordered),
    decreased: decreased.map(({ addOn, quantity }) => ({ ...rowOf(addOn), quantity })),
    removed: removed.map(rowOf),
    unchanged: unchanged.map(rowOf),
  };
}

/** By the id of its row. */
function remove(call: Call) {
  const service = serviceOf(call);
  refuseWithheld(call, service);
  const addOn = heldBy(call, service).find(({ id }) => id === param(call, "serviceOptionId").toLowerCase());
  if (addOn === undefined) throw notFound("Option");
  takeAway(call, service, addOn);
  return ok({ removed: addOn.id });
}

function newOrder(
  call: Call,
  service: Service,
  { base, owed, externalReference }: { base: number; owed: OrderedOption[]; externalReference: string | null },
): WholesaleOrder {
  const { partner } = call;
  const customer = partner.customers.get(partner.resold.get(service.id)?.customer ?? "");
  const order: WholesaleOrder = {
    ...uncharged(call, base),
    kind: "options",
    externalOrderId: null,
    externalReference,
    product: { ...service.product },
    cycle: service.billing.cycle,
    quantity: 1,
    options: owed,
    customer: customer === undefined ? null : { id: customer.externalId, email: customer.email, name: customer.name },
    serviceIds: [service.id],
  };
  partner.orders.set(order.id, order);
  return order;
}
