import { expect, test } from "vitest";
import { formFieldsOf, placesOf, secretFieldsOf } from "../../../src/operations/reseller/product/schema-fields.ts";
import { ProductSchema } from "../../../src/platform/reseller/products.ts";

const schemaWith = (fields: unknown, more: object = {}) =>
  ProductSchema.parse({ requiredFields: [], billingCycles: [], orderSchema: { fields }, ...more });

const nothings = [null, "", " ", [], {}];
const describing = [
  "label",
  "title",
  "type",
  "required",
  "options",
  "choices",
  "enum",
  "default",
  "description",
  "help",
];

test.each(describing)("a form stays a form if the platform sends nothing as %s", (field) => {
  for (const nothing of nothings)
    for (const rows of [[{ name: "slots", [field]: nothing }], { slots: { [field]: nothing } }])
      expect(formFieldsOf(schemaWith(rows))).toMatchObject([
        { name: "slots", label: "slots", required: false, options: [], kind: "text", hint: null },
      ]);
});

test("a heading without a name is left out, and a needed field without one makes the form unreadable", () => {
  const slots = { name: "slots" };
  for (const name of [undefined, null, ""]) {
    const heading = { type: "heading", label: "Settings", name };
    expect(formFieldsOf(schemaWith([heading, slots]))).toMatchObject([{ name: "slots" }]);
    expect(formFieldsOf(schemaWith([{ ...heading, required: true }, slots]))).toBeNull();
  }
  expect(formFieldsOf(schemaWith(["slots"]))).toBeNull();
  expect(formFieldsOf(schemaWith("slots"))).toBeNull();
});

test("two rows of one name are one field, which is needed and secret if one of them is", () => {
  const slots = { name: "slots", label: "First" };
  for (const others of [[], [{ name: "slots", label: "Second", type: "password", required: true }]])
    expect(formFieldsOf(schemaWith([slots, slots, ...others]))).toMatchObject([
      { name: "slots", label: "First", required: others.length > 0, kind: others.length > 0 ? "password" : "text" },
    ]);
});

test("a choice without a label is shown by its value", () => {
  for (const label of nothings)
    expect(formFieldsOf(schemaWith([{ name: "map", options: [{ value: "de_dust", label }] }]))).toMatchObject([
      { options: [{ value: "de_dust", label: "de_dust" }] },
    ]);
});

test("a field of type password is a secret, though another row of the form is unreadable", () => {
  const schema = schemaWith([{ name: "entry", type: "password" }, { name: "slots" }, "unreadable"]);
  expect(formFieldsOf(schema)).toBeNull();
  expect([...secretFieldsOf(schema)]).toEqual(["entry"]);
});

test.each(["location", "value", "code", "id", "name", "label"])(
  "a datacentre stays in the list if the platform sends nothing as its %s",
  (field) => {
    for (const nothing of nothings) {
      const row = { location: "de-fra", code: "de-fra", name: "Frankfurt", [field]: nothing };
      const places = placesOf(schemaWith([], { locationPricing: [row] }));
      expect(places).toMatchObject([{ value: "de-fra" }]);
    }
  },
);
