import type { Precondition, Review } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { openStatuses } from "../../platform/customer/documents.ts";
import { listServices } from "../../platform/customer/services.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { largestPage } from "../../platform/http/pages.ts";
import { oncePer } from "../../process/once-per.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { money } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { unbuiltHeading } from "../kits/cancelling.ts";
import { type Bill, bothLists, currencyFor, waitsForMoney, withDetails } from "./bill.ts";
import { openDocumentFor } from "./open-documents.ts";
import { mayBeOf } from "./started-changes.ts";

/** The paid part of the open document of a change or a service: nobody promises that money back if the document ends. */
export interface PaidPart {
  /** `words`: "1.00 EUR of the invoice `INV-1000`". */
  paid: { id: string; amount: string; words: string }[];
  /** False if the platform does not show which document is its: then it may be one of these. */
  isSure: boolean;
  /** False if Rackbell could not read all open documents. */
  isWhole: boolean;
}

export const nothingPaid: PaidPart = { paid: [], isSure: true, isWhole: true };

/**
 * Reads the open documents that are paid in part, each with one call, and keeps those of which `isIts` says that they are, or may be, its
 * own. The list shows no paid amount: spec section 2.6.
 */
export async function readPaidPart(
  client: CustomerClient,
  isIts: (bill: Bill) => Promise<boolean | "unknown">,
): Promise<PaidPart> {
  // Documents are of the whole account, whichever project the member works in.
  const account = client.in(null);
  const lists = await Promise.all(
    openStatuses.map((status) => bothLists(account, { status, limit: largestPage })),
  ).catch(nullIfRefused(403));
  if (lists === null) return { paid: [], isSure: false, isWhole: false };
  const all = lists.flat();
  const bills = await withDetails(account, all.flatMap((list) => list.bills).filter(waitsForMoney));
  const inPart = bills.filter(({ detail }) => detail !== null && unitsOf(detail.paid_amount) > 0n);
  const judged = await Promise.all(inPart.map(async (bill) => ({ bill, is: await isIts(bill) })));
  const isSure = judged.some(({ is }) => is === true);
  const own = judged.filter(({ is }) => is === (isSure ? true : "unknown")).map(({ bill }) => bill);
  const currency = own.length > 0 ? await currencyFor(account, own[0]?.currency ?? null) : null;
  return {
    paid: own.map((bill) => paidOf(bill, currency)),
    isSure: isSure || own.length === 0,
    isWhole: all.every(({ pagination }) => pagination.pages <= 1) && bills.every(({ detail }) => detail !== null),
  };
}

function paidOf({ id, type, name, currency: own, detail }: Bill, currency: string | null): PaidPart["paid"][number] {
  const amount = detail?.paid_amount ?? "0";
  return { id, amount, words: `${money(amount, own ?? currency)} of the ${type} ${code(name)}` };
}

/** True if nothing of it is paid, as far as the platform shows everything. */
export function isNothingPaid({ paid, isWhole }: PaidPart): boolean {
  return paid.length === 0 && isWhole;
}

/** The paid part as sentences; none if nothing is paid. */
export function paidWords({ paid, isSure, isWhole }: PaidPart): string[] {
  const words = listing(paid.map((one) => one.words));
  const verb = paid.length === 1 ? "is" : "are";
  if (paid.length > 0 && isSure) return [`${words} for it ${verb} paid already.`];
  if (paid.length > 0) return [`The platform does not show which document is for it: ${words} ${verb} paid already.`];
  return isWhole ? [] : ["Rackbell cannot read all unpaid documents: a part of the one for it may be paid already."];
}

/** A payment meanwhile voids the decision. */
export function paidIs(part: PaidPart): Precondition {
  const { paid, isSure } = part;
  const label = "Paid already";
  if (isNothingPaid(part)) return { value: [], label, text: "nothing" };
  if (paid.length === 0) return { value: [], label, text: "unknown", decides: "unknown", unread: true };
  const value = paid.map(({ id, amount }) => [id, amount]);
  const words = listing(paid.map((one) => one.words));
  return isSure
    ? { value, label, text: words }
    : { value, label, text: `unknown, perhaps ${words}`, decides: "unknown" };
}

/** The endpoints that are read for it. */
export const paidReads = [listInvoices, listProformas, readInvoice, readProforma, listServices, readBalance];

/**
 * The warning and the precondition of the cancellation of a service that was never built, where its open document is paid in part. A failed
 * build may have no open document, so one that may be of any service is not taken for its own.
 */
export async function paidOfUnbuilt(
  { client, confinedTo }: Pick<CallContext<"customer">, "client" | "confinedTo">,
  service: {
    id: string;
    name?: PlainText | null | undefined;
    hostname?: PlainText | null | undefined;
    status?: string | undefined;
  },
): Promise<Pick<Review, "warnings" | "preconditions">> {
  const { id, name, hostname } = service;
  if (unbuiltHeading(service) === null) return { warnings: [], preconditions: {} };
  const account = client.in(null);
  const mayBeAny = service.status === "pending_payment";
  const payable = { words: [id], services: [id], names: [name, hostname] };
  const findIts = oncePer((_: typeof service) =>
    openDocumentFor({ client: account, confinedTo }, payable, { only: mayBeAny }),
  );
  const paid = await readPaidPart(client, async (bill) => {
    const its = await findIts(service);
    if (its) return its.id === bill.id;
    return mayBeAny && (await mayBeOf(bill, service, account)) ? "unknown" : false;
  });
  return { warnings: paidWords(paid), preconditions: { paid: paidIs(paid) } };
}
