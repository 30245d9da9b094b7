import * as z from "zod";
import { resourceText } from "../../resources/resource-text.ts";

/** The name of a resource of any kind, as typed. */
export const resourceInput = z
  .string()
  .min(1)
  .max(300)
  .meta({ title: "What", description: "Its name, host name or id; its kind first where that is not plain: vps web-1" });

/**
 * The stored entry that a member typed: by its id, which buttons carry, or by its stored name. Finds entries whose resource is
 * gone at the platform, too.
 */
export function findStored<T extends { card: string; id: string; name: string }>(
  all: T[],
  typed: string,
): T | undefined {
  const words = typed.trim().toLowerCase();
  const last = words.split(" ").at(-1) ?? "";
  return (
    all.find(({ card, id }) => words === resourceText(card, id) || last === id) ??
    all.find(({ card, id, name }) => {
      const own = name.toLowerCase();
      return words === own || words === resourceText(card, id).replace(id, own);
    })
  );
}
