import { ok } from "./answer.ts";
import { type Call, param, type Route } from "./call.ts";
import type { Service } from "./estate.ts";
import { eurosText } from "./money.ts";
import { createOrder } from "./order-create.ts";
import { pageOf } from "./pages.ts";
import { holderOf } from "./people.ts";
import { inScope } from "./projects.ts";
import { notFound } from "./refusal.ts";
import type { World } from "./world.ts";

export interface OrderItem {
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

export const orderRoutes: Route[] = [
  { method: "GET", path: "/orders", scope: "read", permission: "services.view", handle: list },
  { method: "GET", path: "/orders/{id}", scope: "read", permission: "services.view", handle: show },
  { method: "POST", path: "/orders", scope: "orders", permission: "services.manage", handle: createOrder },
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

export function servicesOf(world: World, order: Order): Service[] {
  return order.service_ids.flatMap((id) => world.services.get(id) ?? []);
}

function orderStatus(world: World, order: Order): string {
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
