import * as z from "zod";
import { data } from "../http/data.ts";
import { type Page, pageOf } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { Amount } from "../money.ts";
import type { CustomerClient } from "./client.ts";
import { DocumentState } from "./documents.ts";
import { ServiceStatus } from "./states.ts";

/** An order; the spec names little of it, the rest is kept as it comes. Spec sections 2.6 and 4.6. */
export const Order = z.looseObject({
  id: z.string().min(1),
  status: z.string().nullish(),
  order_type: z.string().nullish(),
  idempotency_key: z.string().nullish(),
  items: z.array(z.unknown()).optional(),
  services: z.array(z.looseObject({ id: z.string().min(1), status: ServiceStatus.optional() })).optional(),
});
export type Order = z.infer<typeof Order>;

/**
 * What an order or a bought add-on made. Branch on `settled` and `document.status`: the nested rows are older than the settlement.
 * `idempotent` on a replay of an earlier order. Spec section 2.6.
 */
export const CreateResult = z.object({
  order: Order.nullish(),
  services: z.array(z.looseObject({ id: z.string().min(1) })).nullish(),
  serviceOption: z.looseObject({ id: z.string().min(1), option_id: z.string(), status: z.string() }).nullish(),
  document: DocumentState.nullish(),
  settled: z.boolean(),
  idempotent: z.boolean().nullish(),
  next_step: z.string().nullish(),
  credit_balance: Amount.nullish(),
});
export type CreateResult = z.infer<typeof CreateResult>;

/** Spec section 2.8. */
export const billingCycles = ["hourly", "monthly", "quarterly", "semi-annually", "annually"] as const;
export type BillingCycle = (typeof billingCycles)[number];

export interface OrderConfiguration {
  os_image_id?: string;
  custom_image_id?: string;
  user_data?: string;
  ssh_keys?: string[];
  ssh_key_ids?: string[];
}

export interface OrderItem {
  productId: string;
  billingCycle: BillingCycle;
  quantity: number;
  configuration?: Record<string, unknown>;
  options?: { optionId: string; quantity: number }[];
}

/** The body of an order: one product, or several lines. Spec section 2.8. */
export type OrderBody = (
  | { productId: string; billingCycle: BillingCycle; configOptions?: OrderConfiguration }
  | { items: OrderItem[]; billingCycle?: BillingCycle }
) & { hostname?: string; projectId?: string; location?: string; discountCode?: string };

/** GET /orders: a page, 20 rows unless told, 200 at most; by host name or idempotency key. Spec sections 4.6 and 8. */
export function listOrders(
  client: CustomerClient,
  query: { page?: number; limit?: number; status?: string; hostname?: string; idempotencyKey?: string } = {},
): Promise<Page<Order>> {
  return client.get("/orders", pageOf("orders", Order), query);
}

/** GET /orders/{id}, with its items and services. Spec section 4.6. */
export async function readOrder(client: CustomerClient, id: string): Promise<Order> {
  return (await client.get(path("/orders/{id}", { id }), data(z.object({ order: Order })))).data.order;
}

/** POST /orders. One idempotency key makes one order, however often it is sent. Spec sections 2.6, 2.8 and 4.6. */
export async function createOrder(
  client: CustomerClient,
  idempotencyKey: string,
  body: OrderBody,
): Promise<CreateResult> {
  return (await client.send("POST", "/orders", data(CreateResult), body, { "Idempotency-Key": idempotencyKey })).data;
}
