import * as z from "zod";
import { DateTime } from "../dates.ts";
import { done } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import type { ResellerClient } from "./client.ts";

/** A saved card or wallet that orders are charged to; they are added in the supplier's panel. Reseller spec section 2.6. */
export const PaymentMethod = z.object({
  id: Id,
  type: z.string().nullish(),
  label: z.string().nullish(),
  cardBrand: z.string().nullish(),
  cardLastFour: Id.nullish(),
  isDefault: z.boolean(),
  lastUsedAt: DateTime.nullish(),
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** GET /payment-methods: needs the scope `account`. Reseller spec sections 2.6 and 5. */
export function listPaymentMethods(client: ResellerClient): Promise<PaymentMethod[]> {
  return client.get("/payment-methods", listOf("paymentMethods", PaymentMethod));
}

/** PUT /payment-methods/{methodId}/default: later orders are charged to it. Reseller spec section 4. */
export async function setDefaultPaymentMethod(client: ResellerClient, methodId: string): Promise<void> {
  await client.send("PUT", path("/payment-methods/{methodId}/default", { methodId }), done);
}
