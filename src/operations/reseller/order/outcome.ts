import type { Answer } from "../../../operation/answer.ts";
import { Refusal } from "../../../operation/errors.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import type { OptionsCharge } from "../../../platform/reseller/options.ts";
import { orderIn, type RefusedOrder } from "../../../platform/reseller/order-refusal.ts";
import { readOrder } from "../../../platform/reseller/orders.ts";
import type { PlacedOrder } from "../../../platform/reseller/place-order.ts";
import { money } from "../../../views/format.ts";
import { code, prose, sentence } from "../../../views/text.ts";
import { paySteps, quoted, retryStep, showStep } from "./order.ts";
import { notBuilt } from "./provisioning.ts";

/** What an order that was taken came to: which of the three ways of collecting it was, what was charged, and what goes on. Reseller spec sections 1.2 and 2.3. */
export function placedAnswer(placed: PlacedOrder, what: string, customer?: string): Answer {
  const { orderId, idempotent, paymentMode: mode } = placed;
  const made = { handle: { order: orderId }, order: orderId, customer };
  const show = showStep(orderId);
  if (idempotent) {
    const text = `${what} had been ordered before, as ${quoted({ order_number: placed.orderNumber, id: orderId })}: nothing was ordered or charged twice.`;
    return { text, ...made, next: [show], unheard: true };
  }
  if (placed.status === "payment_failed")
    throw chargeFailed({ ...placed, orderNumber: placed.orderNumber ?? null }, placed.message);
  const figures = figuresOf(placed);
  if (placed.status === "provisioning_failed")
    return { text: `Ordered ${what}: ${figures} taken, and it could not be built.`, ...made, next: [show] };
  const note = placed.message ? ` ${sentence(prose(placed.message, 300))}` : "";
  if (placed.status === "invoiced" || mode === "invoice")
    return {
      text: `Ordered ${what}. Nothing was charged: a document of ${figures} waits to be paid, and it is built then.${note}`,
      ...made,
      next: [...paySteps({ invoice_id: placed.invoiceId, proforma_id: placed.proformaId }), show],
    };
  return {
    text: `Ordered ${what}. ${figures} ${mode ? takenFrom[mode] : "was charged"}, and it is being built.`,
    ...made,
    next: [show],
  };
}

const takenFrom = {
  saved_method: "was charged to your saved payment method",
  credit: "was taken from your credit with the supplier",
  invoice: "is to be paid",
  storefront: "was charged in the supplier's panel",
};

/** What an add-on's charge took, as far as the platform tells it: what stands in it, the spec does not show. */
export function chargedWords({ amount, total, currency, paymentMode: mode }: OptionsCharge): string {
  if (!amount || !currency || mode === "invoice") return "What was added is charged.";
  return `${figuresOf({ amount, total, currency })} ${mode ? takenFrom[mode] : "was charged"}.`;
}

/** "24.00 EUR excl. VAT (29.04 EUR with VAT)", as far as it is told. */
function figuresOf({ amount, total, currency }: Pick<PlacedOrder, "amount" | "total" | "currency">): string {
  const gross = total ? ` (${money(total, currency)} with VAT)` : "";
  return `${money(amount, currency)} excl. VAT${gross}`;
}

/**
 * What a refusal that names its order has left. A 502 is charged and not built: that is an answer, and never a reason to try again. A failed
 * charge is a refusal with the way to charge that same order again. Anything else is thrown as it is. Reseller spec sections 4.1 and 7.
 */
export async function refusedAnswer(client: ResellerClient, error: unknown): Promise<Answer> {
  const about = orderIn(error);
  if (!about || !(error instanceof PlatformRefused)) throw error;
  if (error.status === 502) {
    const made = { handle: { order: about.orderId }, order: about.orderId };
    // That this read fails changes nothing of what is certain: the follow-up reads it again.
    const order = await readOrder(client, about.orderId).catch(() => null);
    if (order) return { text: notBuilt(order).text, next: [showStep(order.id)], ...made };
    const number = quoted({ order_number: about.orderNumber, id: about.orderId });
    return {
      text: `It could not be built, though it may be charged. Do not order it again: ask the supplier, and quote the order ${number}.`,
      next: [showStep(about.orderId)],
      ...made,
    };
  }
  if (error.status === 402 || about.status === "payment_failed") throw chargeFailed(about, error.reason);
  throw error;
}

function chargeFailed(
  about: Pick<RefusedOrder, "orderId" | "orderNumber">,
  reason: string | null | undefined,
): Refusal {
  const number = about.orderNumber ? code(about.orderNumber) : code(about.orderId);
  const why = reason ? ` The gateway says: ${sentence(prose(reason, 300))}` : "";
  return new Refusal(
    `The charge failed, so nothing was charged and nothing is built.${why} The order ${number} is kept: charging it again takes what was quoted, and orders nothing twice. Look at the payment method first.`,
    [retryStep(about.orderId), { label: "Payment methods", command: "reseller payment list" }, showStep(about.orderId)],
  );
}
