import * as z from "zod";
import type { Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { context, facts, section } from "../../views/blocks.ts";
import { money } from "../../views/format.ts";
import { renderJson } from "../../views/json.ts";
import { sections } from "../../views/lines.ts";
import { code } from "../../views/text.ts";
import { type Bill, bill, currencyFor, isOpen, statusWords } from "./bill.ts";
import { billLine } from "./documents.ts";
import { readable } from "./rows.ts";

export const show = defineOperation({
  api: "customer",
  command: "billing show",
  summary: "Show an invoice or a proforma: what it is for, what is paid and what is left",
  routes: ["GET /invoices/{id}", "GET /proformas/{id}", "GET /account/balance"],
  scope: "read",
  risk: "read",
  target: bill,
  input: z.object({}),
  async run({ client, target }) {
    const currency = await currencyFor(client, target.currency);
    const paid = target.detail?.paid_amount;
    const left = target.detail?.remaining_amount;
    const more = renderJson(readable(restOf(target)));
    return {
      text: `${code(target.name)} of ${money(target.total, currency)} is ${statusWords[target.status]}.`,
      blocks: [
        section(`${billLine(target, currency)} · ${target.type}`),
        ...facts([
          { label: "Total", value: money(target.total, currency) },
          { label: "Paid", value: paid === undefined ? "not told" : money(paid, currency) },
          { label: "Left to pay", value: left === undefined ? "not told" : money(left, currency) },
        ]),
        ...becameNote(target),
        ...(more.length > 0 ? sections(more) : []),
        context(`${target.type === "invoice" ? "Invoice" : "Proforma"} ${code(target.id)}`),
      ],
      next: stepsOf(target),
    };
  },
});

const told = ["id", "status", "total", "currency", "invoice_id"];

/** What else the platform sends of it: the contract does not name it, so it is shown as it comes. */
function restOf({ row }: Bill): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([key, value]) => !told.includes(key) && value !== null && value !== undefined),
  );
}

function becameNote({ type, status, row }: Bill) {
  if (type !== "proforma" || status !== "converted") return [];
  return [
    context(
      row.invoice_id
        ? "It was paid in full and became an invoice."
        : "It was paid in full and became an invoice; the platform does not say which. It is among the paid invoices.",
    ),
  ];
}

function stepsOf(target: Bill): Step[] {
  const refresh: Step = { label: "Refresh", command: "billing show", target: target.id, replace: true };
  if (isOpen(target)) return [{ label: "Pay…", command: "billing pay", target: target.id, style: "primary" }, refresh];
  if (target.type !== "proforma" || target.status !== "converted") return [refresh];
  const { invoice_id: invoice } = target.row;
  return invoice
    ? [{ label: "Its invoice", command: "billing show", target: invoice }]
    : [{ label: "Paid invoices", command: "billing invoices", input: { status: "paid" } }];
}
