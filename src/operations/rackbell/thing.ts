import * as z from "zod";
import { thingText } from "../../engine/things/thing-text.ts";

/** A thing of whatever kind, as it is typed. */
export const thing = z
  .string()
  .min(1)
  .max(300)
  .meta({ title: "What", description: "Its name, host name or id; its kind first where that is not plain: vps web-1" });

/** Of kept things the one that is meant: by its id, which buttons carry, or by the name that it had. What is gone at the platform is still found. */
export function meantBy<T extends { card: string; id: string; name: string }>(all: T[], typed: string): T | undefined {
  const words = typed.trim().toLowerCase();
  const last = words.split(" ").at(-1) ?? "";
  return (
    all.find(({ card, id }) => words === thingText(card, id) || last === id) ??
    all.find(({ card, id, name }) => {
      const own = name.toLowerCase();
      return words === own || words === thingText(card, id).replace(id, own);
    })
  );
}
