import { createHash } from "node:crypto";
import { unitsOf } from "../../platform/amounts.ts";
import { type LedgerRow, listTransactions } from "../../platform/customer/account.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { Amount } from "../../platform/money.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { mentions } from "../kits/mentions.ts";

/** Rows of one page. A payment is settled within minutes, and an account with many hourly services gets a row for each at the hour. */
const mostRows = 100;

/** The newest rows of the member's credit ledger; null if they may not see it. */
export async function readLedger(client: CustomerClient): Promise<LedgerRow[] | null> {
  const page = await listTransactions(client, { page: 1, limit: mostRows }).catch(nullIfRefused(403));
  return page?.rows ?? null;
}

/** Marks by which rows are recognised later. The spec shows none of their fields, an id neither. */
export function rowMarks(rows: readonly LedgerRow[]): string[] {
  return rows.map((row) => createHash("sha256").update(JSON.stringify(row)).digest("hex").slice(0, 12));
}

/**
 * The rows that came since, at either end of the list. Null where the rows of before are not found again in their order: a row of a list
 * in no order may be an old one from another page.
 */
export function freshRows(before: readonly string[], rows: readonly LedgerRow[]): LedgerRow[] | null {
  const marks = rowMarks(rows);
  if (before.length === 0) return rows.length < mostRows ? [...rows] : null;
  for (let first = 0; first < marks.length; first += 1) {
    const there = Math.min(before.length, marks.length - first);
    if (!before.slice(0, there).every((mark, at) => marks[first + at] === mark)) continue;
    return [...rows.slice(0, first), ...rows.slice(first + there)];
  }
  return null;
}

/** Fields that can have the moved sum. The balance afterwards is in the same row, and may happen to be the same figure. */
const ofTheSum = /amount|sum|total|value|debit|credit|paid/i;
const ofTheBalance = /balance/i;

/** True for a row that names one of the words, and that moves this amount and no other, in or out. */
export function isAbout(row: LedgerRow, words: (PlainText | null | undefined)[], amount: string): boolean {
  const expected = unitsOf(amount);
  const moved = Object.entries(row).flatMap(([name, value]) => {
    const read = Amount.safeParse(value);
    const units = read.success && ofTheSum.test(name) && !ofTheBalance.test(name) ? unitsOf(read.data) : 0n;
    return units === 0n ? [] : [units];
  });
  const isIt = moved.length > 0 && moved.every((units) => units === expected || units === -expected);
  return isIt && mentions(row, words);
}
