import * as z from "zod";

/** A time as the platform writes it, unchanged: ISO 8601, with or without the time of day. */
export const DateTime = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), { error: "Not a date" });
