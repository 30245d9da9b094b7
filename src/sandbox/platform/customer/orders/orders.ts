// customer/orders/: what can be ordered and where, and orders: their body, the rules that it is held against, and the
// result (spec 2.7, 2.8 and 4.6).

import { notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { type Order, orderStatus, servicesOf } from "../../world/order.ts";
import { holderOf } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import { inScope } from "../request/access.ts";
import { type Call, ordering, type Route, viewing } from "../request/call.ts";
import { pageOf } from "../request/pages.ts";
import { createOrder } from "./create.ts";
import { orderDetail, orderRow } from "./rows.ts";

export const orderRoutes: Route[] = [
  { ...viewing, path: "/orders", handle: list },
  { ...viewing, path: "/orders/{id}", handle: show },
  { ...ordering, path: "/orders", handle: createOrder },
];

function list(call: Call) {
  const { world, query } = call;
  const hostname = query.get("hostname")?.toLowerCase();
  const key = query.get("idempotencyKey");
  const status = query.get("status");
  const mine = myOrders(call)
    .filter((order) => hostname === undefined || hasHostname(world, order, hostname))
    .filter((order) => key === null || order.idempotency_key === key)
    .filter((order) => status === null || orderStatus(world, order) === status);
  const { rows, page, limit, total } = pageOf(call, mine, 20);
  return ok({ orders: rows.map((order) => orderRow(world, order)), pagination: { page, limit, total } });
}

function show(call: Call) {
  const id = param(call, "id").toLowerCase();
  const order = myOrders(call).find((one) => one.id === id);
  if (order === undefined) throw notFound("Order");
  return ok({ order: orderDetail(call.world, order) });
}

function myOrders(call: Call): Order[] {
  const holder = holderOf(call.user);
  return [...call.world.orders.values()]
    .filter((order) => order.holder === holder && inScope(call, order.project_id))
    .reverse();
}

/** Matches the order, its lines and what was built from it, whatever the case. */
function hasHostname(world: World, order: Order, hostname: string): boolean {
  const built = servicesOf(world, order).map((service) => service.hostname);
  return [order.hostname, ...order.items.map((item) => item.hostname), ...built].some(
    (name) => name?.toLowerCase() === hostname,
  );
}
