import * as z from "zod";

/** The inputs of a project. Spec section 2.8. */
export const projectFields = {
  name: z.string().trim().min(1).max(80).meta({ title: "Name" }),
  slug: z
    .string()
    .max(40)
    .regex(/^[a-z0-9-]+$/, "lowercase letters, digits and hyphens only.")
    .meta({ title: "Short name", description: "Lowercase letters, digits and hyphens; 40 at most" }),
  description: z.string().max(2000).meta({ title: "Description", format: "lines" }),
  color: z.string().max(20).meta({ title: "Colour", description: "For display only, such as #336699" }),
};
