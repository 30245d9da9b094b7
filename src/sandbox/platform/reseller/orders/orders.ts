import { z } from "zod";
import { badRequest, conflict, notFound } from "../../http/refusal.ts";
import { param } from "../../http/router.ts";
import type { WholesaleOrder } from "../../programme/partner.ts";
import { type Order, servicesOf } from "../../world/order.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { byOffset } from "../request/pages.ts";
import { createOrder } from "./create.ts";
import { isVisible, orderResult, orderRow, provisioned, provisioningOf, storefrontRow } from "./rows.ts";
import { notCreated, retryRefused, settle } from "./settle.ts";

export const orderRoutes: Route[] = [
  { method: "POST", path: "/orders", scope: "orders", handle: createOrder },
  { method: "GET", path: "/orders", scope: "read", handle: list },
  { method: "GET", path: "/orders/{orderId}", scope: "read", handle: show },
  { method: "POST", path: "/orders/{orderId}/retry", scope: "orders", handle: retry },
];

/** Newest first; those of the panel, too. */
function list(call: Call) {
  const { query } = call;
  const external = query.get("externalOrderId");
  const status = query.get("status");
  const rows = [
    ...programmeOrders(call).map((order) => orderRow(call, order)),
    ...storefrontOrders(call).map((order) => storefrontRow(call, order)),
  ]
    .filter((row) => external === null || row.external_order_id === external)
    .filter((row) => status === null || row.payment_status === status)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  return byOffset(call, "orders", rows, { usual: 50, most: 200 }, (row) => row);
}

function show(call: Call) {
  const id = param(call, "orderId").toLowerCase();
  const own = programmeOrders(call).find((order) => order.id === id);
  if (own !== undefined) {
    const provisioning_error = provisioningOf(call, own).error;
    return underName(call, "order", { ...orderRow(call, own), provisioning_error });
  }
  const other = storefrontOrders(call).find((order) => order.id === id);
  if (other === undefined) throw notFound("Order");
  const provisioning_error = provisioned(servicesOf(call.world, other)).error;
  return underName(call, "order", { ...storefrontRow(call, other), provisioning_error });
}

const retryBody = z.object({ paymentMethodId: z.string().optional() });

/** Charges what was quoted when it was placed (spec 4.1). */
function retry(call: Call) {
  const id = param(call, "orderId").toLowerCase();
  if (storefrontOrders(call).some((order) => order.id === id)) throw conflict("This order is paid in the panel");
  const order = programmeOrders(call).find((one) => one.id === id);
  if (order === undefined) throw notFound("Order");
  if (order.charging) throw conflict("Another attempt to charge this order is in flight");
  if (order.status === "invoiced") throw badRequest("The order is invoiced");
  if (order.status !== "payment_failed") throw badRequest("The order is already paid");
  const outcome = settle(call, order, readBody(call, retryBody).paymentMethodId);
  if (outcome === "refused") throw retryRefused(order);
  if (outcome === "not created") return notCreated(call, order);
  const { orderId, externalOrderId, status, paymentMode, invoiceId, services } = orderResult(call, order);
  return underName(call, "order", { orderId, externalOrderId, status, paymentMode, invoiceId, services });
}

function programmeOrders(call: Call): WholesaleOrder[] {
  return [...call.partner.orders.values()].filter((order) => isVisible(call, order));
}

function storefrontOrders(call: Call): Order[] {
  if (call.key.customer !== null) return [];
  return [...call.world.orders.values()].filter((order) => {
    return order.holder === call.partner.holder && order.order_type === "new" && !call.partner.orders.has(order.id);
  });
}
