import type { TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import { listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import type { Page } from "../../platform/http/pages.ts";
import { moment, money } from "../../views/format.ts";
import type { Cell } from "../../views/table.ts";
import { code, prose } from "../../views/text.ts";
import { wordsOf } from "../billing/bill.ts";

/** Orders of the account. The contract does not name most of their fields. */
export const order: TargetKind<"customer", Order> = {
  noun: "order",
  label: "order",
  foundBy: "number, host name, idempotency key",
  card: "order show",
  inProjects: true,
  pageSize: 200,
  list: listOrders,
  read: readOrder,
  entry: (row) => ({
    id: row.id,
    name: nameOf(row),
    aliases: [...wordsOf(row), ...(row.idempotency_key ? [row.idempotency_key] : [])],
    state: stateOf(row),
    project: "",
    detail: detailOf(row),
    columns: columnsOf(row),
  }),
};

/** The orders that the platform finds by host name or idempotency key. Spec section 4.6. */
export function ordersWith({ hostname, key }: { hostname?: string | undefined; key?: string | undefined }): {
  kind: TargetKind<"customer", Order>;
  byStatus: (client: CustomerClient, page: Parameters<typeof listOrders>[1]) => Promise<Page<Order>>;
  many: string;
} {
  const about = [hostname && code(hostname, 80), key && `key ${code(key, 80)}`].filter((part) => part).join(", ");
  if (!about) return { kind: order, byStatus: listOrders, many: "orders" };
  const query = { ...(hostname ? { hostname } : {}), ...(key ? { idempotencyKey: key } : {}) };
  return {
    kind: {
      ...order,
      noun: `order with ${JSON.stringify(query)}`,
      label: `order for ${about}`,
      list: (client, page) => listOrders(client, { ...page, ...query }),
    },
    byStatus: (client, page) => listOrders(client, { ...page, ...query }),
    many: `orders for ${about}`,
  };
}

function stateOf({ status }: Order): string {
  return (status ?? "").replaceAll("_", " ");
}

export function markOf(state: string): string {
  if (/^(active|completed|paid|done)/.test(state)) return ":white_check_mark:";
  if (/(failed|cancelled|refused)$/.test(state)) return ":x:";
  return ":receipt:";
}

/** The cells of an order beside its name, by column heading. */
function columnsOf(row: Order): Record<string, Cell> {
  const { hostname, total, currency, order_type: type, created_at: created } = row;
  return {
    "Host name": typeof hostname === "string" ? hostname : "",
    Sort: (type ?? "").replaceAll("_", " "),
    Total:
      typeof total === "string" || typeof total === "number"
        ? { text: money(total, typeof currency === "string" ? currency : null), value: Number(total) }
        : "",
    Ordered: typeof created === "string" ? { at: created } : "",
  };
}

function detailOf(row: Order): string {
  const cells = Object.values(columnsOf(row)).map((cell) =>
    typeof cell === "string" ? cell : "text" in cell ? cell.text : "",
  );
  return [stateOf(row), ...cells].filter((part) => part !== "").join(" · ");
}

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
