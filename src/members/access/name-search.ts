import type { Entry } from "../../operation/target.ts";
import type { BoundOperation } from "./bound.ts";
import { readWords } from "./resolve.ts";

/** Entries among which a name is looked for. */
export type EntriesOf = (bound: BoundOperation) => Promise<Entry[]>;

/** The ways to find a typed name over several kinds, each slower than the one before: in memory, in lists read again, by the name itself. */
export function waysToFind(typed: string, several: readonly string[] = []): EntriesOf[] {
  return [
    async (bound) => (await bound.listing()).entries,
    async (bound) => (await bound.listing({ fresh: true })).entries,
    async (bound) => [...(await bound.listing()).entries, ...(await bound.find([typed, ...several]))],
  ];
}

/** The result of the first way that finds anything. */
export async function firstFound<T>(ways: readonly EntriesOf[], find: (way: EntriesOf) => Promise<T[]>): Promise<T[]> {
  for (const way of ways) {
    const found = await find(way);
    if (found.length > 0) return found;
  }
  return [];
}

/** The number of all resources in the lists in which a name was not found, and the age of the oldest list. */
export async function searchedWords(all: readonly Pick<BoundOperation, "listing">[], now: number): Promise<string> {
  const lists = await Promise.all(all.map((bound) => bound.listing()));
  const oldest = lists.sort((one, other) => one.at - other.at)[0];
  // A machine is listed under its own noun and among all services; it counts once.
  const distinct = new Map(lists.flatMap(({ entries }) => entries).map((entry) => [entry.id, entry]));
  const unnamed = lists.reduce((sum, list) => sum + list.unnamed, 0);
  return oldest ? readWords("resources", { ...oldest, entries: [...distinct.values()], unnamed }, now) : "";
}
