import * as z from "zod";
import { invokePrefix, packInvocation } from "../../engine/answers/buttons.ts";
import type { Answer } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listInvoices, listProformas } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { type Block, button, section } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import { renderJson } from "../../views/json.ts";
import { sections } from "../../views/lines.ts";
import { code, count, prose } from "../../views/text.ts";
import { type Bill, type BillType, billOf, currencyFor, statusWords } from "./bill.ts";
import { turns } from "./turns.ts";

const rowsPerPage = 10;

const input = z.object({
  status: z.string().optional().meta({ title: "Status", description: "Such as unpaid, pending, paid or converted" }),
  page: z.number().int().min(1).default(1).meta({ title: "Page" }),
});

export const invoices = defineOperation({
  api: "customer",
  command: "billing invoices",
  summary: "List invoices, all or by status",
  routes: ["GET /invoices", "GET /account/balance"],
  scope: "read",
  risk: "read",
  target: noTarget,
  input,
  positional: "status",
  run: ({ client, input: said }) => documentsAnswer(client, "invoice", said),
});

export const proformas = defineOperation({
  api: "customer",
  command: "billing proformas",
  summary: "List proformas, all or by status",
  routes: ["GET /proformas", "GET /account/balance"],
  scope: "read",
  risk: "read",
  target: noTarget,
  input,
  positional: "status",
  run: ({ client, input: said }) => documentsAnswer(client, "proforma", said),
});

async function documentsAnswer(client: CustomerClient, type: BillType, said: z.infer<typeof input>): Promise<Answer> {
  const { status, page } = said;
  const command = `billing ${type}s`;
  const query = { page, limit: rowsPerPage, ...(status ? { status: status.toLowerCase() } : {}) };
  const found = await (type === "invoice" ? listInvoices : listProformas)(client, query);
  const about = status ? `${prose(status, 40)} ` : "";
  if (found.pagination.total === 0) {
    return {
      text: `There are no ${about}${type}s.`,
      next: status ? [{ label: `All ${type}s`, command, replace: true }] : [],
    };
  }
  const bills = found.rows.map((row) => billOf(type, row));
  const currency = await currencyFor(client, bills[0]?.currency ?? null);
  const pages = Math.max(1, found.pagination.pages);
  const headline = `*${count(found.pagination.total, `${about}${type}`)}* · page ${page} of ${pages}`;
  const stats = found.stats === undefined ? [] : renderJson(found.stats);
  return {
    text: headline,
    blocks: [
      section(headline),
      ...bills.map((bill) => row(bill, currency)),
      ...(stats.length > 0 ? sections(["*In all*", ...stats]) : []),
    ],
    next: turns(command, { status }, page, pages),
  };
}

const marks: Record<Bill["status"], string> = {
  unpaid: ":large_orange_circle:",
  pending: ":hourglass_flowing_sand:",
  paid: ":white_check_mark:",
  converted: ":white_check_mark:",
  cancelled: ":black_circle:",
};

/** "INV-1003 · 12.10 EUR · unpaid", with the mark of its status. */
export function billLine(bill: Bill, currency: string | null): string {
  return `${marks[bill.status]} ${code(bill.name, 60)} · *${money(bill.total, bill.currency ?? currency)}* · ${statusWords[bill.status]}`;
}

function row(bill: Bill, currency: string | null): Block {
  const issued = typeof bill.row.created_at === "string" ? ` · ${moment(bill.row.created_at)}` : "";
  const open = button(
    "Open",
    `${invokePrefix}billing show:${bill.id}`,
    packInvocation({ command: "billing show", target: bill.id, input: {} }),
  );
  return section(`${billLine(bill, currency)}${issued}`, open);
}
