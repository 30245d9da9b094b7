import * as z from "#zod";

/** An id that may arrive as a string or a number, since the spec leaves it open; the result is a string. */
export const Id = z.union([z.string().min(1), z.number().transform(String)]);

/** A time as the platform writes it, unchanged: ISO 8601, with or without the time of day. */
export const DateTime = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), { error: "Not a date" });

/** A field that may be left out: null says no more than that, and must not make its row unreadable. */
export function orMissing<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

/** A field that is null without a value, and that the platform may leave out then. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? null);
}

/** A unix time above this is in milliseconds, not in seconds. Reseller spec section 5.1. */
const mostSeconds = 1e11;

const UnixTime = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .transform((time) => (time > 0 ? new Date(time > mostSeconds ? time : time * 1_000) : null))
  .pipe(z.date())
  .transform((date) => date.toISOString());

/** A time whose type the spec does not give: as `DateTime`, or a unix time, of which it makes ISO 8601. */
export const AnyTime = z.union([DateTime, UnixTime]);

/** A figure whose type the spec does not give: a number, or the text that a database, or `parseJson`, makes of a 64-bit one. */
export const Figure = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,20}(\.\d+)?$/)
    .transform(Number),
]);
