import { account, balance, transactions, usage } from "./account.ts";
import { invoices, proformas } from "./documents.ts";
import { pay } from "./pay.ts";
import { show } from "./show.ts";

/** The order in which `/help` lists them. */
export const billingOperations = [balance, account, usage, transactions, invoices, proformas, show, pay];
