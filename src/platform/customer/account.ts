import * as z from "zod";
import { data } from "../http/data.ts";
import { type Page, pageOf } from "../http/pages.ts";
import { Amount, Currency } from "../money.ts";
import type { CustomerClient } from "./client.ts";

/** The profile and the context of a key: beside the balance, whatever the platform sends. Spec section 2.2. */
export const Account = z.looseObject({ credit_balance: Amount });
export type Account = z.infer<typeof Account>;

export const Balance = z.object({ balance: Amount, currency: Currency.nullable() });
export type Balance = z.infer<typeof Balance>;

const count = z.int().nonnegative();

export const Usage = z.object({
  services: z.object({ total: count, by_status: z.record(z.string(), count), active_recurring_amount: Amount }),
  invoices: z.object({ unpaid_count: count, unpaid_total: Amount, paid_this_month: Amount }),
  // What `charges` holds is not said.
  hourly: z.object({ charged_this_month: Amount, charges: z.unknown().optional() }),
  credit_balance: Amount,
  period: z.object({ month: z.string() }),
});
export type Usage = z.infer<typeof Usage>;

/** A row of the credit ledger; the spec does not show its fields. */
export const Transaction = z.record(z.string(), z.unknown());
export type Transaction = z.infer<typeof Transaction>;

/** GET /account. Spec sections 2.2 and 4.1. */
export async function readAccount(client: CustomerClient): Promise<Account> {
  return (await client.get("/account", data(Account))).data;
}

/** GET /account/balance: the credit of the key's own user. Spec sections 2.2 and 4.1. */
export async function readBalance(client: CustomerClient): Promise<Balance> {
  return (await client.get("/account/balance", data(Balance))).data;
}

/** GET /account/usage: services, open invoices and hourly charges of the month. Spec sections 2.2 and 4.1. */
export async function readUsage(client: CustomerClient): Promise<Usage> {
  return (await client.get("/account/usage", data(Usage))).data;
}

/** GET /account/transactions: a page of the credit ledger, 20 rows unless told, 200 at most. Spec sections 4.1 and 8. */
export function listTransactions(
  client: CustomerClient,
  query: { page?: number; limit?: number } = {},
): Promise<Page<Transaction>> {
  return client.get("/account/transactions", pageOf("transactions", Transaction), query);
}
