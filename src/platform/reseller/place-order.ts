import * as z from "#zod";
import { Amount, Currency } from "../amounts.ts";
import { Id } from "../fields.ts";
import { ifReadable, inData, objectOrField } from "../http/data.ts";
import { PlatformRefused } from "../http/errors.ts";
import { endpoint } from "./client.ts";
import type { BillingCycle } from "./cycles.ts";
import { creditTooLow, cycleNotSold, notInCatalogue } from "./refusals.ts";
import { PaymentMode } from "./states.ts";

/** The result of placing an order. Reseller spec sections 2.3 and 3.3. */
const PlacedStatus = z.enum(["paid", "invoiced", "payment_failed", "provisioning_failed"]);

const text = z.string().nullish();

/**
 * An order that was placed now, or earlier with the same key (`idempotent`). `amount` is wholesale without VAT, `total` the collected
 * sum, both in `currency`; null where they cannot be read. Where `invoiceId` is null, `message` may name the document. Reseller spec
 * section 2.3.
 */
export const PlacedOrder = z
  .object({
    orderId: z.string().min(1),
    orderNumber: Id.nullish(),
    /** A replay has the platform's stored status, which may be another word. */
    status: z.string(),
    paymentMode: PaymentMode.nullish(),
    amount: ifReadable(Amount),
    total: ifReadable(Amount),
    currency: ifReadable(Currency),
    invoiceId: text,
    proformaId: text,
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
export const RetriedOrder = z.object({ status: PlacedStatus, invoiceId: text });
export type RetriedOrder = z.infer<typeof RetriedOrder>;

/**
 * 201 for a new order, 200 where this key had placed it before. A 502 means charged and not built: never send it again; `orderIn` names
 * the order. After an unknown outcome use `findOrder`.
 */
export const placeOrder = endpoint("POST /orders", "orders", "2.3, 4.1", inData(objectOrField("order", PlacedOrder)), {
  sends: (body: OrderBody) => ({ body }),
  charges: true,
  refusals: [
    notInCatalogue,
    cycleNotSold,
    creditTooLow,
    {
      status: 400,
      says: /minimum/i,
      means: "The order is below the platform's minimum: order more, or ask the platform's operator for less.",
      spec: "7",
    },
    {
      status: 400,
      says: "A datacentre must be selected",
      means: "This product needs a datacentre: order again, and choose one.",
      spec: "4.1",
    },
    { status: 400, means: "Correct the order, and order again.", spec: "4.1" },
    {
      status: 409,
      says: "Quantity limit reached",
      means:
        "You have reached the platform's limit for this product. Terminate one that nobody needs, or ask the platform's operator for more.",
      spec: "1.1",
    },
    {
      status: 409,
      says: /captur/i,
      means: "While the image is still being captured, it cannot be ordered from. Wait until it is available.",
      spec: "4.3",
    },
    {
      status: 409,
      says: /room|full/i,
      means:
        "A captured image is on one node, which is full. Order with one of the platform's systems, or wait for room.",
      spec: "4.3",
    },
    {
      status: 409,
      says: /(another|other|different) (node|location|datacent)/i,
      means: "A captured image is on one node, which is in another datacentre. Leave the datacentre to the platform.",
      spec: "4.3",
    },
  ],
});

/**
 * Charges the price quoted when the order was placed. A 502 means the same as for an order. The set of add-ons whose charge failed may have
 * left some out (section 4.2).
 */
export const retryOrder = endpoint(
  "POST /orders/{orderId}/retry",
  "orders",
  "3.3, 4.1, 4.2",
  inData(objectOrField("order", RetriedOrder)),
  {
    sends: (body?: { paymentMethodId: string }) => ({ body }),
    charges: true,
    removes: true,
    refusals: [
      creditTooLow,
      {
        status: 400,
        // "Insufficient funds" is a card's, unless it names the two figures of a balance.
        says: /declin|card|gateway|fail|^(?!.*\d).*fund/i,
        means: "The charge failed again: check the payment method.",
        spec: "4.1",
      },
      { status: 400, says: /paid/i, means: "A paid order is not charged again.", spec: "4.1" },
      { status: 400, says: /invoice/i, means: "An order that awaits its invoice is not charged.", spec: "4.1" },
      {
        status: 409,
        says: /attempt|flight|progress|under way|concurrent/i,
        means: "Another attempt is under way.",
        spec: "4.1",
      },
      { status: 409, says: /panel/i, means: "The order was placed in the panel, and is paid there.", spec: "4.1" },
    ],
  },
);

/** The order that a refusal belongs to: at least its id. Other fields are null where they cannot be read. */
const RefusedOrder = z.object({
  orderId: Id,
  orderNumber: ifReadable(Id),
  status: ifReadable(z.string()),
});
export type RefusedOrder = z.infer<typeof RefusedOrder>;

/**
 * Finds the order in a refused write: after 502 it is charged and not built, after 402 its charge failed and can be retried. Null where
 * the refusal has none. It searches the whole body, since the spec does not show the place. Reseller spec sections 4.1, 4.2 and 7.
 */
export function orderIn(error: unknown): RefusedOrder | null {
  if (!(error instanceof PlatformRefused)) return null;
  let level: unknown[] = [error.body];
  for (let depth = 0; depth < 5; depth += 1) {
    for (const part of level) {
      const order = RefusedOrder.safeParse(withOrderId(part));
      if (order.success) return order.data;
    }
    level = level.flatMap((part) => (typeof part === "object" && part !== null ? Object.values(part) : []));
  }
  return null;
}

/** An order names itself `id`; an object beside an order names it `orderId`. */
function withOrderId(part: unknown): unknown {
  if (typeof part !== "object" || part === null || !("order" in part)) return part;
  const { order } = part;
  if (typeof order !== "object" || order === null || "orderId" in order || !("id" in order)) return part;
  return { ...order, orderId: order.id };
}
