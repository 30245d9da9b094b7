import { expect, test } from "vitest";
import { pricePreconditions } from "../../src/operations/service/upgrade-offers.ts";
import { UpgradeOffer } from "../../src/platform/customer/upgrades.ts";

test.each([
  [21, "(21 %)"],
  [0.21, "(21 %)"],
  [0, "(0 %)"],
])("a tax rate of %s is shown in percent", (vatRate, words) => {
  const offer = UpgradeOffer.parse({
    toProductId: "p2",
    toProductName: "VPS L",
    toSpecs: null,
    newCyclePrice: "20.00",
    upgradeFee: "0.00",
    creditAmount: "0.00",
    chargeAmount: "10.00",
    netAmount: "10.00",
    vatRate,
    vatAmount: "2.10",
    totalWithVat: "12.10",
    daysRemaining: 15,
    daysInCycle: 30,
    billingCycle: "monthly",
  });
  expect(pricePreconditions(offer, "EUR").tax.text).toContain(words);
});
