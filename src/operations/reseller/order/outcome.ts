import * as z from "#zod";
import type { Progress, TrackedAnswer } from "../../../operation/answer.ts";
import { causedBy, Refusal } from "../../../operation/errors.ts";
import type { PollCall, Tracking } from "../../../operation/operation.ts";
import { hidesBalance, isShortOfCredit, PlatformRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import type { OptionsCharge } from "../../../platform/reseller/options.ts";
import { type Order, readOrder } from "../../../platform/reseller/orders.ts";
import {
  orderIn,
  type PlacedOrder,
  type RefusedOrder,
  type RetriedOrder,
} from "../../../platform/reseller/place-order.ts";
import { creditTooLow, openChargeFailure } from "../../../platform/reseller/refusals.ts";
import { unlistedStatus } from "../../../platform/service-stage.ts";
import { money } from "../../../views/format.ts";
import { capital, code, count, prose, sentence } from "../../../views/text.ts";
import { stateWords } from "../../../views/values.ts";
import { namesOf } from "../../kits/losses.ts";
import { unpaidPace } from "../../kits/ordering.ts";
import type { ShownMethod } from "../payment.ts";
import {
  buildOf,
  chargeFailure,
  isUnpaid,
  orderAmount,
  orderName,
  paySteps,
  quotedOrder,
  retryStep,
  showOrderStep,
} from "./order.ts";

/** The answer to a placed order: how it is paid, the charged sum, and the next step. Reseller spec sections 1.2 and 2.3. */
export function placedAnswer(
  placed: PlacedOrder,
  what: string,
  { customer, method = null }: { customer?: string | undefined; method?: ShownMethod | null } = {},
): TrackedAnswer<OrderHandle> {
  const { orderId, idempotent, paymentMode: mode } = placed;
  const made = { handle: { order: orderId }, order: orderId, customer };
  const show = showOrderStep(orderId);
  if (idempotent) {
    const text = `${what} had been ordered before, as ${quotedOrder({ order_number: placed.orderNumber, id: orderId })}: nothing was ordered or charged twice.`;
    return { text, ...made, next: [show], unheard: true };
  }
  if (placed.status === "payment_failed")
    throw chargeFailed(
      { ...placed, orderNumber: placed.orderNumber ?? null },
      { reason: placed.message && openChargeFailure(placed.message), isCredit: mode === "credit" },
    );
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
    text: `Ordered ${what}. ${capital(figures)} ${takenWords(mode, method)}. The platform is building it.`,
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

/** `method`: the one that the order named. */
function takenWords(mode: PlacedOrder["paymentMode"], method: ShownMethod | null): string {
  if (mode === "saved_method" && method) return `was charged to ${method.text}`;
  return mode ? takenFrom[mode] : "was charged";
}

/** The charge of an add-on, in words. The spec does not show its fields, so missing figures are left out. Only null says that there is none. */
export function chargedWords(charge: OptionsCharge | null | undefined): string {
  if (charge === null) return "Nothing was charged.";
  if (charge === undefined) return "The platform does not say what it charged: look at your orders.";
  const { amount, total, currency, paymentMode: mode } = charge;
  if (!amount || !currency || mode === "invoice") return "The platform charges the added options.";
  return `${figuresOf({ amount, total, currency })} ${takenWords(mode, null)}.`;
}

/** "24.00 EUR excl. VAT (29.04 EUR with VAT)"; the part in brackets only where the platform sends a total. */
export function figuresOf(charge: Pick<OptionsCharge, "amount" | "total" | "currency"> | null | undefined): string {
  const { amount, total, currency } = charge ?? {};
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
    throw causedBy(chargeFailed(refused, failureOf(error)), error);
  throw error;
}

/** A charge that failed: the gateway's reason as everybody may read it, and whether the credit was to pay. */
interface ChargeFailure {
  reason: string | null | undefined;
  isCredit: boolean;
}

/** The failure in a refusal, which has the reason itself: its requester alone reads one that may name their balance. */
export function failureOf(error: PlatformRefused): ChargeFailure {
  return { reason: hidesBalance(error) ? null : error.reason, isCredit: isShortOfCredit(error) };
}

/** The reason for people, and what to do first, each after a blank. */
export function failureWords({ reason, isCredit }: ChargeFailure): { why: string; first: string } {
  return {
    why: reason ? ` The gateway says: ${sentence(prose(reason, 300))}` : "",
    first: isCredit ? ` ${creditTooLow.means}` : " Check the payment method first.",
  };
}

function chargeFailed(refused: Pick<RefusedOrder, "orderId" | "orderNumber">, failure: ChargeFailure): Refusal {
  const number = refused.orderNumber ? code(refused.orderNumber) : code(refused.orderId);
  const { why, first } = failureWords(failure);
  return new Refusal(
    `The charge failed: nothing was charged, and nothing is built.${why} The order ${number} is kept. Charging it again takes the quoted price, and orders nothing twice.${first}`,
    [
      retryStep(refused.orderId),
      ...(failure.isCredit ? [] : [{ label: "Payment methods", command: "reseller payment list" }]),
      showOrderStep(refused.orderId),
    ],
  );
}

/** The answer to another charge. Reseller spec sections 3.3 and 4.1. */
export function retriedAnswer(target: Order, done: RetriedOrder, name: string): TrackedAnswer<OrderHandle> {
  const { status, invoiceId } = done;
  if (status === "payment_failed")
    throw chargeFailed(
      { orderId: target.id, orderNumber: orderName(target) },
      { reason: null, isCredit: target.payment_mode === "credit" },
    );
  const goods = goodsOf(target);
  const amount = orderAmount(target);
  const built = goods === "services" ? ", and is being built" : "";
  const text = {
    paid: `The order ${name} is paid now${built}.`,
    invoiced: `The order ${name} was not charged: its document${amount ? ` of ${amount}` : ""} waits to be paid.`,
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

/** The goods of an order. The platform names only services: an order without them and without the partner's id can be of either kind. */
export const Goods = z.enum(["services", "add-ons", "unknown"]);
export type Goods = z.infer<typeof Goods>;

export const OrderHandle = z.object({ order: z.string(), goods: Goods.optional() });
export type OrderHandle = z.infer<typeof OrderHandle>;

interface OrderTracking extends Tracking {
  handle: typeof OrderHandle;
  poll: (call: PollCall<"reseller">, handle: OrderHandle) => Promise<Progress>;
}

const pace = { every: 10_000, deadline: 3 * 24 * 60 * 60_000, handle: OrderHandle };

/** Tracks an order through payment and provisioning, until it shows the addresses or the failure. */
export const provisioning: OrderTracking = {
  ...pace,
  poll: (call, { order, goods = "services" }) => orderProgress(call, order, goods),
};

/**
 * Tracks the payment of added add-ons by their order. Where the platform issues a proforma first, only the order names it. Reseller spec
 * sections 2.3 and 4.2.
 */
export const addonPayment: OrderTracking = {
  ...pace,
  async poll(call, { order }) {
    const progress = await orderProgress(call, order, "add-ons");
    const addOns = { label: "Add-ons", command: "reseller service options", target: call.targetId };
    return { ...progress, next: [...(progress.next ?? []), addOns] };
  },
};

async function orderProgress(call: PollCall<"reseller">, id: string, goods: Goods): Promise<Progress> {
  const order = await readOrder(call.client, id);
  const unfinished = paymentProgress(call, order, goods);
  if (unfinished) return unfinished;
  const next = [showOrderStep(order.id)];
  if (goods === "add-ons") return { state: "done", text: "The add-ons are paid, and are there now.", next };
  if (goods === "services" || order.services.length > 0) return buildProgress(order);
  const text = `The order ${quotedOrder(order)} is paid. The platform names no service that it builds for it.`;
  return { state: "done", endUnknown: true, text, next };
}

/**
 * The goods of an order before it is charged. The platform builds services only if the order has none yet, so an order that names finished
 * services is about their add-ons. Those orders have no id of the partner's. Reseller spec sections 3.3 and 4.2.
 */
export function goodsOf({ services, external_order_id: own }: Order): Goods {
  if (services.length === 0) return own ? "services" : "unknown";
  if (services.some(({ status }) => status && underWay.includes(status))) return "services";
  return services.some(isUnlisted) ? "unknown" : "add-ons";
}

const goodsWords: Record<Goods, { missing: string; later: string }> = {
  services: { missing: "nothing is built", later: "The platform builds the order after that." },
  "add-ons": { missing: "the add-ons are not there", later: "New add-ons start after that." },
  unknown: { missing: "nothing is delivered", later: "The platform delivers the order after that." },
};

/** The progress of an order's payment; null once it is paid. */
function paymentProgress(call: PollCall<"reseller">, order: Order, goods: Goods): Progress | null {
  const { payment_status: payment } = order;
  const show = showOrderStep(order.id);
  const { missing, later } = goodsWords[goods];
  if (payment === "failed") {
    const text = `The charge failed: nothing was charged, and ${missing}.${chargeFailure(order)} The order ${quotedOrder(order)} is kept. Charging it again takes the price quoted then, and orders nothing twice.`;
    return { state: "failed", text, next: [retryStep(order.id), show] };
  }
  if (payment === "refunded") return { state: "failed", text: `The order was refunded, and ${missing}.`, next: [show] };
  const isUnbuilt = goods === "add-ons" || order.services.every(isPending);
  if (order.provisioning_status === "failed" && isUnbuilt) return notBuilt(order);
  if (payment === "processing") return { state: "working", text: "The platform is charging the order." };
  if (!payment && !isUnpaid(order) && !isBuilt(order))
    return { state: "working", text: "Ordered. The platform does not show yet if the order is paid.", next: [show] };
  if (!isUnpaid(order)) return null;
  const amount = orderAmount(order);
  return {
    state: "working",
    text: `Ordered. The document${amount ? ` of ${amount}` : ""} waits to be paid. ${later}`,
    every: unpaidPace(call),
    next: [...paySteps(order), show],
  };
}

/** The platform builds only what is paid. */
function isBuilt({ provisioning_status: built, services }: Order): boolean {
  return built === "provisioned" || services.some(({ status }) => status === "active" || status === "installing");
}

/** The order cannot be built. A paid order stays charged, so the text warns against ordering it again. */
export function notBuilt(order: Order): Progress {
  const amount = orderAmount(order);
  const why = order.provisioning_error ? ` The platform says: ${sentence(prose(order.provisioning_error, 300))}` : "";
  const charged = {
    yes: `The order was charged${amount ? ` (${amount})` : ""}, but not built.`,
    no: "The platform could not build the order, and nothing was charged.",
    refunded: "The platform could not build the order, and refunded it.",
    unknown: "The platform could not build the order. It does not show yet if the order was charged.",
  }[isCharged(order)];
  return {
    state: "failed",
    text: `${charged}${why} The platform's team has been notified. Do not order again. Ask its support, and quote the order ${quotedOrder(order)}.`,
    next: [showOrderStep(order.id)],
  };
}

/** A charge stands although nothing was built, except in invoice mode (reseller spec section 4.1): "pending" alone does not deny it. */
function isCharged({ payment_status: payment, payment_mode: mode }: Order): "yes" | "no" | "refunded" | "unknown" {
  if (payment === "paid") return "yes";
  if (payment === "failed") return "no";
  if (payment === "refunded") return "refunded";
  return mode === "invoice" && payment === "pending" ? "no" : "unknown";
}

type Built = Order["services"][number];

const underWay: (Built["status"] | undefined)[] = ["pending", "pending_payment", "installing", null, undefined];

/** Its state may still become another one; the deadline ends the wait. */
function isUnlisted({ status }: Built): boolean {
  return unlistedStatus(status).length > 0;
}

/** Nothing of it is there yet. Dedicated hardware stays so after a failed build: only its order shows the failure (customer spec 2.3). */
function isPending({ status }: Built): boolean {
  return underWay.includes(status) && status !== "installing";
}

/** After a failure that the order reports, what is only pending may stay so for ever; the rest of the order still comes up. */
function isBeingBuilt({ services, provisioning_status: built }: Order): boolean {
  if (services.length === 0) return true;
  if (services.some(isUnlisted)) return true;
  const comesUp = services.some(({ status }) => status === "installing" || status === "active");
  return services.some(({ status }) => underWay.includes(status)) && (built !== "failed" || comesUp);
}

function buildWords(order: Order): string {
  const { services, provisioning_status: built, provisioning_error: error } = order;
  const ready = services.filter(({ status }) => status === "active").length;
  const unclear = services.filter(isUnlisted).map(({ serviceId, hostname }) => code(hostname || serviceId, 60));
  const unknown = unclear.length > 0 ? ` Rackbell does not know the state of ${namesOf(unclear)}.` : "";
  const done = ready > 0 ? `: ${ready} of ${services.length} are ready` : "";
  if (unclear.length > 0 && unclear.length === services.length && built !== "failed") return `Paid.${unknown}`;
  if (built !== "failed" && buildOf(order) === "unshown")
    return `Paid${done}. The platform does not show what it builds.${unknown}`;
  if (built !== "failed") return `Paid for and being built${done}.${unknown}`;
  const reason = error ? `: ${sentence(prose(error, 300))}` : ".";
  return `Paid for and being built${done}. The platform says that a build failed${reason}${unknown}`;
}

function buildProgress(order: Order): Progress {
  const { services } = order;
  if (services.length === 0 && order.provisioning_status === "provisioned")
    return {
      state: "done",
      text: `The order is paid and built.\n${orderedWords(order)}`,
      next: [showOrderStep(order.id)],
    };
  if (isBeingBuilt(order)) return { state: "working", text: buildWords(order), next: [showOrderStep(order.id)] };
  const ready = services.filter(({ status }) => status === "active");
  const failed = services.filter(({ status }) => status !== "active");
  const lines = services.slice(0, mostTold).map(serviceLine);
  const more = services.length > mostTold ? [`${services.length - mostTold} more are in the order.`] : [];
  const headline =
    failed.length === 0
      ? `${count(ready.length, "service is", "services are")} ready.`
      : `${failed.length} of ${count(services.length, "service")} did not come up. The charge for ${failed.length === 1 ? "it" : "them"} remains. Ask the platform's support, and quote the order ${quotedOrder(order)}.`;
  const why = order.provisioning_error ? [`The platform says: ${prose(order.provisioning_error, 300)}`] : [];
  return {
    state: failed.length === 0 ? "done" : "failed",
    text: [headline, orderedWords(order), ...lines, ...more, ...(failed.length > 0 ? why : [])].join("\n"),
    next: [
      ...services.slice(0, 3).map(({ serviceId, hostname }) => ({
        label: `Show ${hostname || "the service"}`,
        command: "reseller service show",
        target: serviceId,
      })),
      showOrderStep(order.id),
    ],
  };
}

/** The order, its product, sum and customer. Members who see only the outcome must recognise the order. */
export function orderedWords(order: Order): string {
  const { order_number: number, id, product_name: product, external_customer_id: customer } = order;
  const { external_customer_name: name } = order;
  const amount = orderAmount(order);
  const whom = customer && (name ? `${code(name)} (${code(customer)})` : code(customer));
  const parts = [
    product ? `${code(product, 80)}` : null,
    amount,
    whom ? `sold to ${whom}` : "without a customer",
  ].filter((part) => part !== null);
  return `Order ${code(number ?? id)}: ${parts.join(", ")}.`;
}

const mostTold = 10;

function serviceLine({ serviceId, hostname, serverIp, status }: Built): string {
  const name = code(hostname || serviceId, 60);
  if (status === "active") return serverIp ? `${name} is at ${code(serverIp)}.` : `${name} is ready.`;
  return `${name}: ${stateWords(status ?? "unknown")}.`;
}
