import { expect, test } from "vitest";
import { identityIn, identityWords } from "../../../src/operation/identity.ts";
import { resoldService, soldProduct } from "../../../src/operations/reseller/service/service.ts";
import { Product } from "../../../src/platform/reseller/products.ts";
import { Service } from "../../../src/platform/reseller/services.ts";

const products = ["VPS M", "VPS M", "VPS L"].map((name, at) =>
  Product.parse({ id: `p${at}`, name, pricing: { monthly: `${at}.00` } }),
);
const sold = (productName: string | null) => Service.parse({ serviceId: "s1", status: "active", productName });

test("a service has the price of its product only where one product of the catalogue has that name", () => {
  expect(soldProduct(sold("VPS L"), products)?.id).toBe("p2");
  expect(soldProduct(sold("VPS M"), products)).toBeNull();
  expect(soldProduct(sold("VPS S"), products)).toBeNull();
  expect(soldProduct(sold(null), products)).toBeNull();
});

test.each([
  ["acme", "sold to `acme`"],
  [null, "sold to no customer"],
  [undefined, "sold to an unknown customer"],
])("a resold service is known by its customer: %s", (externalCustomerId, words) => {
  const row = Service.parse({ serviceId: "s1", status: "active", productName: null, externalCustomerId });
  expect(identityWords(identityIn(resoldService, row), "s1")).toContain(words);
});
