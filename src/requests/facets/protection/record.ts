import type * as z from "#zod";
import { Protection } from "../../../policy/protection/protection.ts";
import { PlainText } from "../../../process/plain-text.ts";
import { code, listingOf } from "../../../views/text.ts";

/** The facet of a request that destroys a protected resource: the protection, with the name that each person who decides types. */
export const Protected = Protection.omit({ card: true }).extend({ byName: PlainText });
export type Protected = z.infer<typeof Protected>;

/** Says that no request for several holds a protected resource. */
export function protectedAlone(names: readonly PlainText[]): string {
  const named = names.map((name) => code(name, 60));
  const [are, them, their] = names.length === 1 ? ["is", "it", "its name"] : ["are", "each", "each name"];
  return `${listingOf(named, mostNames)} ${are} protected: a request for several asks for no name. Ask for ${them} alone, and type ${their}.`;
}

const mostNames = 5;
