import { randomUUID } from "node:crypto";
import type { BillingDocument } from "../world/billing.ts";
import type { Order } from "../world/order.ts";
import type { Service } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { nextNumber } from "./numbers.ts";

/** Add-ons and upgrades are orders, too. */
export function recordOrder(
  world: World,
  service: Service,
  type: Order["order_type"],
  document: BillingDocument | null,
  what: string,
): Order {
  const net = document === null ? 0 : document.total - document.tax;
  const order: Order = {
    id: randomUUID(),
    number: nextNumber(world, "ORD", world.orders),
    holder: service.holder,
    project_id: service.project_id,
    order_type: type,
    hostname: service.hostname,
    idempotency_key: null,
    items: [
      {
        id: randomUUID(),
        product_id: service.product.id,
        product_name: what,
        billing_cycle: service.billing.cycle,
        quantity: 1,
        hostname: service.hostname,
        amount: net,
      },
    ],
    service_ids: [service.id],
    document_id: document?.id ?? null,
    total: document?.total ?? 0,
    created_at: isoNow(world),
  };
  world.orders.set(order.id, order);
  return order;
}
