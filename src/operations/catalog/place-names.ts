import type { Asking } from "../../operation/asking.ts";
import { listedOf, type TargetKind } from "../../operation/target.ts";
import { type Location, listLocations } from "../../platform/customer/catalog.ts";
import { pageFrom } from "../../platform/http/pages.ts";

/** Where servers stand: rows of servers give the value that an order takes, and people know the name. Spec section 2.7. */
const place: TargetKind<"customer", Location> = {
  noun: "location",
  label: "location",
  pageSize: 200,
  list: async (client, query) => pageFrom(await listLocations(client.in(null)), query),
  read: () => Promise.reject(new Error("A location is read with all the others")),
  entry: ({ value, name }) => ({ id: value, name, aliases: [], state: "", project: "", detail: "" }),
};

/** What a location is called; its value where the catalogue does not name it, or does not answer: that alone keeps nothing from being shown. */
export async function placeNames({ listing }: Pick<Asking<"customer">, "listing">): Promise<(value: string) => string> {
  const { entries } = await listing(listedOf(place)).catch(() => ({ entries: [] }));
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return (value) => names.get(value) ?? value;
}
