import type * as z from "zod";

/** A field that may be left out: null says no more than that, and must not make its row unreadable. */
export function orMissing<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}
