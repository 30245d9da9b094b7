import * as z from "#zod";
import { Amount, Currency } from "../amounts.ts";
import { AnyTime, Id } from "../fields.ts";
import { inData, objectOrField } from "../http/data.ts";
import type { ListPage } from "../http/pages.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint, type ResellerClient } from "./client.ts";
import { openChargeFailure } from "./refusals.ts";
import { resellerPage } from "./services.ts";
import { PaymentMode, PaymentStatus, ProvisioningStatus, ServiceStatus } from "./states.ts";

const text = z.string().nullish();

/**
 * A row of the partner's orders. `total_amount` is in the base currency, `wholesale_amount` in `currency`. `provisioning_error` is only
 * on its own page. Reseller spec section 2.3.
 */
export const Order = z
  .object({
    id: z.string().min(1),
    order_number: Id.nullish(),
    status: text,
    billing_cycle: text,
    total_amount: Amount.nullish(),
    created_at: AnyTime.nullish(),
    external_order_id: text,
    payment_status: PaymentStatus.nullish(),
    payment_mode: PaymentMode.nullish(),
    paymentMode: PaymentMode.nullish(),
    provisioning_status: ProvisioningStatus.nullish(),
    provisioning_error: text,
    wholesale_amount: Amount.nullish(),
    currency: Currency.nullish(),
    payment_failed_reason: z.string().transform(openChargeFailure).nullish(),
    invoice_id: text,
    proforma_id: text,
    proformaId: text,
    external_customer_id: text,
    external_customer_email: text,
    external_customer_name: text,
    product_name: text,
    services: z
      .array(
        z.object({
          serviceId: z.string(),
          status: orUnlisted(ServiceStatus).nullish(),
          hostname: text,
          serverIp: text,
        }),
      )
      .nullish()
      .transform((services) => services ?? []),
  })
  // The spec writes these two fields in camel case and all others in snake case.
  .transform(({ paymentMode, proformaId, ...row }) => ({
    ...row,
    payment_mode: row.payment_mode ?? paymentMode,
    proforma_id: row.proforma_id ?? proformaId,
  }));
export type Order = z.infer<typeof Order>;

export interface OrderQuery {
  page?: number;
  /** Default 50, at most 200. */
  limit?: number;
  externalOrderId?: string;
  /** The payment status. */
  status?: PaymentStatus;
}

const orderPage = resellerPage("orders", Order);

/**
 * A page. The platform counts from an offset. Where it caps the limit, a later page is read again with the platform's limit: else rows
 * would be skipped.
 */
export const listOrders = endpoint(
  "GET /orders",
  "read",
  "2.1, 2.3, 4, 8",
  async (call, values, query: OrderQuery = {}): Promise<ListPage<Order>> => {
    const { page = 1, limit = 50, externalOrderId, status } = query;
    const read = (size: number) =>
      call.envelope(values, orderPage, { query: { externalOrderId, status, limit: size, offset: (page - 1) * size } });
    const first = await read(limit);
    return page === 1 || first.pagination.limit >= limit ? first : read(first.pagination.limit);
  },
);

/**
 * GET /orders?externalOrderId=: the order with that idempotency key, or null. Use it to check the outcome of a failed order. Reseller
 * spec sections 4.1 and 7.
 */
export async function findOrder(client: ResellerClient, externalOrderId: string): Promise<Order | null> {
  const { rows } = await listOrders(client, { externalOrderId });
  return rows.find((row) => row.external_order_id === externalOrderId) ?? null;
}

/** Its provisioning status is authoritative. */
export const readOrder = endpoint("GET /orders/{orderId}", "read", "2.3, 4, 7", inData(objectOrField("order", Order)));
