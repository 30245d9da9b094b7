import * as z from "zod";
import type { Progress } from "../../../operation/answer.ts";
import type { PollCall, Tracking } from "../../../operation/operation.ts";
import { type Order, readOrder } from "../../../platform/reseller/orders.ts";
import { stateWords } from "../../../views/states.ts";
import { code, count, prose, sentence } from "../../../views/text.ts";
import { unpaidPace } from "../../kits/ordering.ts";
import { chargeFailure, isUnpaid, orderAmount, paySteps, quotedOrder, retryStep, showOrderStep } from "./order.ts";

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
  return services.some(({ status }) => status && underWay.includes(status)) ? "services" : "add-ons";
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
  const isUnbuilt = goods === "add-ons" || order.services.length === 0;
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

function buildProgress(order: Order): Progress {
  const { services } = order;
  if (services.length === 0 && order.provisioning_status === "provisioned")
    return {
      state: "done",
      text: `The order is paid and built.\n${orderedWords(order)}`,
      next: [showOrderStep(order.id)],
    };
  const building = services.filter(({ status }) => underWay.includes(status));
  if (building.length > 0 || services.length === 0) {
    const ready = services.length - building.length;
    const done = ready > 0 ? `: ${ready} of ${services.length} are ready` : "";
    return { state: "working", text: `Paid for and being built${done}.`, next: [showOrderStep(order.id)] };
  }
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
