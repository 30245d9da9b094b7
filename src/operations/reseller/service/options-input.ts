import { InputError, Refusal } from "../../../operation/errors.ts";
import type { OptionQuantity, ServiceOptions } from "../../../platform/reseller/options.ts";
import { code } from "../../../views/text.ts";
import { optionsById, presentQuantities } from "./options.ts";

/** A quantity of one add-on. */
export interface OptionCount {
  id: string;
  name: string;
  quantity: number;
}

/** The add-ons that a requested set adds to and removes from the present ones. */
export interface Difference {
  more: OptionCount[];
  less: OptionCount[];
}

/** A line for each: "2 × `Extra IPv4 address`". */
export function countLines(counted: OptionCount[]): string {
  return counted.map(({ name, quantity }) => `${quantity} × ${code(name, 60)}`).join("\n") || "none";
}

/** The word for an empty set. A member must type it, so that leaving the field empty never removes everything. */
const none = "none";

/**
 * The present set in the words of the input: "Daily backup", "2 x Extra IPv4 address". An add-on appears by its id where its name could
 * be misread.
 */
export function presentTexts(found: ServiceOptions): string[] {
  const present = requirePresent(found);
  const names = optionsById(found);
  const titles = [...names.values()].map((title) => title.toLowerCase());
  const texts = (byName: boolean) =>
    [...present].map(([id, quantity]) => {
      const title = names.get(id) ?? id;
      const isAlone = titles.filter((one) => one === title.toLowerCase()).length === 1;
      const isPlain =
        isAlone && title === title.trim() && !/[,\n]|^\d+ ?[x×] |^none$/i.test(title) && title.length < 100;
      return `${quantity === 1 ? "" : `${quantity} x `}${byName && isPlain ? title : id}`;
    });
  const byName = present.size === 0 ? [none] : texts(true);
  return byName.join(", ").length > longestText ? texts(false) : byName;
}

/** The longest text; the ids of all possible add-ons fit into a form field. */
const longestText = 2_500;

/** Parses a typed set: "2 x backups" is two of it. Names and ids must match whole; "none" alone is the empty set. Throws an InputError. */
export function parseOptions(typed: string[], found: ServiceOptions): Required<OptionQuantity>[] {
  if (typed.length === 1 && typed[0]?.toLowerCase() === none) return [];
  const known = [...optionsById(found)];
  return typed.map((text) => {
    const [, amount, rest] = /^(\d{1,3})\s*[x×]\s+(\S.*)$/i.exec(text) ?? [null, "1", text];
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

/** The additions and removals of a set. Throws a Refusal where the platform does not show the present add-ons: the set could remove some unseen. */
export function differenceOf(found: ServiceOptions, requested: Required<OptionQuantity>[]): Difference {
  const present = requirePresent(found);
  const names = optionsById(found);
  const quantities = new Map<string, number>();
  for (const { optionId, quantity } of requested) quantities.set(optionId, (quantities.get(optionId) ?? 0) + quantity);
  const counted = (id: string, quantity: number) => (quantity > 0 ? [{ id, name: names.get(id) ?? id, quantity }] : []);
  return {
    more: [...quantities].flatMap(([id, quantity]) => counted(id, quantity - (present.get(id) ?? 0))),
    less: [...present].flatMap(([id, quantity]) => counted(id, quantity - (quantities.get(id) ?? 0))),
  };
}

function requirePresent(found: ServiceOptions): Map<string, number> {
  const present = presentQuantities(found.active);
  if (present !== null) return present;
  throw new Refusal(
    "The platform does not tell here which add-ons the service holds and how many, so that a whole set could take something away unseen. Nothing was charged. Remove single ones by name, or ask the supplier.",
  );
}
