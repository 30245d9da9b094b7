import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf } from "../http/data.ts";
import type { Page } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import { Amount, Currency } from "../money.ts";
import type { ResellerClient } from "./client.ts";
import { resellerPage } from "./pages.ts";
import { PaymentMode, PaymentStatus, ProvisioningStatus, ServiceStatus } from "./states.ts";

const text = z.string().nullish();

/** A row of the partner's orders; `total_amount` is in the base currency, `wholesale_amount` in `currency`. `provisioning_error` only on its own page. Reseller spec section 2.3. */
export const Order = z
  .object({
    id: z.string().min(1),
    order_number: Id.nullish(),
    status: text,
    billing_cycle: text,
    total_amount: Amount.nullish(),
    created_at: DateTime.nullish(),
    external_order_id: text,
    payment_status: PaymentStatus.nullish(),
    payment_mode: PaymentMode.nullish(),
    paymentMode: PaymentMode.nullish(),
    provisioning_status: ProvisioningStatus.nullish(),
    provisioning_error: text,
    wholesale_amount: Amount.nullish(),
    currency: Currency.nullish(),
    payment_failed_reason: text,
    invoice_id: text,
    proforma_id: text,
    proformaId: text,
    external_customer_id: text,
    external_customer_email: text,
    external_customer_name: text,
    product_name: text,
    services: z
      .array(z.object({ serviceId: z.string(), status: ServiceStatus.nullish(), hostname: text, serverIp: text }))
      .nullish()
      .transform((services) => services ?? []),
  })
  // The spec writes these two in camel case, among fields that are not.
  .transform(({ paymentMode, proformaId, ...row }) => ({
    ...row,
    payment_mode: row.payment_mode ?? paymentMode,
    proforma_id: row.proforma_id ?? proformaId,
  }));
export type Order = z.infer<typeof Order>;

export interface OrderQuery {
  page?: number;
  /** 50 unless told, 200 at most. */
  limit?: number;
  externalOrderId?: string;
  /** Of the payment. */
  status?: PaymentStatus;
}

const orderPage = resellerPage("orders", Order);

/** GET /orders: a page. The platform counts from an offset, so that where it gives fewer rows than were asked for, the page is read again by the limit that it named. Reseller spec sections 2.1, 2.3, 4 and 8. */
export async function listOrders(client: ResellerClient, query: OrderQuery = {}): Promise<Page<Order>> {
  const { page = 1, limit = 50, externalOrderId, status } = query;
  const read = (size: number) =>
    client.get("/orders", orderPage, { externalOrderId, status, limit: size, offset: (page - 1) * size });
  const told = await read(limit);
  return page === 1 || told.pagination.limit >= limit ? told : read(told.pagination.limit);
}

/** GET /orders?externalOrderId=: the order of that idempotency key, or null. By this a failed order is reconciled. Reseller spec sections 4.1 and 7. */
export async function findOrder(client: ResellerClient, externalOrderId: string): Promise<Order | null> {
  const { rows } = await listOrders(client, { externalOrderId });
  return rows.find((row) => row.external_order_id === externalOrderId) ?? null;
}

/** GET /orders/{orderId}. What it says of provisioning is authoritative. Reseller spec sections 2.3, 4 and 7. */
export async function readOrder(client: ResellerClient, orderId: string): Promise<Order> {
  return (await client.get(path("/orders/{orderId}", { orderId }), dataOf("order", Order))).data;
}
