import * as z from "zod";
import { rowButton } from "../../engine/answers/buttons.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listOrders } from "../../platform/customer/orders.ts";
import { section } from "../../views/blocks.ts";
import { code, count, prose } from "../../views/text.ts";
import { turns } from "../billing/turns.ts";
import { orderLine } from "./order.ts";

const rowsPerPage = 10;

export const list = defineOperation({
  api: "customer",
  command: "order list",
  summary: "List orders, all or by host name, status or idempotency key",
  routes: ["GET /orders"],
  scope: "read",
  risk: "read",
  target: noTarget,
  input: z.object({
    hostname: z
      .string()
      .optional()
      .meta({ title: "Host name", description: "Of the order, its lines, or what was built from it" }),
    status: z.string().optional().meta({ title: "Status" }),
    key: z.string().max(255).optional().meta({ title: "Idempotency key", description: "As the order was sent with" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "hostname",
  async run({ client, input, may }) {
    const { hostname, status, key, page } = input;
    const { rows, pagination } = await listOrders(client, {
      page,
      limit: rowsPerPage,
      ...(hostname ? { hostname } : {}),
      ...(status ? { status } : {}),
      ...(key ? { idempotencyKey: key } : {}),
    });
    const filters = [hostname && code(hostname, 80), status && prose(status, 40), key && `key ${code(key, 80)}`].filter(
      (filter) => filter,
    );
    const about = filters.length > 0 ? ` for ${filters.join(", ")}` : "";
    const fresh = may("order new") ? [{ label: "New order…", command: "order new" }] : [];
    if (pagination.total === 0) {
      const all = { label: "All orders", command: "order list", replace: true };
      return { text: `There are no orders${about}.`, next: filters.length > 0 ? [all] : fresh };
    }
    const pages = Math.max(1, pagination.pages);
    const headline = `*${count(pagination.total, "order")}*${about} · page ${page} of ${pages}`;
    return {
      text: headline,
      blocks: [
        section(headline),
        ...rows.map((row) =>
          section(orderLine(row), rowButton("Open", { command: "order show", target: row.id }, row.id)),
        ),
      ],
      next: [...turns("order list", { hostname, status, key }, page, pages), ...fresh],
    };
  },
});
