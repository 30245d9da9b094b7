import { InputError, Refusal } from "../../../operation/errors.ts";
import type { ServiceOptions, WantedOption } from "../../../platform/reseller/options.ts";
import { code } from "../../../views/text.ts";
import { heldQuantities, optionsById } from "./options.ts";

/** So many of one add-on. */
export interface Counted {
  id: string;
  name: string;
  quantity: number;
}

/** What a set is beside what is held. */
export interface Difference {
  more: Counted[];
  less: Counted[];
}

/** A line for each: "2 × `Extra IPv4 address`". */
export function countedLines(counted: Counted[]): string {
  return counted.map(({ name, quantity }) => `${quantity} × ${code(name, 60)}`).join("\n") || "none";
}

/** The whole set as it was typed: "2 x backups" is two of it, names are matched whole, by id or name. */
export function wantedIn(typed: string[], found: ServiceOptions): Required<WantedOption>[] {
  const known = [...optionsById(found)];
  return typed.map((text) => {
    const [, amount, rest] = /^(\d{1,3})\s*[x×]\s+(.+)$/i.exec(text) ?? [null, "1", text];
    const name = (rest ?? "").toLowerCase();
    const fits = known.filter(([id, title]) => id.toLowerCase() === name || title.toLowerCase() === name);
    const [only] = fits;
    const quantity = Number(amount);
    if (quantity < 1 || quantity > 100)
      throw new InputError([{ field: "options", message: "Add-ons: one can be had 1 to 100 times." }]);
    if (only && fits.length === 1) return { optionId: only[0], quantity };
    const names = known
      .map(([, title]) => title)
      .slice(0, 10)
      .join(", ");
    const problem =
      fits.length > 1 ? `several are called “${rest}”: use the id` : `there is no “${rest}” for this service`;
    throw new InputError([{ field: "options", message: `Add-ons: ${problem}.${names ? ` There is ${names}.` : ""}` }]);
  });
}

/** What a set adds and takes away. Where the platform does not say what is held, nothing can be set: it could take something away unseen. */
export function differenceOf(found: ServiceOptions, wanted: Required<WantedOption>[]): Difference {
  const held = heldQuantities(found.active);
  if (held === null)
    throw new Refusal(
      "The platform does not tell here which add-ons the service holds and how many, so that a whole set could take something away unseen. Nothing was charged. Remove single ones by name, or ask the supplier.",
    );
  const names = optionsById(found);
  const asked = new Map<string, number>();
  for (const { optionId, quantity } of wanted) asked.set(optionId, (asked.get(optionId) ?? 0) + quantity);
  const counted = (id: string, quantity: number) => (quantity > 0 ? [{ id, name: names.get(id) ?? id, quantity }] : []);
  return {
    more: [...asked].flatMap(([id, quantity]) => counted(id, quantity - (held.get(id) ?? 0))),
    less: [...held].flatMap(([id, quantity]) => counted(id, quantity - (asked.get(id) ?? 0))),
  };
}
