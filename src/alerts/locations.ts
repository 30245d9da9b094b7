import * as z from "#zod";
import type { Location } from "../platform/customer/catalog.ts";
import { ownValue } from "../process/own-value.ts";
import { PlainText } from "../process/plain-text.ts";
import type { StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { listing, prose } from "../views/text.ts";

// The names of the platform's locations, as polling reads them: a machine's row has a code, which people do not know.

/** The locations that a sentence names; the others are counted together. */
const mostNamed = 5;

const namesKind = defineKind({
  name: "names of locations",
  namespace: "location-names",
  schema: z.object({ names: z.record(z.string(), PlainText) }),
});
const key = "workspace";

export async function noteLocationNames({ store }: StoreApp, locations: readonly Location[]): Promise<void> {
  const names = Object.fromEntries(locations.map(({ value, name }) => [value, name]));
  await store.keyv(namesKind).set(key, { names });
}

/** Returns a function from the location of a row to its name: the same word where no catalogue names it. */
export async function locationNames({ store }: StoreApp): Promise<(location: string) => PlainText> {
  const { names = {} } = (await store.keyv(namesKind).get(key)) ?? {};
  return (location) => ownValue(names, location) ?? location;
}

/** Amounts of one kind by location, such as 4 in Frankfurt. `location`: null where it is not known. */
export type ByLocation = readonly { location: string | null; amount: number }[];

/**
 * The words for a count by location: `inside` if all of them are in one location (" in Frankfurt"), else `after` (" (4 in Frankfurt and 2 in
 * Madrid)"). Both are empty where no location is known.
 */
export function locationWords(
  all: ByLocation,
  nameOf: (location: string) => PlainText,
): { inside: string; after: string } {
  const known = all.flatMap(({ location, amount }) =>
    location === null ? [] : [{ words: prose(nameOf(location), 60), amount }],
  );
  const [first] = known;
  if (!first) return { inside: "", after: "" };
  if (all.length === 1) return { inside: ` in ${first.words}`, after: "" };
  const sorted = known.toSorted((a, b) => b.amount - a.amount);
  const total = all.reduce((sum, { amount }) => sum + amount, 0);
  const named = sorted.slice(0, mostNamed);
  const others = total - named.reduce((sum, { amount }) => sum + amount, 0);
  const parts = named.map(({ words, amount }) => `${amount.toLocaleString("en")} in ${words}`);
  const rest = others > 0 ? [`${others.toLocaleString("en")} elsewhere, or in a place that is not known`] : [];
  return { inside: "", after: ` (${listing([...parts, ...rest])})` };
}
