import * as z from "#zod";
import { listFields } from "../../../messages/answers/list.ts";
import type { Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { wrongInput } from "../../../operation/errors.ts";
import type { TargetKind } from "../../../operation/target.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { findOrder, listOrders, type Order, readOrder } from "../../../platform/reseller/orders.ts";
import { hiddenFailure } from "../../../platform/reseller/refusals.ts";
import { PaymentStatus } from "../../../platform/reseller/states.ts";
import { ownValue } from "../../../process/own-value.ts";
import { paragraphs } from "../../../views/blocks.ts";
import { bareAmount, moment, money } from "../../../views/format.ts";
import { code, count, dotted, prose } from "../../../views/text.ts";
import { stateWords } from "../../../views/values.ts";
import { payStep } from "../../billing/bill.ts";
import { card, firstLines, mostLines } from "../../kits/card.ts";
import type { KnownFacts } from "../../kits/lines.ts";
import { listOperation } from "../../kits/list.ts";

/** Lists, names and reads the partner's orders, by order number and by the partner's own order id. */
export const wholesaleOrder: TargetKind<"reseller", Order> = {
  noun: "order",
  label: "reseller order",
  foundBy: "number, your own id for it",
  card: "reseller order show",
  list: listOrders,
  read: readByEither,
  find: async (client, name) => (await listOrders(client, { externalOrderId: name })).rows,
  entry: (row) => ({
    id: row.id,
    name: orderName(row),
    nameless: !row.order_number,
    aliases: [row.external_order_id, row.order_number].filter((alias) => typeof alias === "string"),
    state: orderState(row),
    detail: dotted([
      orderState(row),
      row.product_name,
      row.external_customer_id && `for ${row.external_customer_id}`,
      orderAmount(row),
      isStorefront(row) && "ordered in the panel",
    ]),
    columns: {
      Product: row.product_name ?? "",
      "Sold to": row.external_customer_id ?? "",
      Amount: orderAmount(row) ?? "",
      ...(row.created_at ? { Ordered: { at: row.created_at } } : {}),
    },
    ...(troubles.has(orderState(row)) ? { trouble: orderState(row) } : {}),
  }),
  identity: {
    project: "The reseller API knows no projects.",
    address: ({ services: [service, other] }) => (other ? null : (service?.serverIp ?? null)),
    hostname: ({ services: [service, other] }) => (other ? null : (service?.hostname ?? null)),
    location: "The rows of orders name no location.",
    apart: "No two orders have one number.",
  },
};

const troubles = new Set(["payment failed", "paid, not built", "not built"]);

/** The partner's own id may look like one of the platform's: an order made here has its request's id. So both are tried. */
async function readByEither(client: ResellerClient, id: string): Promise<Order> {
  try {
    return await readOrder(client, id);
  } catch (error) {
    const found = error instanceof PlatformRefused && error.status === 404 ? await findOrder(client, id) : null;
    if (found) return readOrder(client, found.id);
    throw error;
  }
}

/** The orders with this payment status. */
export function ordersThat(status: PaymentStatus): TargetKind<"reseller", Order> {
  return {
    ...wholesaleOrder,
    noun: `order ${status}`,
    list: (client, query) => listOrders(client, { ...query, status }),
  };
}

/** The orders that the platform finds by the partner's own id of them. */
function ordersOf(externalOrderId: string): TargetKind<"reseller", Order> {
  return {
    ...wholesaleOrder,
    noun: `order with ${JSON.stringify(externalOrderId)}`,
    list: (client, query) => listOrders(client, { ...query, externalOrderId }),
  };
}

export function orderName({ order_number: number, id }: Pick<Order, "order_number" | "id">): string {
  return number ?? id;
}

/** The order's state in a few words: its payment, and once paid, its provisioning. */
export function orderState(row: Order): string {
  const { payment_status: payment, provisioning_status: built } = row;
  if (payment === "failed") return "payment failed";
  if (payment === "refunded") return "refunded";
  if (built === "failed") return payment === "paid" ? "paid, not built" : "not built";
  if (payment === "paid") return paidWords[buildOf(row)];
  if (payment === "processing") return "being charged";
  if (isUnpaid(row)) return "awaiting payment";
  return stateWords(row.status ?? "of unknown state");
}

const paidWords = { built: "paid and built", "under way": "paid, being built", unshown: "paid" };

/**
 * The build of an order that did not fail. Orders of the panel and of add-ons may name no provisioning status: a missing one is no state,
 * and "unshown" unless a service shows it. Reseller spec section 2.3.
 */
export function buildOf({ provisioning_status: built, services }: Order): keyof typeof paidWords {
  if (built === "provisioned") return "built";
  if (services.length > 0 && services.every(({ status }) => status === "active")) return "built";
  const isUnderWay = services.some(({ status }) => status === "pending" || status === "installing");
  return built === "pending" || isUnderWay ? "under way" : "unshown";
}

/** True while the order's document is unpaid. A row without a payment shows that by its mode, until something is built. */
export function isUnpaid(row: Order): boolean {
  const { payment_status: payment, payment_mode: mode, provisioning_status: built, services } = row;
  if (payment === "pending" || services.some(({ status }) => status === "pending_payment")) return true;
  return !payment && mode === "invoice" && built !== "provisioned";
}

/** The past or future charge; null where the row has none. */
export function orderAmount(row: Order): string | null {
  const { wholesale_amount: amount, currency } = row;
  return amount ? `${money(amount, currency ?? null)}${taxWords(row)}` : totalOf(row);
}

/** Of a wholesale amount. The panel's orders name no id of the partner's, and a row without a mode may be one of them. Reseller spec section 2.3. */
function taxWords(row: Order): string {
  if (isStorefront(row)) return "";
  return row.payment_mode || row.external_order_id ? " excl. VAT" : " (it is unknown if VAT is included)";
}

/** The total of the row, which is in the base currency. The spec does not say if it has VAT in it. Reseller spec section 2.3. */
function totalOf(row: Order): string | null {
  const { total_amount: total } = row;
  return total ? `${bareAmount(total)} in the platform's base currency` : null;
}

/** True for an order placed in the platform's own panel, not through this API. */
export function isStorefront({ payment_mode: mode }: Order): boolean {
  return mode === "storefront";
}

export function retryStep(target: string): Step {
  return { label: "Charge again…", command: "reseller order retry", target, style: "primary" };
}

export function showOrderStep(target: string): Step {
  return { label: "The order", command: "reseller order show", target };
}

/** Buttons to pay an open document with a customer key that can read it. */
export function paySteps({
  invoice_id: invoice,
  proforma_id: proforma,
}: Pick<Order, "invoice_id" | "proforma_id">): Step[] {
  const document = invoice ?? proforma;
  return document ? [payStep(document)] : [];
}

/** "`RES-1001` (`7c1f…`)": the order's number and id, as the platform wants them quoted. */
export function quotedOrder({ order_number: number, id }: Pick<Order, "order_number" | "id">): string {
  return number ? `${code(number)} (${code(id)})` : code(id);
}

/** The reason for a failed charge, in the words of the gateway where they are open to all; empty without one. */
export function chargeFailure({ payment_failed_reason: reason }: Order): string {
  if (!reason) return "";
  return reason === hiddenFailure ? ` ${reason}` : ` The gateway says: ${prose(reason, 300)}`;
}

export const list = listOperation({
  kind: wholesaleOrder,
  command: "reseller order list",
  summary: "List your orders at the platform, by text, by payment or by your own id",
  example: "/reseller order list",
  act: listOrders,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the number, or your own id of the order" }),
    payment: PaymentStatus.optional().meta({ title: "Payment" }),
    own: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .meta({ title: "Your own id of the order", description: "The whole id; the platform looks it up" }),
    page: listFields.page,
  }),
  many: "reseller orders",
  mark: (state) => ownValue(marks, state) ?? ":hourglass_flowing_sand:",
  async options({ input: { payment, own } }) {
    if (payment !== undefined && own !== undefined)
      throw wrongInput("own", "Your own id finds one order with any payment. Leave out one of the two.");
    if (own !== undefined) return { kind: ordersOf(own), many: `reseller orders with your own id ${code(own)}` };
    return payment === undefined ? {} : { kind: ordersThat(payment), many: `orders whose payment is ${payment}` };
  },
});

const marks: Record<string, string> = {
  "paid and built": ":white_check_mark:",
  paid: ":credit_card:",
  "payment failed": ":x:",
  "paid, not built": ":x:",
  "not built": ":x:",
  refunded: ":leftwards_arrow_with_hook:",
};

export const show = defineOperation({
  command: "reseller order show",
  synonyms: ["status", "info"],
  summary: "Show an order at the platform: its payment, its services and its errors",
  example: "/reseller order show RES-1000",
  act: readOrder,
  risk: "read",
  target: wholesaleOrder,
  input: z.object({}),
  async run({ target, name }) {
    const { id, services } = target;
    const text = `The order ${name}: ${orderState(target)}.`;
    const waits = target.payment_status === "pending" && !isStorefront(target);
    return card({
      text,
      title: `*${text}*`,
      lines: [...noticesOf(target), ...firstLines(services, serviceLine)],
      facts: factsOf(target),
      details:
        services.length > mostLines
          ? paragraphs([`*${count(services.length, "service")}*`, ...services.map(serviceLine)])
          : [],
      id: `Order ${code(id)}`,
      next: [
        ...(target.payment_status === "failed" && !isStorefront(target) ? [retryStep(id)] : []),
        ...(waits ? paySteps(target) : []),
        ...services.slice(0, 3).map(({ serviceId, hostname }) => ({
          label: `Show ${hostname || "the service"}`,
          command: "reseller service show",
          target: serviceId,
        })),
        { label: "Refresh", command: "reseller order show", target: id, replace: true },
      ],
    });
  },
});

function serviceLine({ serviceId, hostname, serverIp, status }: Order["services"][number]): string {
  return `• ${code(hostname || serviceId, 80)} · ${stateWords(status ?? "unknown")}${serverIp ? ` · ${code(serverIp)}` : ""}`;
}

function noticesOf(order: Order): string[] {
  const { payment_failed_reason: unpaid, provisioning_error: unbuilt } = order;
  return [
    ...(isStorefront(order)
      ? [":shopping_trolley: The order was placed in the platform's panel, not through this API."]
      : []),
    ...(unpaid ? [`:x: The charge failed: ${prose(unpaid, 300)}`] : []),
    ...(unbuilt
      ? [
          `:x: The order was not built: ${prose(unbuilt, 300)} Do not order again. Ask the platform's support, and quote this order.`,
        ]
      : []),
  ];
}

function factsOf(order: Order): KnownFacts {
  const { external_customer_id: customer, external_customer_name: name } = order;
  return [
    ["Product", order.product_name && prose(order.product_name, 100)],
    ["Sold to", [name && code(name), customer && code(customer)].filter((part) => part).join(", ")],
    ["Amount", orderAmount(order)],
    ["Ordered", order.created_at && moment(order.created_at)],
    ["Billed", order.billing_cycle && prose(order.billing_cycle, 40)],
    ["Invoice", order.invoice_id && code(order.invoice_id)],
    ["Proforma", order.proforma_id && code(order.proforma_id)],
    ["E-mail", order.external_customer_email && code(order.external_customer_email)],
    ["Total", order.wholesale_amount ? totalOf(order) : null],
    ["The platform's status", order.status && prose(stateWords(order.status), 40)],
    ["Your own id", order.external_order_id && code(order.external_order_id)],
  ];
}
