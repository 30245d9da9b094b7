import { expect, test } from "vitest";
import { matchingChoices } from "../../../src/operation/input.ts";
import { placesOf } from "../../../src/operations/reseller/product/schema-fields.ts";
import { ProductSchema } from "../../../src/platform/reseller/products.ts";

function placesIn(locationPricing: unknown) {
  return placesOf(ProductSchema.parse({ requiredFields: [], billingCycles: [], locationPricing }));
}

test.each([
  [[{ id: "7", code: "es-mad", name: "Madrid", monthly: "1.00" }]],
  [[{ location: "es-mad", label: "Madrid", monthly: "1.00" }]],
  [{ "es-mad": { name: "Madrid", monthly: "1.00" } }],
])("a datacentre is meant by its name and by its code, whichever the platform takes: %j", (locationPricing) => {
  const places = placesIn(locationPricing);
  for (const typed of ["Madrid", "madrid", "es-mad"]) expect(matchingChoices(typed, places)).toHaveLength(1);
});
