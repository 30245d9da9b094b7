import { expect, test } from "vitest";
import { optionPrice as servicePrice } from "../../../src/operations/catalog/product.ts";
import { optionPrice, optionWords } from "../../../src/operations/reseller/product/options.ts";
import type { BillingCycle } from "../../../src/platform/reseller/cycles.ts";
import type { ProductOption } from "../../../src/platform/reseller/products.ts";

function option(pricingType: ProductOption["pricingType"], pricing: ProductOption["pricing"]): ProductOption {
  return { id: "o1", name: "Handover", pricingType, pricing };
}

test.each<[string, ProductOption["pricing"], BillingCycle, string | null]>([
  ["the fee of the setup", { setupFee: "22.50" }, "monthly", "22.50"],
  ["the figure of the cycle, beside a fee of nothing", { monthly: "22.50", setupFee: "0" }, "monthly", "22.50"],
  ["the figure of the cycle, without a fee", { annual: "22.50", setupFee: null }, "annually", "22.50"],
  ["a figure with a fee of nothing in it", { monthly: { price: 22.5, setupFee: 0 } }, "monthly", "22.5"],
  ["twice the same figure", { monthly: "22.50", setupFee: "22.5" }, "monthly", "22.5"],
  ["a cycle of nothing beside a fee", { monthly: "0.00", setupFee: "22.50" }, "monthly", "22.50"],
  ["nothing in every figure", { monthly: "0", setupFee: "0" }, "monthly", "0"],
  ["two figures", { monthly: "20.00", setupFee: "2.50" }, "monthly", null],
  ["the figure of another cycle", { monthly: "22.50", setupFee: "0" }, "quarterly", null],
  ["nothing on its cycle, and a figure on another", { monthly: "0", annual: "22.50", setupFee: "0" }, "monthly", null],
  ["a fee, and a figure on another cycle", { annual: "22.50", setupFee: "5.00" }, "monthly", null],
  ["no figure but a fee of nothing", { setupFee: "0" }, "monthly", null],
  ["a figure that cannot be read", { monthly: { net: 1 }, setupFee: "0" }, "monthly", null],
])("a one-time add-on with %s costs that once, or nobody knows how much", (_, pricing, cycle, once) => {
  expect(optionPrice(option("one_time", pricing), cycle)).toEqual({ cycle: "0", once });
  expect(optionWords(option("one_time", pricing), [cycle], "EUR").includes("unknown")).toBe(once === null);
});

test.each<[string, ProductOption["pricing"], BillingCycle, string | null, string | null]>([
  ["its own figure", { monthly: "2.00", quarterly: "5.50", setupFee: "1.00" }, "quarterly", "5.50", "1.00"],
  ["three months of its monthly one", { monthly: "2.00", setupFee: "0" }, "quarterly", "6.00", "0"],
  ["a year of its monthly one", { monthly: "2.00", annual: null, setupFee: null }, "annually", "24.00", "0"],
  ["an unknown price of an hour", { monthly: "2.00", setupFee: "0" }, "hourly", null, "0"],
  ["an unknown fee, if none is named", { monthly: "2.00" }, "monthly", "2.00", null],
  ["an unknown fee", { monthly: "2.00", setupFee: { net: 1 } }, "monthly", "2.00", null],
])("a recurring add-on costs %s", (_, pricing, cycle, price, once) => {
  expect(optionPrice(option("recurring", pricing), cycle)).toEqual({ cycle: price, once });
});

test.each<[string, ProductOption["pricing"]]>([
  ["0.80 EUR a month ÷ 720 for each hour", { monthly: "0.80", setupFee: "0" }],
  ["0.80 EUR a month ÷ 720 for each hour, and 1.00 EUR once", { monthly: "0.80", hourly: null, setupFee: "1.00" }],
  ["0.80 EUR a month ÷ 720 for each hour", { monthly: { price: "0.80", setupFee: "0" }, hourly: null, setupFee: null }],
  ["0.02 EUR hourly", { monthly: "0.80", hourly: "0.02", setupFee: "0" }],
  ["hourly: price unknown", { monthly: "0.80", hourly: { net: 1 }, setupFee: "0" }],
  ["hourly: price unknown", { monthly: { net: 1 }, setupFee: "0" }],
  ["hourly: price unknown", { quarterly: "2.40", setupFee: "0" }],
])("an add-on of an hourly order shows its price of an hour, or how the platform reckons it: %s", (words, pricing) => {
  expect(optionWords(option("recurring", pricing), ["hourly"], "EUR")).toBe(words);
});

test.each<[object, string | null]>([
  [{ price: "2.50", billing_cycle: "monthly" }, "5.00"],
  [{ price: "2.50", billing_cycle: "monthly", setup_fee: "0.00" }, "5.00"],
  [{ price: "2.50", billing_cycle: "monthly", setup_fee: "5.00" }, null],
  [{ prices: { monthly: 2.5, setupFee: 5 } }, null],
  [{ prices: { monthly: 2.5, setupFee: "5 EUR" } }, null],
  [{ prices: { monthly: 2.5 }, install_method: "cloud-init" }, "5.00"],
])("an add-on of the customer's whose row names a fee beside its price has no known price: %j", (row, price) => {
  expect(servicePrice({ id: "o1", ...row }, "monthly", 2)).toBe(price);
});
