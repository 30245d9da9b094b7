import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import type { Order } from "../../platform/customer/orders.ts";
import { context, section } from "../../views/blocks.ts";
import { renderJson } from "../../views/json.ts";
import { sections } from "../../views/lines.ts";
import { code, count } from "../../views/text.ts";
import { readable } from "../billing/rows.ts";
import { nameOf, order, orderLine } from "./order.ts";

export const show = defineOperation({
  api: "customer",
  command: "order show",
  summary: "Show an order: its lines, what was built from it, and how far it is",
  routes: ["GET /orders/{id}"],
  scope: "read",
  risk: "read",
  target: order,
  input: z.object({}),
  async run({ target }) {
    const services = target.services ?? [];
    const unpaid = services.some(({ status }) => status === "pending_payment");
    const lines = services.map(({ id, name, hostname, status }) => {
      const called = [name, hostname].find((text) => typeof text === "string");
      return `• ${code(typeof called === "string" ? called : id, 80)} · ${(status ?? "unknown").replaceAll("_", " ")}`;
    });
    const items = renderJson(readable(target.items ?? []));
    return {
      text: `${code(nameOf(target))} is ${target.status ?? "in a state that the platform does not tell"}.`,
      blocks: [
        section(orderLine(target)),
        ...(lines.length > 0 ? sections([`*${count(lines.length, "service")}*`, ...lines]) : []),
        ...(target.items ? sections(["*Lines*", ...items]) : []),
        ...moreOf(target),
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
        { label: "Refresh", command: "order show", target: target.id, replace: true },
      ],
    };
  },
});

const told = ["id", "status", "order_type", "items", "services", "hostname", "total", "currency", "created_at"];

/** What else the platform sends of it, shown as it comes. */
function moreOf(target: Order) {
  const rest = Object.entries(target).filter(
    ([key, value]) => !told.includes(key) && value !== null && value !== undefined && value !== nameOf(target),
  );
  return rest.length > 0 ? sections(renderJson(Object.fromEntries(rest))) : [];
}
