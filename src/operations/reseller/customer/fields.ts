import * as z from "zod";
import { parseJson } from "../../../platform/http/json.ts";

/** The fields of a customer's record in a member's input. Reseller spec sections 4 and 8. */
export const customerFields = {
  id: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ title: "Your own id", description: "As in your own books; 100 at most" }),
  email: z.email("this is no e-mail address.").max(255).meta({ title: "E-mail" }),
  name: z.string().trim().min(1).max(255).meta({ title: "Name" }),
};

const Metadata = z.record(z.string(), z.unknown());

/** Parses the JSON object that a member typed; null where it is not one. */
export function readMetadata(text: string): Record<string, unknown> | null {
  try {
    return Metadata.safeParse(parseJson(text)).data ?? null;
  } catch {
    return null;
  }
}
