import { expect, test } from "vitest";
import { imageField, selectField, severalField } from "../../../src/operations/kits/order-form.ts";

const many = Array.from({ length: 130 }, (_, at) => ({ value: `place-${at}`, label: `Place ${at}` }));
const systems = many.map(({ value, label }) => ({ id: value, name: label }));

test("a list that is longer than Slack shows says how many are left out, and keeps the one that is chosen", () => {
  const field = { id: "location", label: "Location" };
  const select = JSON.stringify(selectField(field, many, "place-129"));
  expect(select).toContain("30 more are not shown here: type the command with location= and the name.");
  expect(select).toContain('"initial_option":{"text":{"type":"plain_text","text":"Place 129"');
  const image = imageField({ id: "image", label: "System" }, systems, { label: "Own", images: [] }, null);
  expect(JSON.stringify(image)).toContain("30 more are not shown here");
  expect(JSON.stringify(severalField(field, many, ["place-128"], 20))).toContain("30 more are not shown here");
  expect(JSON.stringify(selectField(field, many.slice(0, 100), null))).not.toContain("not shown");
});
