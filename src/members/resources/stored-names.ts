import { namesMeant } from "../../operation/matching.ts";
import { topicOf } from "../../operation/registry.ts";
import type { Entry } from "../../operation/target.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { matchTarget } from "../access/resolve.ts";
import { resourceText } from "./favourites.ts";
import { isCard, isShow, oneOnly } from "./finder.ts";
import { lookAmongOwn } from "./own-index.ts";
import type { ResourcesApp } from "./resources.ts";

/** A resource in a record of Rackbell's, with the name that it had then. `card`: the command that shows it, if the record has that. */
export interface StoredResource {
  id: string;
  name: PlainText;
  card?: string;
}

// The name in a record is the one from when it was stored, and may be that of another resource by now: it is shown, and a typed name is
// compared with it, only where the member's keys do not list the resource.

/** The resource by its name in these lists. One that is in none of them keeps its stored name. */
export function byNameNow<T extends StoredResource>(one: T, listed: ReadonlyMap<string, Entry>): T {
  const entry = listed.get(one.id);
  return entry ? { ...one, name: entry.name } : one;
}

/** The resources by the names that the member's own keys list now. `reading`: a list that was never read is read. */
export async function withNamesNow<T extends StoredResource>(
  app: ResourcesApp,
  member: string,
  stored: readonly T[],
  { reading = true } = {},
): Promise<T[]> {
  const listed = await readListed(app, member, stored, { reading });
  return stored.map((one) => byNameNow(one, listed));
}

/**
 * The one of the resources that a member typed, by its present name: undefined if they typed none of them. Throws an InputError for a
 * name of several. A button carries the id.
 */
export async function findStored<T extends StoredResource & { card: string }>(
  app: ResourcesApp,
  member: string,
  stored: readonly T[],
  typed: string,
): Promise<T | undefined> {
  const words = namesMeant(typed);
  const byId = stored.filter(({ card, id }) => words.includes(id) || words.includes(resourceText(card, id)));
  if (byId.length > 0) return (await withNamesNow(app, member, byId))[0];
  return (await storedFinder(app, member, stored))(typed);
}

/** The same for several names: the lists are read again once. */
export async function storedFinder<T extends StoredResource>(
  app: ResourcesApp,
  member: string,
  stored: readonly T[],
): Promise<(typed: string) => T | undefined> {
  const listed = await readListed(app, member, stored, { reading: true, fresh: true });
  const now = stored.map((one) => byNameNow(one, listed));
  const entries = now.map((one) => matchable(one, listed.get(one.id)));
  return (typed) => {
    const match = matchTarget(entries, typed);
    if (match.kind === "ambiguous")
      throw oneOnly(
        typed,
        match.entries.map(({ id }) => id.slice(0, 8)),
      );
    return match.kind === "one" ? now.find(({ id }) => id === match.entry.id) : undefined;
  };
}

/** The entries of the resources by id: of their own kind, else of any other, since a resold service is in the own account as well. */
async function readListed(
  app: ResourcesApp,
  member: string,
  stored: readonly StoredResource[],
  how: { reading: boolean; fresh?: boolean },
): Promise<ReadonlyMap<string, Entry>> {
  const cards = app.registry.all.filter(isShow).filter(isCard);
  const { listed } = lookAmongOwn(app, member, how);
  const idsOf = (all: readonly StoredResource[]) => all.map(({ id }) => id);
  const own = await Promise.all(
    cards.map(async (operation) => {
      const ids = idsOf(stored.filter(({ card }) => card === operation.command));
      return ids.length > 0 ? [...(await listed(ids, [operation]))] : [];
    }),
  );
  const found = new Map(own.flat());
  const others = stored.filter(({ id }) => !found.has(id));
  return others.length > 0 ? new Map([...found, ...(await listed(idsOf(others), cards))]) : found;
}

/** Its kind may be typed before each of its names, as everywhere. */
function matchable({ id, name, card }: StoredResource, listed?: Entry): Entry {
  const entry = listed ?? { id, name, aliases: [], state: "", project: "", detail: "" };
  if (card === undefined) return entry;
  const topic = topicOf({ command: card });
  const names = [id, id.slice(0, 8), entry.name, ...entry.aliases];
  return { ...entry, aliases: [...entry.aliases, ...names.map((one) => plainly`${topic} ${one}`)] };
}
