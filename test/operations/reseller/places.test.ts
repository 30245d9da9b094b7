import { expect, test } from "vitest";
import { matchingChoices } from "../../../src/operation/input.ts";
import { needsPlace, placesOf } from "../../../src/operations/reseller/product/schema-fields.ts";
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

const facts = { locationField: "location", locationRequired: true };
const row = { location: "es-mad", name: "Madrid", monthly: "1.00" };

test.each([
  [{ ...facts, locations: [row] }],
  [{ ...facts, rows: [row], billingCycles: ["monthly"] }],
  [{ ...facts, locations: { "es-mad": { name: "Madrid", monthly: "1.00" } } }],
  [{ ...facts, "es-mad": { name: "Madrid", monthly: "1.00" }, cycles: ["monthly"] }],
])("the facts beside the datacentres in one object are no datacentres, and one is required: %j", (locationPricing) => {
  const schema = ProductSchema.parse({ requiredFields: [], billingCycles: [], locationPricing });
  expect(placesOf(schema)).toMatchObject([{ value: "es-mad", label: "Madrid", prices: { monthly: "1.00" } }]);
  expect(needsPlace(schema)).toBe(true);
  expect(needsPlace({ ...schema, locationPricing: [row] })).toBe(false);
});
