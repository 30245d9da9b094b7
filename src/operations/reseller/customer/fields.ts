import * as z from "zod";

/** The fields of a customer's record as a person gives them. Reseller spec sections 4 and 8. */
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

/** The JSON object that a person wrote, or null where it is none. */
export function readMetadata(text: string): Record<string, unknown> | null {
  try {
    return Metadata.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
