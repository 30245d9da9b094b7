import { eurosText } from "../../money/money.ts";
import { type Order, orderStatus, servicesOf } from "../../world/order.ts";
import type { Service } from "../../world/service.ts";
import type { World } from "../../world/world.ts";

export function orderRow(world: World, order: Order) {
  const { id, number, order_type, hostname, idempotency_key, project_id, total, created_at } = order;
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
  };
}

export function orderDetail(world: World, order: Order) {
  const items = order.items.map(({ amount, ...item }) => ({ ...item, amount: eurosText(amount) }));
  return { ...orderRow(world, order), items, services: servicesOf(world, order).map(orderedService) };
}

export function orderedService({ id, name, hostname, status, product, billing, location }: Service) {
  return { id, name, hostname, status, product, billing, location };
}
