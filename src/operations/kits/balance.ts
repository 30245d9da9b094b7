import type { Fact } from "../../operation/answer.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { type Balance, readBalance } from "../../platform/customer/account.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { money } from "../../views/format.ts";

/**
 * The balance before and after a payment, shown to its owner alone. `amount` is null if the platform names none. Without its currency
 * nothing is subtracted. `unless`: what the figure afterwards depends on, such as `oncePaid`.
 */
export function balanceFact(balance: Balance | null, amount: string | null, unless = ""): Fact[] {
  if (!balance) return [];
  const now = money(balance.balance, balance.currency);
  if (amount === null || balance.currency === null) return [{ label: "Your balance", value: now }];
  const after = unitsOf(balance.balance) - unitsOf(amount);
  const value =
    after < 0n
      ? `${now}, which is ${money(amountOf(-after), balance.currency)} too little`
      : `${now} now, ${money(amountOf(after), balance.currency)} afterwards`;
  return [{ label: "Your balance", value: `${value}${unless}` }];
}

/** The platform makes a document, and pays it at once only where the operator switched that on. */
export const oncePaid = ", once it is paid";
/** The same, where the amount is without the tax. */
export const oncePaidWithTax = `, less the tax${oncePaid}`;

/** The balance of the key's own user; null if the member may not see it. */
export async function readOwnBalance(client: CustomerClient): Promise<Balance | null> {
  return readBalance(client).catch(nullIfRefused(403));
}
