import { expect, test } from "vitest";
import * as z from "zod";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { formElement } from "../../../src/slack/forms/elements.ts";

function preset(format: "person" | "channel" | "channels", value: string): unknown {
  const [field] = fieldsOf(z.object({ value: z.string().meta({ format }) }));
  if (!field) throw new Error("The schema has a field.");
  const [, initial] = Object.entries(formElement(field, value)).find(([key]) => key.startsWith("initial_")) ?? [];
  return initial;
}

test.each([
  ["person", "U01TF7GHJMI", "U01TF7GHJMI"],
  ["person", "@U01TF7GHJMI", "U01TF7GHJMI"],
  ["person", "<@U01TF7GHJMI|ben>", "U01TF7GHJMI"],
  ["channel", "#C0YAURR8LV8", "C0YAURR8LV8"],
  ["channel", "<#C0YAURR8LV8|ops>", "C0YAURR8LV8"],
] as const)("a field for a %s shows the one that was chosen: %s", (format, value, chosen) => {
  expect(preset(format, value)).toBe(chosen);
});

test("a field for several channels shows each that was chosen", () => {
  expect(preset("channels", "#C0YAURR8LV8, <#G0YAURR8LV9|ops>")).toEqual(["C0YAURR8LV8", "G0YAURR8LV9"]);
});

test.each([
  ["person", "S0WX5BQ8DRC"],
  ["person", "<!subteam^S0WX5BQ8DRC>"],
  ["channel", "D0CX5BQ8DRC"],
  ["channels", "D0CX5BQ8DRC U0CX5BQ8DRC"],
] as const)("a field for a %s stays empty where a part of another id looks like one: %s", (format, value) => {
  expect(preset(format, value)).toBeUndefined();
});
