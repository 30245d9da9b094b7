import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { type Order, readOrder } from "../../../platform/reseller/orders.ts";
import { context, facts, paragraphs, section } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { code, count, prose } from "../../../views/text.ts";
import { amountOf, isStorefront, nameOf, paySteps, retryStep, stateOf, wholesaleOrder } from "./order.ts";

export const show = defineOperation({
  command: "reseller order show",
  summary: "Show an order at the supplier: its payment, what was built, and what went wrong",
  act: readOrder,
  risk: "read",
  target: wholesaleOrder,
  input: z.object({}),
  async run({ target }) {
    const { id, services } = target;
    const text = `The order ${code(nameOf(target))} is ${stateOf(target)}.`;
    const lines = services.map(
      ({ serviceId, hostname, serverIp, status }) =>
        `• ${code(hostname || serviceId, 80)} · ${(status ?? "unknown").replaceAll("_", " ")}${serverIp ? ` · ${code(serverIp)}` : ""}`,
    );
    const waits = target.payment_status === "pending" && !isStorefront(target);
    return {
      text,
      blocks: [
        section(`*${text}*`),
        ...noticesOf(target).map((notice) => section(notice)),
        ...facts(factsOf(target)),
        ...(lines.length > 0 ? paragraphs([`*${count(services.length, "service")}*`, ...lines]) : []),
        context(`Order ${code(id)}`),
      ],
      next: [
        ...(target.payment_status === "failed" && !isStorefront(target) ? [retryStep(id)] : []),
        ...(waits ? paySteps(target) : []),
        ...services.slice(0, 3).map(({ serviceId, hostname }) => ({
          label: `Show ${hostname || "it"}`,
          command: "reseller service show",
          target: serviceId,
        })),
        { label: "Refresh", command: "reseller order show", target: id, replace: true },
      ],
    };
  },
});

function noticesOf(order: Order): string[] {
  const { payment_failed_reason: unpaid, provisioning_error: unbuilt } = order;
  return [
    ...(isStorefront(order) ? [":shopping_trolley: It was placed in the supplier's panel, not through this API."] : []),
    ...(unpaid ? [`:x: The charge failed: ${prose(unpaid, 300)}`] : []),
    ...(unbuilt
      ? [`:x: It was not built: ${prose(unbuilt, 300)} Do not order it again; ask the supplier, and quote this order.`]
      : []),
  ];
}

function factsOf(order: Order): { label: string; value: string }[] {
  const { external_customer_id: customer, external_customer_name: name } = order;
  const rows: [string, string | null | undefined][] = [
    ["Product", order.product_name && prose(order.product_name, 100)],
    ["Sold to", customer && (name ? `${code(name)} (${code(customer)})` : code(customer))],
    ["Amount", amountOf(order)],
    ["Billed", order.billing_cycle && prose(order.billing_cycle, 40)],
    ["Your own id", order.external_order_id && code(order.external_order_id)],
    ["Invoice", order.invoice_id && code(order.invoice_id)],
    ["Proforma", order.proforma_id && code(order.proforma_id)],
    ["Ordered", order.created_at && moment(order.created_at)],
  ];
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}
