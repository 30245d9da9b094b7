import type { TargetKind } from "../../operation/target.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import { listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import { moment, money } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import { wordsOf } from "../billing/bill.ts";

/** How an order is found and named; of most of its fields the contract does not say what they are called. */
export const order: TargetKind<"customer", Order> = {
  noun: "order",
  label: "order",
  foundBy: "number, host name, idempotency key",
  pageSize: 200,
  list: listOrders,
  read: readOrder,
  entry: (row) => ({
    id: row.id,
    name: nameOf(row),
    aliases: [...wordsOf(row), ...(row.idempotency_key ? [row.idempotency_key] : [])],
    state: (row.status ?? "").replaceAll("_", " "),
    project: "",
    detail: (row.status ?? "").replaceAll("_", " "),
  }),
};

export function nameOf(row: Order): string {
  return numberOf(row) ?? `order ${row.id.slice(0, 8)}`;
}

/** "ORD-1003 · web-4.example.com · new · pending · 6.05 EUR · 21 Nov". */
export function orderLine(row: Order): string {
  const { hostname, total, currency, created_at: created, order_type: type, status } = row;
  const parts = [
    `:receipt: ${code(nameOf(row), 60)}`,
    typeof hostname === "string" ? code(hostname, 80) : null,
    type ? prose(type, 40) : null,
    status ? `*${prose(status.replaceAll("_", " "), 40)}*` : null,
    typeof total === "string" || typeof total === "number"
      ? money(total, typeof currency === "string" ? currency : null)
      : null,
    typeof created === "string" ? moment(created) : null,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}
