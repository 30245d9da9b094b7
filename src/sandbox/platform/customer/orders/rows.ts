import { eurosText } from "../../money/money.ts";
import type { Service } from "../../world/service.ts";
import type { World } from "../../world/world.ts";

interface OrderItem {
  id: string;
  product_id: string;
  product_name: string;
  billing_cycle: string;
  quantity: number;
  hostname: string | null;
  /** In cents, without tax. */
  amount: number;
}

export interface Order {
  id: string;
  number: string;
  holder: string;
  project_id: string;
  order_type: "new" | "addon" | "upgrade";
  hostname: string | null;
  idempotency_key: string | null;
  items: OrderItem[];
  service_ids: string[];
  document_id: string | null;
  /** In cents, with tax. */
  total: number;
  created_at: string;
}

export function servicesOf(world: World, order: Order): Service[] {
  return order.service_ids.flatMap((id) => world.services.get(id) ?? []);
}

export function orderStatus(world: World, order: Order): string {
  const document = order.document_id === null ? undefined : world.documents.get(order.document_id);
  if (document?.status === "cancelled") return "cancelled";
  if (document !== undefined && document.status !== "paid" && document.status !== "converted") return "pending";
  const built = servicesOf(world, order).every((service) => service.status === "active");
  return built ? "completed" : "processing";
}

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
