import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listTransactions, readAccount, readBalance, readUsage } from "../../platform/customer/account.ts";
import { type Block, context, facts, section } from "../../views/blocks.ts";
import { money } from "../../views/format.ts";
import { renderJson } from "../../views/json.ts";
import { sections } from "../../views/lines.ts";
import { count, prose } from "../../views/text.ts";
import { balanceOf } from "./bill.ts";
import { readable } from "./rows.ts";
import { turns } from "./turns.ts";

export const balance = defineOperation({
  api: "customer",
  command: "billing balance",
  summary: "Show your own credit balance",
  routes: ["GET /account/balance"],
  scope: "read",
  risk: "read",
  personal: true,
  target: noTarget,
  input: z.object({}),
  async run({ client }) {
    const found = await readBalance(client);
    return {
      text: `Your balance is *${money(found.balance, found.currency)}*. It is yours alone: what you pay is taken from it.`,
      next: [
        { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
        { label: "Transactions", command: "billing transactions" },
      ],
    };
  },
});

export const account = defineOperation({
  api: "customer",
  command: "billing account",
  summary: "Show the profile that your key belongs to, its permissions, and your balance",
  routes: ["GET /account"],
  scope: "read",
  risk: "read",
  personal: true,
  target: noTarget,
  input: z.object({}),
  async run({ client }) {
    const { credit_balance: credit, ...profile } = await readAccount(client);
    const headline = `Your balance is *${money(credit, typeof profile.currency === "string" ? profile.currency : null)}*.`;
    // What else the profile holds the contract only outlines: it is shown as it comes.
    return { text: headline, blocks: [section(headline), ...sections(renderJson(readable(profile)))] };
  },
});

export const usage = defineOperation({
  api: "customer",
  command: "billing usage",
  summary: "Show what runs, what is unpaid and what was charged by the hour this month",
  routes: ["GET /account/usage", "GET /account/balance"],
  scope: "read",
  risk: "read",
  personal: true,
  target: noTarget,
  input: z.object({}),
  async run({ client }) {
    const found = await readUsage(client);
    const currency = (await balanceOf(client))?.currency ?? null;
    const { services, invoices, hourly } = found;
    const byStatus = Object.entries(services.by_status).map(
      ([status, amount]) => `${prose(status.replaceAll("_", " "), 40)} ${amount}`,
    );
    const headline = `*Usage in ${prose(found.period.month, 40)}*`;
    const charges = hourly.charges === undefined ? [] : renderJson(hourly.charges);
    const blocks: Block[] = [
      section(headline),
      ...facts([
        { label: "Services", value: `${services.total}${byStatus.length > 0 ? ` (${byStatus.join(", ")})` : ""}` },
        { label: "Recurring", value: money(services.active_recurring_amount, currency) },
        {
          label: "Unpaid",
          value: `${money(invoices.unpaid_total, currency)} in ${count(invoices.unpaid_count, "invoice")}`,
        },
        { label: "Paid this month", value: money(invoices.paid_this_month, currency) },
        { label: "Charged by the hour", value: money(hourly.charged_this_month, currency) },
        { label: "Your balance", value: money(found.credit_balance, currency) },
      ]),
      ...(charges.length > 0 ? sections(["*Hourly charges*", ...charges]) : []),
    ];
    return {
      text: headline,
      blocks,
      next:
        invoices.unpaid_count > 0
          ? [{ label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } }]
          : [],
    };
  },
});

const rowsPerPage = 10;

export const transactions = defineOperation({
  api: "customer",
  command: "billing transactions",
  summary: "List what was added to and taken from your balance",
  routes: ["GET /account/transactions"],
  scope: "read",
  risk: "read",
  personal: true,
  target: noTarget,
  input: z.object({ page: z.number().int().min(1).default(1).meta({ title: "Page" }) }),
  async run({ client, input: { page } }) {
    const { rows, pagination } = await listTransactions(client, { page, limit: rowsPerPage });
    if (pagination.total === 0) return { text: "There are no transactions on your balance yet." };
    const headline = `*${count(pagination.total, "transaction")}* on your balance · page ${page} of ${Math.max(1, pagination.pages)}`;
    // The contract does not show a row's fields: each is shown as it comes.
    const lines = rows.map((row) => `• ${renderJson(readable(row)).join(" · ")}`);
    return {
      text: headline,
      blocks: [section(headline), ...sections(lines), context("This is your own balance; colleagues have theirs.")],
      next: turns("billing transactions", {}, page, pagination.pages),
    };
  },
});
