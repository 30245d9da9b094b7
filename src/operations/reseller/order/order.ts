import type { Step } from "../../../operation/answer.ts";
import type { TargetKind } from "../../../operation/target.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { findOrder, listOrders, type Order, readOrder } from "../../../platform/reseller/orders.ts";
import type { PaymentStatus } from "../../../platform/reseller/states.ts";
import { money } from "../../../views/format.ts";
import { code, prose } from "../../../views/text.ts";

/** Lists, names and reads the partner's orders, by order number and by the partner's own order id. */
export const wholesaleOrder: TargetKind<"reseller", Order> = {
  noun: "order",
  label: "order to sell on",
  foundBy: "number, your own id for it",
  card: "reseller order show",
  pageSize: 200,
  list: listOrders,
  read: readByEither,
  entry: (row) => ({
    id: row.id,
    name: nameOf(row),
    aliases: [row.external_order_id, row.order_number].filter((alias) => typeof alias === "string"),
    state: stateOf(row),
    project: "",
    detail: [
      stateOf(row),
      row.product_name,
      row.external_customer_id && `for ${row.external_customer_id}`,
      amountOf(row),
      isStorefront(row) && "ordered in the panel",
    ]
      .filter((part) => part)
      .join(" · "),
    columns: {
      Product: row.product_name ?? "",
      "Sold to": row.external_customer_id ?? "",
      Amount: amountOf(row) ?? "",
      ...(row.created_at ? { Ordered: { at: row.created_at } } : {}),
    },
    ...(troubles.has(stateOf(row)) ? { trouble: stateOf(row) } : {}),
  }),
};

const troubles = new Set(["charge failed", "paid, not built", "not built"]);

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

export function nameOf({ order_number: number, id }: Pick<Order, "order_number" | "id">): string {
  return number ?? id;
}

/** The order's state in a few words: its payment, and once paid, its provisioning. */
export function stateOf(row: Order): string {
  const { payment_status: payment, provisioning_status: built } = row;
  if (payment === "failed") return "charge failed";
  if (payment === "refunded") return "refunded";
  if (built === "failed") return payment === "paid" ? "paid, not built" : "not built";
  if (payment === "paid") return built === "provisioned" ? "paid and built" : "paid, being built";
  if (payment === "processing") return "being charged";
  if (row.payment_mode === "invoice" || payment === "pending") return "waits for its payment";
  return (row.status ?? "of unknown state").replaceAll("_", " ");
}

/** The past or future charge, excl. VAT; null where the row has none. */
export function amountOf({ wholesale_amount: amount, currency, total_amount: total }: Order): string | null {
  if (amount) return `${money(amount, currency ?? null)} excl. VAT`;
  return total ? `${money(total, null)} in the supplier's base currency, excl. VAT` : null;
}

/** True for an order placed in the supplier's own panel, not through this API. */
export function isStorefront({ payment_mode: mode }: Order): boolean {
  return mode === "storefront";
}

export function retryStep(target: string): Step {
  return { label: "Charge it again…", command: "reseller order retry", target, style: "primary" };
}

export function showStep(target: string): Step {
  return { label: "The order", command: "reseller order show", target };
}

/** Buttons to pay an open document with a customer key that can read it. */
export function paySteps({
  invoice_id: invoice,
  proforma_id: proforma,
}: Pick<Order, "invoice_id" | "proforma_id">): Step[] {
  const document = invoice ?? proforma;
  return document ? [{ label: "Pay…", command: "billing pay", target: document, style: "primary" }] : [];
}

/** "RES-1001 (2 × …)": the order's number and id, as the supplier wants them quoted. */
export function quoted({ order_number: number, id }: Pick<Order, "order_number" | "id">): string {
  return number ? `${code(number)} (${code(id)})` : code(id);
}

/** The gateway's reason for a failed charge, as a sentence; empty without one. */
export function reasonOf({ payment_failed_reason: reason }: Order): string {
  return reason ? ` The gateway says: ${prose(reason, 300)}` : "";
}
