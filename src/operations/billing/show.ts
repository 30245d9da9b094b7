import * as z from "zod";
import type { Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { readInvoice, readProforma } from "../../platform/customer/billing.ts";
import { dueOf } from "../../platform/customer/documents.ts";
import { type Block, context, facts, section } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import { sections } from "../../views/lines.ts";
import { code } from "../../views/text.ts";
import { type Bill, bill, currencyFor, statusWords } from "./bill.ts";
import { billLine } from "./documents.ts";
import { isOpen, leftOf } from "./owed.ts";
import { listLines, restBlocks } from "./row-words.ts";
import { turns } from "./turns.ts";

/** A document with more lines than this is shown page by page. */
const linesPerPage = 40;

export const show = defineOperation({
  command: "billing show",
  summary: "Show an invoice or a proforma: what it is for, what is paid and what is left",
  act: readInvoice,
  reads: [readProforma, readBalance],
  risk: "read",
  target: bill,
  input: z.object({ page: z.number().int().min(1).default(1).meta({ title: "Page" }) }),
  async run({ client, target, input: { page: asked } }) {
    const currency = await currencyFor(client, target.currency);
    const { items, payments, ...rest } = target.row;
    const lines = Array.isArray(items) ? items : [];
    const pages = Math.max(1, Math.ceil(lines.length / linesPerPage));
    const page = Math.min(asked, pages);
    return {
      text: `${code(target.name)} of ${money(target.total, currency)} is ${statusWords[target.status]}.`,
      blocks: [
        section(`${billLine(target, currency)} · ${target.type}`),
        ...facts(factsOf(target, currency)),
        ...becameNote(target),
        ...linesBlocks(lines, { page, pages, currency }),
        ...(Array.isArray(payments) ? sections(listLines("Payments", payments, currency)) : []),
        ...restBlocks(rest, shownAbove(rest), currency),
        context(`${target.type === "invoice" ? "Invoice" : "Proforma"} ${code(target.id)}`),
      ],
      next: [
        ...turns("billing show", {}, page, pages).map((step) => ({ ...step, target: target.id })),
        ...stepsOf(target),
      ],
    };
  },
});

const shown = ["id", "status", "total", "currency", "invoice_id", "paid_amount", "remaining_amount", "settled"];

/** The fields that the answer shows already: its own, its number and its due date, under any of their names. */
function shownAbove(row: Record<string, unknown>): string[] {
  return [...shown, ...Object.keys(row).filter((key) => /number$|due/i.test(key))];
}

function factsOf(target: Bill, currency: string | null): { label: string; value: string }[] {
  const paid = target.detail?.paid_amount;
  const left = leftOf(target);
  const due = dueOf(target.row);
  return [
    { label: "Total, with tax", value: money(target.total, currency) },
    { label: "Paid", value: paid === undefined ? "not told" : money(paid, currency) },
    { label: "Left to pay", value: left === null ? "not told" : money(left, currency) },
    ...(due ? [{ label: "Due", value: moment(due) }] : []),
  ];
}

function linesBlocks(
  lines: unknown[],
  { page, pages, currency }: { page: number; pages: number; currency: string | null },
): Block[] {
  if (lines.length === 0) return [];
  const [heading = "", ...rows] = listLines("What it is for", lines, currency);
  const part = pages > 1 ? ` · page ${page} of ${pages}` : "";
  return sections([`${heading}${part}`, ...rows.slice((page - 1) * linesPerPage, page * linesPerPage)]);
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
