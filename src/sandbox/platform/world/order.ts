import type { BillingDocument } from "./billing.ts";
import type { Service } from "./service.ts";

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

/** The ordered items: services, add-ons or a change of plan. */
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

/** The parts of the world that these functions need. */
interface Orders {
  services: Map<string, Service>;
  documents: Map<string, BillingDocument>;
}

/** The services of these ids, as far as they are still there. */
export function servicesWith(world: Pick<Orders, "services">, ids: string[]): Service[] {
  return ids.flatMap((id) => world.services.get(id) ?? []);
}

export function servicesOf(world: Pick<Orders, "services">, order: Order): Service[] {
  return servicesWith(world, order.service_ids);
}

export function orderStatus(world: Orders, order: Order): string {
  const document = order.document_id === null ? undefined : world.documents.get(order.document_id);
  if (document?.status === "cancelled") return "cancelled";
  if (document !== undefined && document.status !== "paid" && document.status !== "converted") return "pending";
  const built = servicesOf(world, order).every((service) => service.status === "active");
  return built ? "completed" : "processing";
}
