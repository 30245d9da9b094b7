import * as z from "zod";
import { DateTime } from "../dates.ts";
import { data, dataWithStatus, objectOrField } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import { Id } from "../ids.ts";
import { Amount, Currency } from "../money.ts";
import type { BillingCycle } from "./cycles.ts";
import { endpoint } from "./endpoint.ts";
import { PaymentMode, PaymentStatus, ProvisioningStatus, ServiceStatus } from "./states.ts";

/** The result of placing an order. Reseller spec sections 2.3 and 3.3. */
const PlacedStatus = z.enum(["paid", "invoiced", "payment_failed", "provisioning_failed"]);

const text = z.string().nullish();

/** There may be fewer services than were ordered. */
const services = z
  .array(z.object({ serviceId: z.string(), status: ServiceStatus.nullish() }))
  .nullish()
  .transform((built) => built ?? []);

/** An ordered add-on; `unitPrice` and `setupFee` at wholesale, excl. VAT. */
const OrderedOption = z.object({
  optionId: z.string(),
  name: text,
  quantity: z.number().nullish(),
  unitPrice: Amount.nullish(),
  setupFee: Amount.nullish(),
});

/**
 * An order that was placed now, or earlier with the same key (`idempotent`). `amount` is wholesale without VAT, `total` the collected
 * sum, both in `currency`. Where `invoiceId` is null, `message` may name the document. Reseller spec section 2.3.
 */
export const PlacedOrder = z
  .object({
    orderId: z.string().min(1),
    orderNumber: Id.nullish(),
    externalOrderId: text,
    /** A replay has the platform's stored status, which may be another word. */
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
  /** The number of services to create. */
  quantity: number;
  externalOrderId: string;
  externalCustomerId?: string;
  externalCustomerEmail?: string;
  externalCustomerName?: string;
  /** `hostname`, `location`, `osImageId`, `custom_image_id`, `externalServiceId`, and the fields of a plugin's form. */
  configuration?: Record<string, unknown>;
  options?: { optionId: string; quantity: number }[];
  /** The platform uses it only where it charges a saved method. */
  paymentMethodId?: string;
}

/** The answer to retrying a failed charge. */
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
 * POST /orders: 201 for a new order, 200 where this key had placed it before. A 502 means charged and not built: never send it again;
 * `orderIn` names the order. After an unknown outcome use `findOrder`. Reseller spec sections 2.3 and 4.1.
 */
export const placeOrder = endpoint(
  "POST /orders",
  (call, body: OrderBody): Promise<Success<PlacedOrder>> =>
    dataWithStatus(call.withStatus({}, data(objectOrField("order", PlacedOrder)), { body })),
);

/**
 * POST /orders/{orderId}/retry: charges the price quoted when the order was placed. A 502 means the same as for an order. Reseller spec
 * sections 3.3 and 4.1.
 */
export const retryOrder = endpoint(
  "POST /orders/{orderId}/retry",
  (call, orderId: string, body?: { paymentMethodId: string }): Promise<RetriedOrder> =>
    call.data({ orderId }, objectOrField("order", RetriedOrder), { body }),
);
