import type { Entry } from "../../operation/target.ts";
import { isForbidden } from "../../platform/http/errors.ts";
import { listing } from "../../views/text.ts";
import type { BoundOperation } from "./bound.ts";
import { readWords } from "./resolve.ts";

/** Entries among which a name is looked for. */
export type EntriesOf = (bound: BoundOperation) => Promise<Entry[]>;

/** The ways to find a typed name over several kinds, each slower than the one before: in memory, in lists read again, by the name itself. */
export function waysToFind(typed: string, several: readonly string[] = []): EntriesOf[] {
  return [
    async (bound) => (await bound.listing()).entries,
    async (bound) => (await bound.listing({ fresh: true }).catch(noneIfForbidden)).entries,
    async (bound) => [...(await bound.listing()).entries, ...(await bound.find([typed, ...several]))],
  ];
}

/** A list in memory may be refused since. The other lists still have the name. */
function noneIfForbidden(error: unknown): { entries: Entry[] } {
  if (isForbidden(error)) return { entries: [] };
  throw error;
}

/** The result of the first way that finds anything. */
export async function firstFound<T>(ways: readonly EntriesOf[], find: (way: EntriesOf) => Promise<T[]>): Promise<T[]> {
  for (const way of ways) {
    const found = await find(way);
    if (found.length > 0) return found;
  }
  return [];
}

/** The lists in which a name can be looked for. `refused`: the kinds whose list the platform refuses to the member's key. */
export interface Searchable<B> {
  open: B[];
  refused: string[];
}

/** Sets the refused lists apart: one of them must not keep a name from being found in the others. Throws the refusal of all. */
export async function searchable<B extends { bound: Pick<BoundOperation, "listing" | "operation"> }>(
  all: readonly B[],
): Promise<Searchable<B>> {
  const refusals = await Promise.all(all.map(({ bound }) => bound.listing().then(() => null, refusalOf)));
  const [first] = refusals;
  if (first && !refusals.includes(null)) throw first;
  const refused = all.flatMap(({ bound }, at) => (refusals[at] ? (bound.operation.target?.plural ?? []) : []));
  return { open: all.filter((_, at) => !refusals[at]), refused: [...new Set(refused)] };
}

function refusalOf(error: unknown): Error {
  if (isForbidden(error)) return error;
  throw error;
}

/** Says in which kinds nothing was looked for, since the platform refuses their lists; empty for none. */
export function refusedWords(refused: readonly string[]): string {
  if (refused.length === 0) return "";
  return `Rackbell could not search the ${listing([...refused])}: the platform refuses to list them.`;
}

/** The beginning of the sentence that a name is nowhere: it may be in a list that the platform refuses. */
export function nothingCalled(refused: readonly string[]): string {
  return refused.length > 0 ? "Rackbell finds nothing called" : "You have nothing called";
}

/** The number of all resources in the lists in which a name was not found, the age of the oldest list, and the refused lists. */
export async function searchedWords(
  all: readonly Pick<BoundOperation, "listing">[],
  refused: readonly string[],
  now: number,
): Promise<string> {
  const lists = await Promise.all(all.map((bound) => bound.listing()));
  const oldest = lists.sort((one, other) => one.at - other.at)[0];
  // A machine is listed under its own noun and among all services; it counts once.
  const distinct = new Map(lists.flatMap(({ entries }) => entries).map((entry) => [entry.id, entry]));
  const unnamed = lists.reduce((sum, list) => sum + list.unnamed, 0);
  const read = oldest ? [readWords("resources", { ...oldest, entries: [...distinct.values()], unnamed }, now)] : [];
  return [...read, refusedWords(refused)].filter((words) => words !== "").join(" ");
}
