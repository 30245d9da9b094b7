import { createHash } from "node:crypto";
import * as z from "#zod";
import type { OtherCharge, Reconciled, Step } from "../../operation/answer.ts";
import { Amount, amountOf, unitsOf } from "../../platform/amounts.ts";
import { type Balance, type LedgerRow, listTransactions } from "../../platform/customer/account.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { money } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { mentions } from "../kits/mentions.ts";
import type { Bill } from "./bill.ts";

/** The state at the confirmation; `amount` is the sum that was shown, and that is sent. */
export const Before = z.object({
  amount: z.string(),
  currency: z.string().nullable(),
  paid: z.string(),
  balance: z.string().nullable(),
  /** Marks of the newest rows of the member's ledger; null if they may not see it. */
  ledger: z.array(z.string()).nullable(),
  /** The changes of services that begin once the document is paid. */
  started: z.array(z.object({ what: z.string(), service: z.string(), upgrade: z.string() })),
});
export type Before = z.infer<typeof Before>;

type StartedChange = Before["started"][number];

/** " The downgrade of `web-1` to `VPS S` begins now."; empty if the payment starts nothing. */
export function beginWords(started: readonly StartedChange[]): string {
  return started.map(({ what }) => ` ${what} begins now.`).join("");
}

export function trackStep({ service, upgrade }: StartedChange): Step {
  return { label: "Track it", command: "service upgrade show", target: service, input: { upgrade, follow: true } };
}

/** The member's own credit at a check; null for what they may not see. */
interface Credit {
  balance: Balance | null;
  ledger: LedgerRow[] | null;
  /** The member's other charges by Rackbell at the same time or since. */
  others: readonly OtherCharge[];
}

export function restStep(target: string): Step {
  return { label: "Pay the rest…", command: "billing pay", target };
}

/**
 * The outcome of a payment without an answer. Less on the document than the payment proves that it was not made. Only a new row of the
 * member's own ledger proves that it was: it names the document and the sum, so the credit paid it, whichever press began that. A drop of
 * the balance proves nothing: another payment, an hourly charge, automatic payment and the panel move it too, and anybody may pay a document.
 */
export function settle(bill: Bill, before: Before, now: Credit): Reconciled {
  const { detail, name } = bill;
  const { amount, currency } = before;
  if (!detail) return { is: "unsure", text: `The platform does not show how much of ${code(name)} is paid.` };
  const arrived = unitsOf(detail.paid_amount) - unitsOf(before.paid);
  const sum = money(amountOf(arrived), currency);
  const isShort = arrived < unitsOf(amount) && !detail.settled;
  const fresh = before.ledger && now.ledger && freshRows(before.ledger, now.ledger);
  const words = [bill.id, name, bill.row.invoice_id];
  if (fresh?.some((row) => isAbout(row, words, amount))) return booked(bill, detail, before, isShort);
  const paid = `paid on ${code(name)} since`;
  if (isShort)
    return {
      is: "not done",
      text: arrived === 0n ? `nothing has been ${paid}.` : `${sum} was ${paid}, which is less than this payment.`,
    };
  const left = unitsOf(detail.remaining_amount) <= 0n ? " Nothing is left to pay." : "";
  return {
    is: "unsure",
    text: `${sum} was ${paid}${fallOf(before, now)}.${othersOf(now)} The platform does not show whether that was you.${left}`,
  };
}

/** The outcome of a payment that is in the member's ledger. `isShort`: its document shows less than the payment. */
function booked(
  bill: Bill,
  { remaining_amount: remaining }: NonNullable<Bill["detail"]>,
  { amount, currency, started }: Before,
  isShort: boolean,
): Reconciled {
  const [sum, name] = [money(amount, currency), code(bill.name)];
  // The document is read before the ledger, and does not show a payment that arrives between.
  if (isShort) return { is: "unsure", text: `Your balance paid ${sum} for ${name}, which ${name} does not show yet.` };
  const arrived = `${sum} arrived on ${name} from your balance, and`;
  if (unitsOf(remaining) > 0n)
    return { is: "done", text: `${arrived} ${money(remaining, currency)} is left to pay.`, next: [restStep(bill.id)] };
  return { is: "done", text: `${arrived} nothing is left to pay.${beginWords(started)}`, next: started.map(trackStep) };
}

/** The known change of the member's balance, as the end of a sentence; others may have caused it. */
function fallOf({ balance }: Before, now: Credit): string {
  if (balance === null || now.balance === null) return "";
  const { currency } = now.balance;
  const fell = unitsOf(balance) - unitsOf(now.balance.balance);
  if (fell === 0n) return ", and your balance is the same as before";
  const way = fell > 0n ? "fell" : "rose";
  return `, and your balance ${way} by ${money(amountOf(fell > 0n ? fell : -fell), currency)}`;
}

/** The member's other payments, which are in the same change of the balance, or may be. */
function othersOf({ others }: Credit): string {
  const payments = others.filter(({ command }) => command === "billing pay");
  const words = (confirmed: boolean) =>
    payments.filter((one) => one.confirmed === confirmed).map(({ price }) => money(price.amount, price.currency));
  const [made, open] = [words(true), words(false)];
  return [
    made.length > 0 ? ` You made other payments meanwhile: ${listing(made)}.` : "",
    open.length > 0 ? ` The outcome of another payment of yours is unknown too: ${listing(open)}.` : "",
  ].join("");
}

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
function freshRows(before: readonly string[], rows: readonly LedgerRow[]): LedgerRow[] | null {
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
function isAbout(row: LedgerRow, words: (PlainText | null | undefined)[], amount: string): boolean {
  const expected = unitsOf(amount);
  const moved = Object.entries(row).flatMap(([name, value]) => {
    const read = Amount.safeParse(value);
    const units = read.success && ofTheSum.test(name) && !ofTheBalance.test(name) ? unitsOf(read.data) : 0n;
    return units === 0n ? [] : [units];
  });
  const isIt = moved.length > 0 && moved.every((units) => units === expected || units === -expected);
  return isIt && mentions(row, words);
}
