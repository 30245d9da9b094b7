import * as z from "zod";
import { type ListPage, pageOf } from "../http/pages.ts";
import { Amount, Currency } from "../money.ts";
import { endpoint } from "./endpoint.ts";

/** The profile and the context of a key. Only the balance is checked; other fields pass through unchanged. Spec section 2.2. */
export const Account = z.looseObject({ credit_balance: Amount });
export type Account = z.infer<typeof Account>;

export const Balance = z.object({ balance: Amount, currency: Currency.nullable() });
export type Balance = z.infer<typeof Balance>;

const count = z.int().nonnegative();

export const AccountUsage = z.object({
  services: z.object({ total: count, by_status: z.record(z.string(), count), active_recurring_amount: Amount }),
  invoices: z.object({ unpaid_count: count, unpaid_total: Amount, paid_this_month: Amount }),
  // The spec does not describe the content of `charges`.
  hourly: z.object({ charged_this_month: Amount, charges: z.unknown().optional() }),
  credit_balance: Amount,
  period: z.object({ month: z.string() }),
});
export type AccountUsage = z.infer<typeof AccountUsage>;

/** A row of the credit ledger; the spec does not show its fields. */
export const LedgerRow = z.record(z.string(), z.unknown());
export type LedgerRow = z.infer<typeof LedgerRow>;

/** GET /account. Spec sections 2.2 and 4.1. */
export const readAccount = endpoint("GET /account", (call): Promise<Account> => call.data({}, Account));

/** GET /account/balance: the credit of the key's own user. Spec sections 2.2 and 4.1. */
export const readBalance = endpoint("GET /account/balance", (call): Promise<Balance> => call.data({}, Balance));

/** GET /account/usage: services, open invoices and hourly charges of the month. Spec sections 2.2 and 4.1. */
export const readUsage = endpoint("GET /account/usage", (call): Promise<AccountUsage> => call.data({}, AccountUsage));

/** GET /account/transactions: a page of the credit ledger, 20 rows by default, 200 at most. Spec sections 4.1 and 8. */
export const listTransactions = endpoint(
  "GET /account/transactions",
  (call, query: { page?: number; limit?: number } = {}): Promise<ListPage<LedgerRow>> =>
    call.envelope({}, pageOf("transactions", LedgerRow), { query }),
);
