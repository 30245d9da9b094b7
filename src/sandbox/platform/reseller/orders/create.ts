import { conflict } from "../../http/refusal.ts";
import type { ApiResponse } from "../../http/response.ts";
import { customerFor, type WholesaleOrder } from "../../programme/partner.ts";
import { isoNow } from "../../world/world.ts";
import { type Call, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { methodOf, refuseWithoutCredit, uncharged } from "./charge.ts";
import { createServices } from "./fulfil.ts";
import { isVisible, orderResult, replayResult } from "./rows.ts";
import { checkOrder, type OrderBody, orderBody } from "./rules.ts";
import { chargeRefused, invoice, notCreated, settle } from "./settle.ts";

/** Places one order for one `externalOrderId`; the answer to a repeated request is the first order (spec 4.1). */
export function createOrder(call: Call): ApiResponse {
  const body = readBody(call, orderBody);
  const first = [...call.partner.orders.values()].find((one) => {
    return (
      one.kind === "services" && body.externalOrderId !== undefined && one.externalOrderId === body.externalOrderId
    );
  });
  if (first !== undefined) return replay(call, first);
  const checked = checkOrder(call, body);
  refuseWithoutCredit(call, checked.base);
  if (call.programme.settings.mode === "saved_method") methodOf(call, body.paymentMethodId);

  const order: WholesaleOrder = {
    ...uncharged(call, checked.base),
    kind: "services",
    externalOrderId: body.externalOrderId ?? null,
    externalReference: null,
    product: { id: checked.product.id, name: checked.product.name },
    cycle: body.billingCycle,
    quantity: body.quantity,
    options: checked.options,
    customer: attributedTo(call, body),
    serviceIds: [],
  };
  call.partner.orders.set(order.id, order);
  if (order.mode === "invoice") {
    const services = createServices(call, order, checked);
    if (services === null) return notCreated(call, order);
    invoice(call, order, services);
    return underName(call, "order", orderResult(call, order), 201);
  }
  order.fulfil = () => createServices(call, order, checked);
  const outcome = settle(call, order, body.paymentMethodId);
  if (outcome === "refused") return chargeRefused(call, order);
  if (outcome === "not created") return notCreated(call, order);
  return underName(call, "order", orderResult(call, order), 201);
}

function replay(call: Call, order: WholesaleOrder): ApiResponse {
  if (!isVisible(call, order)) throw conflict("This externalOrderId is already used");
  return underName(call, "order", replayResult(call, order));
}

/** A key that is bound to a customer orders for that customer, even if the body names another. */
function attributedTo({ world, partner, key }: Call, body: OrderBody): WholesaleOrder["customer"] {
  const bound = partner.customers.get(key.customer ?? "");
  if (bound !== undefined) return { id: bound.externalId, email: bound.email, name: bound.name };
  const { externalCustomerId: id, externalCustomerEmail: email = null, externalCustomerName: name = null } = body;
  if (id === undefined) return null;
  const record = customerFor(partner, { externalId: id, email, name, created_at: isoNow(world) });
  return { id, email: email ?? record.email, name: name ?? record.name };
}
