import * as z from "zod";

/** A moment as the platform writes it, kept as it was written: ISO 8601, with the time of day where it has one. */
export const DateTime = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), { error: "Not a date" });
