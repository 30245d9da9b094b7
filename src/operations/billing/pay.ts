import * as z from "#zod";
import { type Answer, priceIn } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { amountOf, lesser, unitsOf } from "../../platform/amounts.ts";
import { type Balance, listTransactions, readBalance } from "../../platform/customer/account.ts";
import {
  type DocumentDetail,
  payInvoice,
  payProforma,
  readInvoice,
  readProforma,
} from "../../platform/customer/billing.ts";
import { dueOf } from "../../platform/customer/documents.ts";
import { moment, money } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { balanceFact, readOwnBalance } from "../kits/balance.ts";
import { type Bill, bill, currencyFor, statusWords, waitsForMoney } from "./bill.ts";
import { Before, beginWords, readLedger, restStep, rowMarks, settle, trackStep } from "./settle.ts";
import {
  actsOf,
  destroyedBy,
  lossesOf,
  readStartedChanges,
  startedReads,
  startPreconditions,
  startWords,
} from "./started-changes.ts";

export const pay = defineOperation({
  command: "billing pay",
  summary: "Pay an invoice or a proforma from your own balance, in full or in part",
  example: "/billing pay INV-1000",
  act: payInvoice,
  writes: [payProforma],
  reads: [readInvoice, readProforma, readBalance, listTransactions, ...startedReads],
  // A change of plan takes effect when its document is paid (spec 3.3), and a smaller disk loses data.
  risk: {
    usual: "spend",
    of: async (call) =>
      lossesOf(await readStartedChanges(call.target, call), { isWhole: true }).length > 0 ? "destroy" : "spend",
  },
  also: async (call) => actsOf(await readStartedChanges(call.target, call)),
  effects: [{ aspect: "payment", to: ["paid"] }],
  target: bill,
  input: z.object({
    amount: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,2})?$/, "an amount such as 12.50, without the currency.")
      .refine((text) => unitsOf(text) > 0n, "the amount must be more than 0.")
      .optional()
      .meta({ title: "Amount", description: "Empty: everything left to pay, up to your balance" }),
  }),
  async review(call) {
    const { client, target } = call;
    const { remaining_amount: left, paid_amount: paid } = detailOf(target);
    const [balance, ledger, started] = await Promise.all([
      readOwnBalance(client),
      readLedger(client),
      readStartedChanges(target, call),
    ]);
    const currency = target.currency ?? balance?.currency ?? null;
    const { amount, isBalance } = amountToPay(call, left, { balance: payingBalance(balance, currency), currency });
    const rest = amountOf(unitsOf(left) - unitsOf(amount));
    const isWhole = unitsOf(rest) === 0n;
    const price = priceIn(amount, currency);
    const before: Before = {
      ...{ amount, currency, paid, balance: balance?.balance ?? null },
      ledger: ledger && rowMarks(ledger),
      started: started.isSure
        ? started.changes.map(({ what, service, upgrade }) => ({
            what,
            service: service.service.id,
            upgrade: upgrade.id,
          }))
        : [],
    };
    const due = dueOf(target.row);
    return {
      consequence: `Pay ${code(target.name)}: ${money(amount, currency)} from the credit balance.${startWords(started)}`,
      warnings: lossesOf(started, { isWhole }),
      destroys: destroyedBy(started),
      ...(isBalance && {
        confidential: `Your balance does not cover ${money(left, currency)}, and others would see how much is in it. Nothing was requested. Name the part to pay, such as \`amount=5\`.`,
      }),
      press: `Pay ${money(amount, currency)}`,
      back: "Not now",
      preconditions: {
        ...startPreconditions(started, currency),
        // The channel sees what changed.
        amount: {
          value: [amount, currency],
          label: "To be paid",
          text: isBalance ? "all that the balance has" : money(amount, currency),
        },
        left: { value: [left, currency], label: "Left to pay now", text: money(left, currency) },
        total: { value: [target.total, currency], label: "Total, tax included", text: money(target.total, currency) },
        document: { value: [target.type, target.id], label: "Document", text: target.type },
      },
      shown: [
        { label: "Left to pay then", value: isWhole ? "nothing" : money(rest, currency) },
        due
          ? { label: "Due", value: moment(due) }
          : { label: "Due", value: "The platform does not show it.", decides: "unknown" },
      ],
      personal: balanceFact(balance, price),
      price,
      before,
    };
  },
  async run({ client, target }, shown) {
    const { amount, currency, started } = Before.parse(shown);
    if (target.type === "invoice") {
      const { remainingAmount: left, invoicePaid: settled } = await payInvoice(client, target.id, amount);
      return paidAnswer(target, { amount, currency, started, left, settled, invoice: null });
    }
    const done = await payProforma(client, target.id, amount);
    return paidAnswer(target, {
      amount: done.creditApplied ?? amount,
      currency,
      started,
      left: done.remainingAmount,
      settled: done.proformaPaid,
      invoice: done.invoice?.id,
    });
  },
  async reconcile({ client, target }, { before: raw, others }) {
    const before = Before.parse(raw);
    const currency = await currencyFor(client, before.currency ?? target.currency);
    const [balance, ledger] = await Promise.all([readOwnBalance(client), readLedger(client)]);
    return settle(target, { ...before, currency }, { balance, ledger, others });
  },
});

function detailOf(target: Bill): DocumentDetail {
  const { detail } = target;
  if (!waitsForMoney(target))
    throw new Refusal(`${code(target.name)} is ${statusWords[target.status]}: nothing is left to pay on it.`, [
      { label: "Show", command: "billing show", target: target.id },
    ]);
  if (!detail) throw new Refusal("The platform does not show how much is left to pay. Nothing was paid.");
  return detail;
}

/** The balance, if an amount in that currency can be compared with it: the platform names no rate between two. */
function payingBalance(balance: Balance | null, currency: string | null): string | null {
  return balance?.currency === currency ? balance.balance : null;
}

/** The typed amount, or the unpaid rest up to the balance. An approver may read a refusal at the press, so it names no balance. */
function amountToPay(
  { actor, input: { amount: expected } }: { actor: Actor; input: { amount?: string | undefined } },
  left: string,
  { balance, currency }: { balance: string | null; currency: string | null },
): { amount: string; isBalance: boolean } {
  if (expected !== undefined && unitsOf(expected) > unitsOf(left))
    throw wrongInput("amount", `only ${money(left, currency)} is left to pay. Nothing was paid.`, "Amount");
  if (unitsOf(left) <= 0n) throw new Refusal("Nothing is left to pay on this document. Nothing was paid.");
  const most = balance === null ? left : lesser(left, balance);
  if (unitsOf(most) <= 0n || unitsOf(expected ?? most) > unitsOf(most))
    throw new Refusal(
      `The balance of <@${actor.slackUser}> does not cover ${money(expected ?? left, currency)}. Nothing was paid. Add credit in the panel, or let a colleague with enough credit pay.`,
      [{ label: "Balance", command: "billing balance" }],
    );
  const isBalance = expected === undefined && unitsOf(most) < unitsOf(left);
  // Format a typed and a computed amount the same way, so that the sum shown is the sum sent.
  return { amount: amountOf(unitsOf(expected ?? most)), isBalance };
}

interface Paid extends Pick<Before, "amount" | "currency" | "started"> {
  left: string | null | undefined;
  settled: boolean;
  /** The invoice that a proforma became. */
  invoice: string | null | undefined;
}

function paidAnswer(target: Bill, { amount, currency, started, left, settled, invoice }: Paid): Answer {
  const name = code(target.name);
  const isWhole = left ? unitsOf(left) <= 0n : settled;
  if (!settled) {
    const rest = isWhole
      ? "nothing is left"
      : left
        ? `${money(left, currency)} left`
        : "the platform does not show how much is left";
    return {
      text: `${money(amount, currency)} paid on ${name}; ${rest} to pay.`,
      next: [...(isWhole ? [] : [restStep(target.id)]), { label: "Show", command: "billing show", target: target.id }],
    };
  }
  const became = target.type === "proforma" ? " It became an invoice." : "";
  const nothingLeft = isWhole ? ", and nothing is left to pay" : "";
  return {
    text: `${name} is paid (${money(amount, currency)})${nothingLeft}.${became}${beginWords(started)}`,
    next: [
      ...started.map(trackStep),
      invoice
        ? { label: "Its invoice", command: "billing show", target: invoice }
        : { label: "Show", command: "billing show", target: target.id },
    ],
  };
}
