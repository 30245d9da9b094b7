import { account, balance, transactions, usage } from "./account.ts";
import { invoices, proformas, show } from "./documents.ts";
import { pay } from "./pay.ts";

/** The order in which `/help` lists them. */
export const billingOperations = [balance, account, usage, transactions, invoices, proformas, show, pay];
