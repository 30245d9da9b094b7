import * as z from "#zod";
import { PlainText } from "../process/plain-text.ts";

/** A next step, as it is stored with an outcome. */
export const NextStep = z.object({
  label: PlainText,
  command: z.string(),
  target: z.string().optional(),
  input: z.record(z.string(), z.json()).optional(),
  style: z.enum(["primary", "danger"]).optional(),
  replace: z.boolean().optional(),
  until: z.number().optional(),
});
