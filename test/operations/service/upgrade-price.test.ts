import { expect, test } from "vitest";
import { isOwed, lostCreditOf, pricePreconditions } from "../../../src/operations/service/upgrade-offers.ts";
import { UpgradeOffer } from "../../../src/platform/customer/upgrades.ts";

function offer(prices: object): UpgradeOffer {
  return UpgradeOffer.parse({
    toProductId: "p2",
    toProductName: "VPS L",
    toSpecs: null,
    newCyclePrice: "20.00",
    upgradeFee: "0.00",
    creditAmount: "0.00",
    chargeAmount: "10.00",
    netAmount: "10.00",
    vatRate: 21,
    vatAmount: "2.10",
    totalWithVat: "12.10",
    daysRemaining: 15,
    daysInCycle: 30,
    billingCycle: "monthly",
    ...prices,
  });
}

test.each([
  [21, "(21 %)"],
  [0.21, "(21 %)"],
  [0, "(0 %)"],
])("a tax rate of %s is shown in percent", (vatRate, words) => {
  expect(pricePreconditions(offer({ vatRate }), "EUR").tax.text).toContain(words);
});

test.each([
  ["a fee in the net", "10.00", "2.10", "12.10", "10.00 EUR", true, "0.00"],
  ["a fee beside the net", "0.00", "2.10", "12.10", "10.00 EUR", true, "0.00"],
  ["a fee above the credit", "-0.66", "1.96", "11.30", "9.34 EUR", true, "0.00"],
  ["nothing", "0.00", "0.00", "0.00", "0.00 EUR", false, "0.00"],
  ["a credit", "-0.66", "0.00", "-0.66", "-0.66 EUR", false, "0.66"],
  ["a credit of which the fee takes a part", "-0.66", "0.00", "-0.16", "-0.16 EUR", false, "0.16"],
  ["a credit beside a total of nothing", "-0.66", "0.00", "0.00", "0.00 EUR", false, "0.66"],
])("%s is owed, or lost, as the total says", (_, netAmount, vatAmount, totalWithVat, before, owed, lost) => {
  const change = offer({ netAmount, vatAmount, totalWithVat });
  expect(pricePreconditions(change, "EUR").net.text).toBe(before);
  expect([isOwed(change), lostCreditOf(change)]).toEqual([owed, lost]);
});
