import * as z from "zod";

/** The envelope of a success whose `data` is as `schema` says. Spec section 2.1 of both APIs. */
export function data<S extends z.ZodType>(schema: S) {
  return z.object({ data: schema });
}

/** The same where the spec leaves open whether the thing is `data` itself or stands in it under its own name. */
export function dataOf<S extends z.ZodType>(name: string, schema: S) {
  return data(z.preprocess((value) => within(name, value) ?? value, schema));
}

function within(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || "id" in value) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** The envelope of a success of which nothing is used. */
export const done = z.object({});
