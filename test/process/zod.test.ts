import { expect, test } from "vitest";
import * as z from "#zod";

/** A schema with how often it was made, told by a shape that is read at its making. */
function counted() {
  let made = 0;
  const schema = z.late(() => {
    made += 1;
    return z.object({ name: z.string().min(2).meta({ title: "Name" }), rows: z.array(z.int()).default([]) });
  })();
  return { schema, made: () => made };
}

test("a schema is made once, when it is first used, and not by the schemas that are made of it", () => {
  const { schema, made } = counted();
  const further = z.object({ inner: schema.safeExtend({ more: z.boolean().optional() }).nullish() });
  expect(made()).toBe(0);
  expect(further.parse({ inner: { name: "web-1" } })).toEqual({ inner: { name: "web-1", rows: [] } });
  expect(schema.safeParse({ name: "w" }).success).toBe(false);
  expect(made()).toBe(1);
});

test("a schema is one of zod to all that asks it", () => {
  const { schema } = counted();
  expect(schema instanceof z.ZodObject).toBe(true);
  expect("shape" in schema).toBe(true);
  expect(Object.keys(schema.shape)).toEqual(["name", "rows"]);
});

test("titles and registries find a schema under its parents and those that extend them", () => {
  const words = z.registry<{ word: string }>();
  const inner = z.string().register(words, { word: "inner" });
  const { schema } = counted();
  const whole = schema.safeExtend({ inner, several: z.array(inner) });
  expect(words.get(whole.shape.inner)).toEqual({ word: "inner" });
  expect(z.toJSONSchema(whole, { io: "input" })).toMatchObject({
    properties: {
      name: { type: "string", title: "Name", minLength: 2 },
      rows: { default: [] },
      several: { items: { type: "string" } },
    },
    required: ["name", "inner", "several"],
  });
});
