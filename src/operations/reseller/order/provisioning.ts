import * as z from "zod";
import type { Progress } from "../../../operation/answer.ts";
import type { PollCall, Tracking } from "../../../operation/operation.ts";
import { type Order, readOrder } from "../../../platform/reseller/orders.ts";
import { code, count, prose, sentence } from "../../../views/text.ts";
import { amountOf, paySteps, quoted, reasonOf, retryStep, showStep } from "./order.ts";

export const OrderHandle = z.object({ order: z.string() });

/** Milliseconds until the next poll. A document waits for a person, so polling slows down with its age. */
export function unpaidPace({ since, now }: PollCall<"reseller">): number {
  return Math.min(5 * 60_000, Math.max(30_000, (now - since) / 5));
}

/** Tracks an order through payment and provisioning, until it shows the addresses or the failure. */
export const provisioning: Tracking & {
  handle: typeof OrderHandle;
  poll: (call: PollCall<"reseller">, handle: z.output<typeof OrderHandle>) => Promise<Progress>;
} = {
  every: 10_000,
  deadline: 3 * 24 * 60 * 60_000,
  handle: OrderHandle,
  async poll(call, handle) {
    const order = await readOrder(call.client, handle.order);
    return paymentProgress(call, order) ?? buildProgress(order);
  },
};

/** The progress of an order's payment; null once it is paid. */
function paymentProgress(call: PollCall<"reseller">, order: Order): Progress | null {
  const { payment_status: payment } = order;
  const show = showStep(order.id);
  if (payment === "failed") {
    const text = `The charge failed, so nothing was charged and nothing is built.${reasonOf(order)} The order ${quoted(order)} is kept: charging it again takes what was quoted then, and orders nothing twice.`;
    return { state: "failed", text, next: [retryStep(order.id), show] };
  }
  if (payment === "refunded") return { state: "failed", text: "It was refunded, so it is not built.", next: [show] };
  if (order.provisioning_status === "failed" && order.services.length === 0) return notBuilt(order);
  if (payment === "processing") return { state: "working", text: "It is being charged." };
  const unpaid = payment === "pending" || order.services.some(({ status }) => status === "pending_payment");
  if (!unpaid) return null;
  const amount = amountOf(order);
  return {
    state: "working",
    text: `Ordered. Its document${amount ? ` of ${amount}` : ""} waits to be paid, and it is built then.`,
    every: unpaidPace(call),
    next: [...paySteps(order), show],
  };
}

/** The order cannot be built. A paid order stays charged, so the text warns against ordering it again. */
export function notBuilt(order: Order): Progress {
  const amount = amountOf(order);
  const why = order.provisioning_error ? ` The platform says: ${sentence(prose(order.provisioning_error, 300))}` : "";
  const charged = {
    yes: `Charged${amount ? ` (${amount})` : ""}, and not built.`,
    no: "It could not be built, and nothing was charged.",
    unknown: "It could not be built. The supplier does not show yet if it was charged.",
  }[isCharged(order)];
  return {
    state: "failed",
    text: `${charged}${why} The supplier has been told. Do not order it again: ask them, and quote the order ${quoted(order)}.`,
    next: [showStep(order.id)],
  };
}

/** A charge stands although nothing was built, except in invoice mode (reseller spec section 4.1): "pending" alone does not deny it. */
function isCharged({ payment_status: payment, payment_mode: mode }: Order): "yes" | "no" | "unknown" {
  if (payment === "paid") return "yes";
  if (payment === "failed" || payment === "refunded") return "no";
  return mode === "invoice" && payment === "pending" ? "no" : "unknown";
}

type Built = Order["services"][number];

const underWay: (Built["status"] | undefined)[] = ["pending", "pending_payment", "installing", null, undefined];

function buildProgress(order: Order): Progress {
  const { services } = order;
  if (services.length === 0 && order.provisioning_status === "provisioned")
    return { state: "done", text: `It is paid and built.\n${orderedWords(order)}`, next: [showStep(order.id)] };
  const building = services.filter(({ status }) => underWay.includes(status));
  if (building.length > 0 || services.length === 0) {
    const ready = services.length - building.length;
    const done = ready > 0 ? `: ${ready} of ${services.length} are ready` : "";
    return { state: "working", text: `Paid for and being built${done}.`, next: [showStep(order.id)] };
  }
  const ready = services.filter(({ status }) => status === "active");
  const failed = services.filter(({ status }) => status !== "active");
  const lines = services.slice(0, mostTold).map(serviceLine);
  const more = services.length > mostTold ? [`${services.length - mostTold} more are in the order.`] : [];
  const headline =
    failed.length === 0
      ? `${count(ready.length, "service is", "services are")} ready.`
      : `${failed.length} of ${count(services.length, "service")} did not come up. What was charged for ${failed.length === 1 ? "it" : "them"} stands: ask the supplier, and quote the order ${quoted(order)}.`;
  const why = order.provisioning_error ? [`The platform says: ${prose(order.provisioning_error, 300)}`] : [];
  return {
    state: failed.length === 0 ? "done" : "failed",
    text: [headline, orderedWords(order), ...lines, ...more, ...(failed.length > 0 ? why : [])].join("\n"),
    next: [
      ...services.slice(0, 3).map(({ serviceId, hostname }) => ({
        label: `Show ${hostname || "it"}`,
        command: "reseller service show",
        target: serviceId,
      })),
      showStep(order.id),
    ],
  };
}

/** The order, its product, sum and customer. Members who see only the outcome must recognise the order. */
export function orderedWords(order: Order): string {
  const { order_number: number, id, product_name: product, external_customer_id: customer } = order;
  const { external_customer_name: name } = order;
  const amount = amountOf(order);
  const whom = customer && (name ? `${code(name)} (${code(customer)})` : code(customer));
  const parts = [
    product ? `${code(product, 80)}` : null,
    amount,
    whom ? `sold to ${whom}` : "sold to nobody in particular",
  ].filter((part) => part !== null);
  return `Order ${code(number ?? id)}: ${parts.join(", ")}.`;
}

const mostTold = 10;

function serviceLine({ serviceId, hostname, serverIp, status }: Built): string {
  const name = code(hostname || serviceId, 60);
  if (status === "active") return serverIp ? `${name} is at ${code(serverIp)}.` : `${name} is ready.`;
  return `${name}: ${(status ?? "unknown").replaceAll("_", " ")}.`;
}
