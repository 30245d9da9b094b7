import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf, dataWithStatus } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import { Amount, Currency } from "../money.ts";
import type { ResellerClient } from "./client.ts";
import type { BillingCycle } from "./cycles.ts";
import { PaymentMode, PaymentStatus, ProvisioningStatus, ServiceStatus } from "./states.ts";

/** What came of placing an order. Reseller spec sections 2.3 and 3.3. */
const PlacedStatus = z.enum(["paid", "invoiced", "payment_failed", "provisioning_failed"]);

const text = z.string().nullish();

/** May be fewer than were ordered. */
const services = z
  .array(z.object({ serviceId: z.string(), status: ServiceStatus.nullish() }))
  .nullish()
  .transform((built) => built ?? []);

/** An add-on as it was ordered; `unitPrice` and `setupFee` at wholesale, excl. VAT. */
const OrderedOption = z.object({
  optionId: z.string(),
  name: text,
  quantity: z.number().nullish(),
  unitPrice: Amount.nullish(),
  setupFee: Amount.nullish(),
});

/**
 * An order as it was placed, or as it was placed before (`idempotent`): `amount` is wholesale without VAT, `total` what was collected,
 * all in `currency`. Where `invoiceId` is null, `message` may name the document. Reseller spec section 2.3.
 */
export const PlacedOrder = z
  .object({
    orderId: z.string().min(1),
    orderNumber: Id.nullish(),
    externalOrderId: text,
    /** Of a replay: in whichever words the platform keeps it. */
    status: z.string(),
    paymentStatus: PaymentStatus.nullish(),
    provisioningStatus: ProvisioningStatus.nullish(),
    paymentMode: PaymentMode.nullish(),
    amount: Amount,
    vat: Amount.nullish(),
    total: Amount.nullish(),
    currency: Currency,
    invoiceId: text,
    proformaId: text,
    createdAt: DateTime.nullish(),
    services,
    options: z
      .array(OrderedOption)
      .nullish()
      .transform((options) => options ?? []),
    message: text,
    idempotent: z
      .boolean()
      .nullish()
      .transform((replayed) => replayed === true),
  })
  .superRefine(({ idempotent, status }, context) => {
    const known = idempotent || PlacedStatus.safeParse(status).success;
    if (!known) context.addIssue({ code: "custom", message: "Not a status of a placed order", path: ["status"] });
  });
export type PlacedOrder = z.infer<typeof PlacedOrder>;

/** The body of an order; `externalOrderId` is its idempotency key. Quantities are 1 to 100, options 50 at most. Reseller spec sections 4.1 and 8. */
export interface OrderBody {
  productId: string;
  billingCycle: BillingCycle;
  /** As many services are made. */
  quantity: number;
  externalOrderId: string;
  externalCustomerId?: string;
  externalCustomerEmail?: string;
  externalCustomerName?: string;
  /** `hostname`, `location`, `osImageId`, `custom_image_id`, `externalServiceId`, and what the form of a plugin asks for. */
  configuration?: Record<string, unknown>;
  options?: { optionId: string; quantity: number }[];
  /** Heeded only where a saved method is charged. */
  paymentMethodId?: string;
}

/** What a retry of a failed charge answers. */
export const RetriedOrder = z.object({
  orderId: z.string().min(1),
  externalOrderId: text,
  status: PlacedStatus,
  paymentMode: PaymentMode.nullish(),
  invoiceId: text,
  services,
});
export type RetriedOrder = z.infer<typeof RetriedOrder>;

/**
 * POST /orders: 201 where it was placed now, 200 where that key had placed it before. A 502 is charged and not built: never to be sent
 * again, `orderIn` names the order. After an unknown outcome `findOrder`. Reseller spec sections 2.3 and 4.1.
 */
export function placeOrder(client: ResellerClient, body: OrderBody): Promise<Success<PlacedOrder>> {
  return dataWithStatus(client.sendWithStatus("POST", "/orders", dataOf("order", PlacedOrder), body));
}

/** POST /orders/{orderId}/retry: charges what was quoted when it was placed. A 502 as of an order. Reseller spec sections 3.3 and 4.1. */
export async function retryOrder(
  client: ResellerClient,
  orderId: string,
  body?: { paymentMethodId: string },
): Promise<RetriedOrder> {
  const route = path("/orders/{orderId}/retry", { orderId });
  return (await client.send("POST", route, dataOf("order", RetriedOrder), body)).data;
}
