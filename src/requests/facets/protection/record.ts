import type * as z from "#zod";
import { Protection } from "../../../policy/protection/protection.ts";
import { PlainText } from "../../../process/plain-text.ts";

/** The facet of a request that destroys a protected resource: the protection, with the name that each person who decides types. */
export const Protected = Protection.omit({ card: true }).extend({ byName: PlainText });
export type Protected = z.infer<typeof Protected>;
