import * as z from "#zod";
import { rowButton } from "../../messages/answers/buttons.ts";
import { listFields } from "../../messages/answers/list.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { readBalance } from "../../platform/customer/account.ts";
import {
  type DocumentType,
  documentLists,
  listInvoices,
  listProformas,
  readInvoice,
  readProforma,
} from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { DocumentStatus, dueOf, numberOf, openStatuses } from "../../platform/customer/documents.ts";
import { type Block, paragraphs, section } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import { code, count, listing } from "../../views/text.ts";
import { card, firstLines } from "../kits/card.ts";
import type { KnownFacts } from "../kits/lines.ts";
import { beyondLast, pageWords, turns } from "../kits/list.ts";
import { itemLine, listLines, restBlocks } from "../kits/row-words.ts";
import {
  type Bill,
  bill,
  billOf,
  currencyFor,
  leftOf,
  owedWords,
  payStep,
  statusWords,
  waitsForMoney,
  withDetails,
} from "./bill.ts";

const rowsPerPage = 10;

const input = z.object({
  status: DocumentStatus.optional().meta({ title: "Status" }),
  page: listFields.page,
});

export const invoices = defineOperation({
  command: "billing invoices",
  synonyms: ["list", "ls"],
  summary: "List invoices, all or by status, with the amount left to pay and the due date",
  example: "/billing invoices unpaid",
  act: listInvoices,
  reads: [readInvoice, readBalance],
  risk: "read",
  target: noTarget,
  input,
  positional: "status",
  run: ({ client, input: query }) => documentsAnswer(client, "invoice", query),
});

export const proformas = defineOperation({
  command: "billing proformas",
  summary: "List proformas, all or by status, with the amount left to pay and the due date",
  example: "/billing proformas unpaid",
  act: listProformas,
  reads: [readProforma, readBalance],
  risk: "read",
  target: noTarget,
  input,
  positional: "status",
  run: ({ client, input: query }) => documentsAnswer(client, "proforma", query),
});

async function documentsAnswer(
  client: CustomerClient,
  type: DocumentType,
  { status, page }: z.infer<typeof input>,
): Promise<Answer> {
  const command = `billing ${type}s`;
  // A document that is paid in part may be "pending" (spec section 3.3): its rest is still unpaid.
  const statuses = status === "unpaid" ? openStatuses : [status];
  const lists = await Promise.all(
    statuses.map((one) => documentLists[type](client, { page, limit: rowsPerPage, ...(one ? { status: one } : {}) })),
  );
  const total = lists.reduce((sum, { pagination }) => sum + pagination.total, 0);
  const stated = Math.max(...lists.map(({ pagination }) => pagination.pages));
  const about = status ? `${status} ` : "";
  if (total === 0) {
    return {
      text: `There are no ${about}${type}s.`,
      next: status ? [{ label: `All ${type}s`, command, replace: true }] : [],
    };
  }
  const pages = Math.max(1, stated);
  const headline = `*${count(total, `${about}${type}`)}*${pageWords(page, pages)}`;
  if (page > pages) return beyondLast(command, { status }, { page, pages, many: `${about}${type}s` });
  const bills = await withDetails(
    client,
    lists.flatMap(({ rows }) => rows.map((row) => billOf(type, row))),
  );
  const currency = await currencyFor(client, bills[0]?.currency ?? null);
  const counted = countsIn(lists[0]?.stats);
  return {
    text: headline,
    blocks: [
      section(headline),
      ...bills.map((bill) => row(bill, currency)),
      ...(counted ? [section(`Among all ${type}s: ${counted}.`)] : []),
    ],
    next: turns(command, { status }, page, pages),
  };
}

/**
 * The number of documents in each status, if the list brings totals. Its sums are of issued amounts, not of unpaid ones, so they
 * are left out.
 */
function countsIn(stats: unknown): string | null {
  if (typeof stats !== "object" || stats === null) return null;
  const counts = Object.entries(stats).flatMap(([status, value]) => {
    const known = DocumentStatus.safeParse(status);
    const amount = typeof value === "number" ? value : countOf(value);
    return known.success
      ? [`${amount === null ? "an unknown number" : amount.toLocaleString("en")} ${known.data}`]
      : [];
  });
  return counts.length > 0 ? listing(counts) : null;
}

function countOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null || !("count" in value)) return null;
  return typeof value.count === "number" ? value.count : null;
}

const marks: Record<Bill["status"], string> = {
  unpaid: ":large_orange_circle:",
  pending: ":hourglass_flowing_sand:",
  paid: ":white_check_mark:",
  converted: ":white_check_mark:",
  cancelled: ":black_circle:",
};

/** "INV-1003 · 12.10 EUR left to pay", with the mark of its status, and under it "unpaid · due Nov 28". */
function billLine(bill: Bill, currency: string | null): string {
  const due = waitsForMoney(bill) ? dueOf(bill.row) : null;
  const then = due ? ` · due ${moment(due)}` : "";
  return `${marks[bill.status]} ${code(bill.name, 60)} · *${owedWords(bill, currency)}*\n${statusWords[bill.status]}${then}`;
}

function row(bill: Bill, currency: string | null): Block {
  const issued = typeof bill.row.created_at === "string" ? ` · issued ${moment(bill.row.created_at)}` : "";
  const open = rowButton("Open", { command: "billing show", target: bill.id }, bill.id);
  return section(`${billLine(bill, currency)}${issued}`, open);
}

/** A document with more lines than this is shown page by page. */
const linesPerPage = 40;

export const show = defineOperation({
  command: "billing show",
  summary: "Show an invoice or a proforma: its lines, the amount paid and the amount left to pay",
  example: "/billing show INV-1002",
  act: readInvoice,
  reads: [readProforma, readBalance],
  risk: "read",
  target: bill,
  input: z.object({ page: listFields.page }),
  async run({ client, target, input: { page: asked } }) {
    const currency = await currencyFor(client, target.currency);
    const { items, payments, ...rest } = target.row;
    const lines = Array.isArray(items) ? items : [];
    const pages = Math.max(1, Math.ceil(lines.length / linesPerPage));
    const page = Math.min(asked, pages);
    return card({
      text: `${code(target.name)} of ${money(target.total, currency)} is ${statusWords[target.status]}.`,
      title: `${billLine(target, currency)} · ${target.type}`,
      lines: [becameNote(target), ...firstLines(lines, (line) => itemLine(line, currency))],
      facts: factsOf(target, currency),
      details: [
        ...linesBlocks(lines, { page, pages, currency }),
        ...(Array.isArray(payments) ? paragraphs(listLines("Payments", payments, currency)) : []),
        ...restBlocks(rest, shownAbove(rest, target.type), currency),
      ],
      id: `${target.type === "invoice" ? "Invoice" : "Proforma"} ${code(target.id)}`,
      next: [
        ...turns("billing show", {}, page, pages).map((step) => ({ ...step, target: target.id })),
        ...stepsOf(target),
      ],
    });
  },
});

const shown = ["id", "status", "total", "currency", "invoice_id", "paid_amount", "remaining_amount", "settled"];

/** The fields that the answer shows already: its own, its number and its due date. */
function shownAbove(row: Record<string, unknown>, type: Bill["type"]): string[] {
  const [number, due] = [numberOf(row, type), dueOf(row)];
  const isShown = ([key, value]: [string, unknown]) =>
    (value === number && /number$/i.test(key)) || (value === due && /due/i.test(key));
  return [...shown, ...Object.entries(row).flatMap((field) => (isShown(field) ? [field[0]] : []))];
}

/** The title says how much is left to pay, and when it is due. */
function factsOf(target: Bill, currency: string | null): KnownFacts {
  const paid = target.detail?.paid_amount;
  const part = paid !== undefined && unitsOf(paid) > 0n && waitsForMoney(target);
  const left = leftOf(target);
  const due = dueOf(target.row);
  return [
    ["Total, tax included", part ? money(target.total, currency) : null],
    ["Paid", part ? money(paid, currency) : null],
    ["Left to pay", left === null ? "unknown" : null],
    ["Due", due && !waitsForMoney(target) ? moment(due) : null],
  ];
}

function linesBlocks(
  lines: unknown[],
  { page, pages, currency }: { page: number; pages: number; currency: string | null },
): Block[] {
  if (lines.length === 0) return [];
  const part = lines.slice((page - 1) * linesPerPage, page * linesPerPage);
  const [heading = "", ...rows] = listLines("Lines", lines, currency, part);
  return paragraphs([`${heading}${pageWords(page, pages)}`, ...rows]);
}

function becameNote({ type, status, row }: Bill): string | null {
  if (type !== "proforma" || status !== "converted") return null;
  return row.invoice_id
    ? "It was paid in full and became an invoice."
    : "It was paid in full and became an invoice. The platform does not show which one; look among the paid invoices.";
}

function stepsOf(target: Bill): Step[] {
  const refresh: Step = { label: "Refresh", command: "billing show", target: target.id, replace: true };
  if (waitsForMoney(target)) return [payStep(target.id), refresh];
  if (target.type !== "proforma" || target.status !== "converted") return [refresh];
  const { invoice_id: invoice } = target.row;
  return invoice
    ? [{ label: "Its invoice", command: "billing show", target: invoice }]
    : [{ label: "Paid invoices", command: "billing invoices", input: { status: "paid" } }];
}
