import * as z from "#zod";
import { Amount } from "../amounts.ts";
import { orMissing } from "../fields.ts";
import { ifReadable, inData } from "../http/data.ts";
import { type PageQuery, pageOf } from "../http/pages.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";
import { DocumentState } from "./documents.ts";
import { ServiceStatus } from "./states.ts";

/** An order; fields that the spec does not name pass through unchanged. Spec sections 2.6 and 4.6. */
export const Order = z.looseObject({
  id: z.string().min(1),
  status: z.string().nullish(),
  order_type: z.string().nullish(),
  idempotency_key: z.string().nullish(),
  items: orMissing(z.array(z.unknown())),
  services: orMissing(z.array(z.looseObject({ id: z.string().min(1), status: orMissing(orUnlisted(ServiceStatus)) }))),
});
export type Order = z.infer<typeof Order>;

const NestedDocument = ifReadable(
  z.object({ autoCreditApplied: ifReadable(z.object({ creditApplied: ifReadable(Amount) })) }),
);

/**
 * The result of an order or of buying an add-on. Branch on `settled` and `document.status`: the nested rows were read before the
 * settlement. `idempotent` on a replay of an earlier order. Spec section 2.6.
 */
export const CreateResult = z.object({
  order: ifReadable(Order.pick({ id: true })),
  invoice: NestedDocument,
  proforma: NestedDocument,
  document: DocumentState.nullish(),
  settled: z.boolean(),
  idempotent: z.boolean().nullish(),
});
export type CreateResult = z.infer<typeof CreateResult>;

/** The payment by credit that settled an order at once; null if there was none: a settled document may also be of nothing. */
export function autoCreditIn({ invoice, proforma }: CreateResult) {
  return invoice?.autoCreditApplied ?? proforma?.autoCreditApplied ?? null;
}

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

/** A page of 20 rows by default, 200 at most; filtered by host name or idempotency key. */
export const listOrders = endpoint("GET /orders", "read", "4.6, 8", pageOf("orders", Order), {
  sends: (query?: PageQuery & { status?: string; hostname?: string; idempotencyKey?: string }) => ({ query }),
});

/** With its items and services. */
export const readOrder = endpoint("GET /orders/{id}", "read", "4.6", inData(Order, "order"));

/** Sending one idempotency key several times makes one order. */
export const createOrder = endpoint("POST /orders", "orders", "2.6, 2.8, 4.6", inData(CreateResult), {
  sends: (idempotencyKey: string, body: OrderBody) => ({ body, headers: { "Idempotency-Key": idempotencyKey } }),
  charges: true,
  refusals: [
    { status: 400, code: "LOCATION_UNAVAILABLE", spec: "4.6" },
    {
      status: 400,
      code: "BAD_REQUEST",
      says: /credit|balance/i,
      means: "A product that is billed by the hour needs a minimum credit balance. Add credit in the panel first.",
      states: "balance",
      spec: "7",
    },
    { status: 409, code: "LOCATION_SOLD_OUT", spec: "4.6" },
    { status: 409, code: "SOLD_OUT", spec: "7" },
    { status: 409, code: "NO_CAPACITY", spec: "7" },
    { status: 409, code: "PRODUCT_UNAVAILABLE", spec: "7" },
  ],
});
