import * as z from "#zod";
import { AnyTime, Id } from "../fields.ts";
import { done } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { endpoint } from "./client.ts";

/** A saved card or wallet that orders are charged to; they are added in the supplier's panel. Reseller spec section 2.6. */
export const PaymentMethod = z.object({
  id: Id,
  type: z.string().nullish(),
  label: z.string().nullish(),
  cardBrand: z.string().nullish(),
  cardLastFour: Id.nullish(),
  isDefault: z.boolean(),
  lastUsedAt: AnyTime.nullish(),
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export const listPaymentMethods = endpoint(
  "GET /payment-methods",
  "account",
  "2.6",
  listOf("paymentMethods", PaymentMethod),
);

/** Later orders are charged to it. */
export const setDefaultPaymentMethod = endpoint("PUT /payment-methods/{methodId}/default", "account", "4", done);
