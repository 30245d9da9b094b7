import type { Fact, Review } from "../../operation/answer.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { type Balance, readBalance } from "../../platform/customer/account.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { money } from "../../views/format.ts";

/**
 * The balance before and after a payment, shown to its owner alone. Only a price in the balance's own currency is subtracted. `unless`:
 * what the figure afterwards depends on, such as `oncePaid`. Spec sections 2.2 and 2.3.
 */
export function balanceFact(balance: Balance | null, price: Review["price"], unless = ""): Fact[] {
  if (!balance) return [];
  const now = money(balance.balance, balance.currency);
  if (price === null || price === "unknown" || balance.currency === null)
    return [{ label: "Your balance", value: now }];
  if (price.currency !== balance.currency) {
    const sum = money(price.amount, price.currency);
    return [{ label: "Your balance", value: `${now}. The platform does not show how much of it ${sum} takes.` }];
  }
  const after = unitsOf(balance.balance) - unitsOf(price.amount);
  const value =
    after < 0n
      ? `${now}, which is ${money(amountOf(-after), balance.currency)} too little`
      : `${now} now, ${money(amountOf(after), balance.currency)} afterwards`;
  return [{ label: "Your balance", value: `${value}${unless}` }];
}

/** Of a purchase whose price is without the tax. */
export const taxFact: Fact = {
  label: "Tax",
  value: "Shown on the document, if tax is due; the platform does not show it before.",
  decides: "unknown",
};
/** How the document of such a purchase is paid. Spec section 1. */
export const payingWords =
  "Paid from your credit at once if the operator has set that; otherwise you must pay the document.";

/** The platform makes a document, and pays it at once only where the operator switched that on. */
export const oncePaid = ", once it is paid";
/** The same, where the amount is without the tax. */
export const oncePaidWithTax = `, less the tax${oncePaid}`;

/** The balance of the key's own user; null if the member may not see it. */
export async function readOwnBalance(client: CustomerClient): Promise<Balance | null> {
  return readBalance(client).catch(nullIfRefused(403));
}
