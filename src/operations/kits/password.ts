import * as z from "zod";

/** A root password, typed in a form or generated and shown once. Spec section 2.8: at least 8 characters. */
export const newPassword = z
  .string()
  .min(8)
  .max(128)
  .meta({ title: "New root password", format: "password", writeOnly: true, description: "At least 8 characters." });
