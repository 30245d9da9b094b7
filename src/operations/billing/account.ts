import * as z from "#zod";
import { listFields } from "../../messages/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import {
  listTransactions,
  type Permission,
  permissionsIn,
  readAccount,
  readBalance,
  readUsage,
} from "../../platform/customer/account.ts";
import { type Block, context, facts, paragraphs, section } from "../../views/blocks.ts";
import { barChart } from "../../views/chart.ts";
import { money } from "../../views/format.ts";
import { count, listing, prose } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { readOwnBalance } from "../kits/balance.ts";
import { beyondLast, pageWords, turns } from "../kits/list.ts";
import { listLines, restBlocks, rowLine } from "../kits/row-words.ts";

/** Common to every operation that reads the member's own data. */
const ownReading = { risk: "read", personal: true, target: noTarget } as const;

export const balance = defineOperation({
  ...ownReading,
  command: "billing balance",
  synonyms: ["credit"],
  summary: "Show your own credit balance",
  example: "/billing balance",
  act: readBalance,
  input: z.object({}),
  async run({ client }) {
    const found = await readBalance(client);
    return {
      text: `Your balance is *${money(found.balance, found.currency)}*. Only your own payments are taken from it.`,
      next: [
        { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
        { label: "Transactions", command: "billing transactions" },
      ],
    };
  },
});

export const account = defineOperation({
  ...ownReading,
  command: "billing account",
  summary: "Show the profile that your key belongs to, its permissions, and your balance",
  example: "/billing account",
  act: readAccount,
  input: z.object({}),
  async run({ client }) {
    const { credit_balance: credit, ...profile } = await readAccount(client);
    const permitted = permissionsIn(profile);
    const currency = typeof profile.currency === "string" ? profile.currency : null;
    const headline = `Your balance is *${money(credit, currency)}*.`;
    return {
      text: headline,
      blocks: [
        section(headline),
        ...(permitted ? [section(`The account lets you ${permissionWords(permitted)}.`)] : []),
        // The contract only outlines the other fields of the profile.
        ...restBlocks(profile, permitted ? ["permissions"] : [], currency),
      ],
    };
  },
});

export const usage = defineOperation({
  ...ownReading,
  command: "billing usage",
  summary: "Show running services, unpaid invoices and hourly charges of this month",
  example: "/billing usage",
  act: readUsage,
  reads: [readBalance],
  input: z.object({}),
  async run({ client }) {
    const found = await readUsage(client);
    const currency = (await readOwnBalance(client))?.currency ?? null;
    const { services, invoices, hourly } = found;
    const byStatus = Object.entries(services.by_status).map(([status, value]) => ({
      label: stateWords(status),
      value,
    }));
    const headline = `*Usage in ${prose(found.period.month, 40)}*`;
    const blocks: Block[] = [
      section(headline),
      ...facts([
        { label: "Services", value: services.total.toLocaleString("en") },
        { label: "Recurring", value: money(services.active_recurring_amount, currency) },
        {
          label: "Left to pay on invoices",
          value: `${money(invoices.unpaid_total, currency)} in ${count(invoices.unpaid_count, "invoice")}`,
        },
        { label: "Paid this month", value: money(invoices.paid_this_month, currency) },
        { label: "Charged by the hour", value: money(hourly.charged_this_month, currency) },
        { label: "Your balance", value: money(found.credit_balance, currency) },
      ]),
      ...barChart("Services by status", "Services", byStatus),
      ...chargeBlocks(hourly.charges, currency),
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

const permissionVerbs: Record<Permission, string> = {
  "services.view": "see services",
  "services.manage": "change services",
  "services.power": "switch power",
  "services.cancel": "cancel services",
  "invoices.view": "see invoices",
  "invoices.pay": "pay invoices",
  "billing.view": "see transactions",
};

function permissionWords(permitted: Permission[]): string {
  return permitted.length > 0 ? listing(permitted.map((permission) => permissionVerbs[permission])) : "do nothing";
}

/** The contract does not say if `charges` is a number or a list. */
function chargeBlocks(charges: unknown, currency: string | null): Block[] {
  if (charges === undefined || charges === null) return [];
  if (typeof charges === "number") return [context(`${count(charges, "hourly charge")} this month.`)];
  return paragraphs(listLines("Hourly charges", [charges].flat(), currency));
}

const rowsPerPage = 10;

export const transactions = defineOperation({
  ...ownReading,
  command: "billing transactions",
  summary: "List the payments into and out of your balance",
  example: "/billing transactions",
  act: listTransactions,
  reads: [readBalance],
  input: z.object({ page: listFields.page }),
  async run({ client, input: { page } }) {
    const { rows, pagination } = await listTransactions(client, { page, limit: rowsPerPage });
    const { total } = pagination;
    if (total === 0) return { text: "There are no transactions on your balance yet." };
    const pages = Math.max(1, pagination.pages);
    if (page > pages) return beyondLast("billing transactions", {}, { page, pages, many: "transactions" });
    const hasCurrency = rows.some((row) => typeof row.currency === "string");
    const currency = hasCurrency ? null : ((await readOwnBalance(client))?.currency ?? null);
    const headline = `*${count(total, "transaction")}* on your balance${pageWords(page, pages)}`;
    return {
      text: headline,
      blocks: [
        section(headline),
        ...paragraphs(rows.map((row) => `• ${rowLine(row, currency)}`)),
        context("This is your own balance. Colleagues have their own."),
      ],
      next: turns("billing transactions", {}, page, pages),
    };
  },
});
