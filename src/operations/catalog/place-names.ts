import type { CallContext } from "../../operation/call-context.ts";
import { indexedKindOf, type TargetKind } from "../../operation/target.ts";
import { type Location, listLocations } from "../../platform/customer/catalog.ts";
import { pageFrom } from "../../platform/http/pages.ts";

/** Data centres: server rows give the code that an order takes, and people know the name. Spec section 2.7. */
const place: TargetKind<"customer", Location> = {
  noun: "location",
  label: "location",
  pageSize: 200,
  list: async (client, query) => pageFrom(await listLocations(client.in(null)), query),
  read: () => Promise.reject(new Error("A location is read with all the others")),
  entry: ({ value, name }) => ({ id: value, name, aliases: [], state: "", project: "", detail: "" }),
};

/**
 * Returns a function from a location's code to its name. It returns the code if the catalogue does not name it or does not
 * answer, so that the server is still shown.
 */
export async function placeNames({
  listing,
}: Pick<CallContext<"customer">, "listing">): Promise<(value: string) => string> {
  const { entries } = await listing(indexedKindOf(place)).catch(() => ({ entries: [] }));
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return (value) => names.get(value) ?? value;
}
