import * as z from "zod";
import { DateTime } from "../dates.ts";
import { listOf } from "../http/pages.ts";
import { Id } from "../ids.ts";
import { endpoint } from "./endpoint.ts";

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
export const listPaymentMethods = endpoint(
  "GET /payment-methods",
  (call): Promise<PaymentMethod[]> => call.envelope({}, listOf("paymentMethods", PaymentMethod)),
);

/** PUT /payment-methods/{methodId}/default: later orders are charged to it. Reseller spec section 4. */
export const setDefaultPaymentMethod = endpoint(
  "PUT /payment-methods/{methodId}/default",
  (call, methodId: string): Promise<void> => call.done({ methodId }),
);
