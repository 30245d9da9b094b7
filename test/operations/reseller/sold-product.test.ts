import { expect, test } from "vitest";
import { soldProduct } from "../../../src/operations/reseller/service/service.ts";
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
