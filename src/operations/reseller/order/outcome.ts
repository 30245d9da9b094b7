import type { TrackedAnswer } from "../../../operation/answer.ts";
import { causedBy, Refusal } from "../../../operation/errors.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import type { OptionsCharge } from "../../../platform/reseller/options.ts";
import { orderIn, type RefusedOrder } from "../../../platform/reseller/order-refusal.ts";
import { type Order, readOrder } from "../../../platform/reseller/orders.ts";
import type { PlacedOrder, RetriedOrder } from "../../../platform/reseller/place-order.ts";
import { money } from "../../../views/format.ts";
import { capital, code, prose, sentence } from "../../../views/text.ts";
import { orderName, paySteps, quotedOrder, retryStep, showOrderStep } from "./order.ts";
import { type Goods, goodsOf, notBuilt, type OrderHandle } from "./provisioning.ts";

/** The answer to a placed order: how it is paid, the charged sum, and the next step. Reseller spec sections 1.2 and 2.3. */
export function placedAnswer(placed: PlacedOrder, what: string, customer?: string): TrackedAnswer<OrderHandle> {
  const { orderId, idempotent, paymentMode: mode } = placed;
  const made = { handle: { order: orderId }, order: orderId, customer };
  const show = showOrderStep(orderId);
  if (idempotent) {
    const text = `${what} had been ordered before, as ${quotedOrder({ order_number: placed.orderNumber, id: orderId })}: nothing was ordered or charged twice.`;
    return { text, ...made, next: [show], unheard: true };
  }
  if (placed.status === "payment_failed")
    throw chargeFailed({ ...placed, orderNumber: placed.orderNumber ?? null }, placed.message);
  const figures = figuresOf(placed);
  if (placed.status === "provisioning_failed") {
    return { text: `Ordered ${what}: ${chargedUnbuilt(mode, figures)}.`, ...made, next: [show] };
  }
  const note = placed.message ? ` ${sentence(prose(placed.message, 300))}` : "";
  if (placed.status === "invoiced")
    return {
      text: `Ordered ${what}. Nothing was charged: a document of ${figures} waits to be paid. The platform builds the order after that.${note}`,
      ...made,
      next: [...paySteps({ invoice_id: placed.invoiceId, proforma_id: placed.proformaId }), show],
    };
  return {
    text: `Ordered ${what}. ${capital(figures)} ${mode ? takenFrom[mode] : "was charged"}. The platform is building it.`,
    ...made,
    next: [show],
  };
}

/** An order that waited for its document was not charged; without its mode nobody knows. Reseller spec section 4.1. */
function chargedUnbuilt(mode: PlacedOrder["paymentMode"], figures: string): string {
  if (mode === "invoice") return "nothing was charged, and the platform could not build it";
  if (mode) return `${figures} charged, but the platform could not build it`;
  return "the platform could not build it, and does not show if it charged the order. Do not order again";
}

const takenFrom = {
  saved_method: "was charged to your saved payment method",
  credit: "was taken from your credit with the platform",
  invoice: "was paid by its document",
  storefront: "was charged in the platform's panel",
};

/** The charge of an add-on, in words. The spec does not show its fields, so missing figures are left out. Only null says that there is none. */
export function chargedWords(charge: OptionsCharge | null | undefined): string {
  if (charge === null) return "Nothing was charged.";
  if (charge === undefined) return "The platform does not say what it charged: look at your orders.";
  const { amount, total, currency, paymentMode: mode } = charge;
  if (!amount || !currency || mode === "invoice") return "The platform charges the added options.";
  return `${figuresOf({ amount, total, currency })} ${mode ? takenFrom[mode] : "was charged"}.`;
}

/** "24.00 EUR excl. VAT (29.04 EUR with VAT)"; the part in brackets only where the platform sends a total. */
function figuresOf({ amount, total, currency }: Pick<PlacedOrder, "amount" | "total" | "currency">): string {
  if (!amount || !currency) return "a sum that the platform does not name";
  const gross = total ? ` (${money(total, currency)} with VAT)` : "";
  return `${money(amount, currency)} excl. VAT${gross}`;
}

/**
 * Handles a refusal that names its order. A 502 means charged and not built: it becomes an answer and is never retried. A failed charge
 * becomes a Refusal with a button to retry that order. Other errors are thrown unchanged. Reseller spec sections 2.3, 3.3, 4.1 and 7.
 */
export async function refusedAnswer(
  client: ResellerClient,
  error: unknown,
  goods: Goods = "services",
): Promise<TrackedAnswer<OrderHandle>> {
  const refused = orderIn(error);
  if (!refused || !(error instanceof PlatformRefused)) throw error;
  if (error.status === 502) {
    const made = { handle: { order: refused.orderId, goods }, order: refused.orderId };
    // A failed read changes nothing about the outcome; tracking reads the order again.
    const order = await readOrder(client, refused.orderId).catch(() => null);
    if (order) return { text: notBuilt(order).text, next: [showOrderStep(order.id)], ...made };
    const number = quotedOrder({ order_number: refused.orderNumber, id: refused.orderId });
    return {
      text: `The platform could not build the order, but may have charged it. Do not order again. Ask its support, and quote the order ${number}.`,
      next: [showOrderStep(refused.orderId)],
      ...made,
    };
  }
  // The order's own state proves it: the spec names no status of the answer for it. After a fault of the platform nothing is proven.
  if (error.status < 500 && refused.status === "payment_failed")
    throw causedBy(chargeFailed(refused, error.reason), error);
  throw error;
}

function chargeFailed(
  refused: Pick<RefusedOrder, "orderId" | "orderNumber">,
  reason: string | null | undefined,
): Refusal {
  const number = refused.orderNumber ? code(refused.orderNumber) : code(refused.orderId);
  const why = reason ? ` The gateway says: ${sentence(prose(reason, 300))}` : "";
  return new Refusal(
    `The charge failed: nothing was charged, and nothing is built.${why} The order ${number} is kept. Charging it again takes the quoted price, and orders nothing twice. Check the payment method first.`,
    [
      retryStep(refused.orderId),
      { label: "Payment methods", command: "reseller payment list" },
      showOrderStep(refused.orderId),
    ],
  );
}

/** The answer to another charge. Reseller spec sections 3.3 and 4.1. */
export function retriedAnswer(target: Order, done: RetriedOrder, name: string): TrackedAnswer<OrderHandle> {
  const { status, invoiceId } = done;
  if (status === "payment_failed") throw chargeFailed({ orderId: target.id, orderNumber: orderName(target) }, null);
  const goods = goodsOf(target);
  const built = goods === "services" ? ", and is being built" : "";
  const text = {
    paid: `The order ${name} is paid now${built}.`,
    invoiced: `The order ${name} was not charged: its document waits to be paid.`,
    provisioning_failed: `The order ${name} was charged, but the platform could not build it.`,
  }[status];
  return {
    text,
    handle: { order: target.id, goods },
    customer: target.external_customer_id,
    next: [
      ...(status === "invoiced" ? paySteps({ invoice_id: invoiceId, proforma_id: null }) : []),
      showOrderStep(target.id),
    ],
  };
}
