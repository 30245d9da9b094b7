import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { readOrder } from "../../platform/customer/orders.ts";
import { context, section } from "../../views/blocks.ts";
import { sections } from "../../views/lines.ts";
import { code, count } from "../../views/text.ts";
import { listLines, restBlocks } from "../billing/row-words.ts";
import { turns } from "../billing/turns.ts";
import { nameOf, order, orderLine } from "./order.ts";

/** An order with more lines than this is shown page by page. */
const linesPerPage = 40;

export const show = defineOperation({
  command: "order show",
  summary: "Show an order: its lines, what was built from it, and how far it is",
  act: readOrder,
  risk: "read",
  target: order,
  input: z.object({ page: z.number().int().min(1).default(1).meta({ title: "Page" }) }),
  async run({ target, input: { page: asked } }) {
    const { services = [], items = [] } = target;
    const currency = typeof target.currency === "string" ? target.currency : null;
    const unpaid = services.some(({ status }) => status === "pending_payment");
    const built = services.map(({ id, name, hostname, status }) => {
      const called = [name, hostname].find((text) => typeof text === "string");
      return `• ${code(typeof called === "string" ? called : id, 80)} · ${(status ?? "unknown").replaceAll("_", " ")}`;
    });
    const pages = Math.max(1, Math.ceil(Math.max(items.length, built.length) / linesPerPage));
    const page = Math.min(asked, pages);
    const part = <T>(rows: T[]) => rows.slice((page - 1) * linesPerPage, page * linesPerPage);
    const [heading = "", ...lines] = listLines("Lines", items, currency);
    return {
      text: `${code(nameOf(target))} is ${target.status ?? "in a state that the platform does not tell"}.`,
      blocks: [
        section(`${orderLine(target)}${pages > 1 ? ` · page ${page} of ${pages}` : ""}`),
        ...(built.length > 0 ? sections([`*${count(built.length, "service")}*`, ...part(built)]) : []),
        ...(items.length > 0 ? sections([heading, ...part(lines)]) : []),
        ...restBlocks(target, shownAbove(target), currency),
        context(`Order ${code(target.id)}`),
      ],
      next: [
        ...services.slice(0, 3).map(({ id, name }) => ({
          label: `Show ${typeof name === "string" ? name : "it"}`,
          command: "service show",
          target: id,
        })),
        ...(unpaid
          ? [
              { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
              { label: "Unpaid proformas", command: "billing proformas", input: { status: "unpaid" } },
            ]
          : []),
        ...turns("order show", {}, page, pages).map((step) => ({ ...step, target: target.id })),
        { label: "Refresh", command: "order show", target: target.id, replace: true },
      ],
    };
  },
});

const shown = ["id", "status", "order_type", "items", "services", "hostname", "total", "currency", "created_at"];

/** The fields that the answer shows already, and its number under any of its names. */
function shownAbove(target: object): string[] {
  return [...shown, ...Object.keys(target).filter((key) => /number$/i.test(key))];
}
