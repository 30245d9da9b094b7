import { isAll } from "../../messages/answers/filters.ts";
import type { ListFilter } from "../../operation/bulk.ts";
import { fieldsOf } from "../../operation/fields.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";

/** The parts of a command that select several machines, and the values left for the operation. */
type ParsedBulk =
  | { selection: Pick<Invocation, "several" | "stopAfter">; values: Record<string, string> }
  | { error: string };

const filters = ["text", "status", "project", "all"] as const;
const stopAfterName = "stop-after";

/** Parses several names after a verb, or filters in their place. Also parses the number of failures after which to stop. */
export function parseBulk(operation: Operation, words: readonly string[], given: Record<string, string>): ParsedBulk {
  const names = namesIn(words);
  const several = names.length > 1 && operation.target ? { several: { names } } : {};
  const isPlain = operation.api === "app" || !operation.bulk || Object.keys(given).length === 0;
  if (isPlain) return { selection: several, values: given };
  const own = new Set(fieldsOf(operation.input).map(({ name }) => name));
  // With a name, "project=all" only widens the search for that name.
  const isOfName = (name: string) => words.length > 0 && name === "project" && isAll(given.project);
  const named = filters.filter((name) => !own.has(name) && given[name] !== undefined && !isOfName(name));
  if (named.length > 0 && words.length > 0)
    return { error: `Name what you mean, or narrow it with ${named[0]}=, and not both. Nothing was done.` };
  const where = whereIn(given, named);
  if (where === null) return { error: "Write all=yes for all of them, or leave it out. Nothing was done." };
  const stopAfter = Number(given[stopAfterName] ?? 1);
  if (!Number.isInteger(stopAfter) || stopAfter < 1)
    return { error: "stop-after= takes the number of failures after which nothing more is begun. Nothing was done." };
  const taken: readonly string[] = [...named, stopAfterName];
  return {
    selection: {
      ...(named.length > 0 ? { several: { where } } : several),
      ...(given[stopAfterName] === undefined ? {} : { stopAfter }),
    },
    values: Object.fromEntries(Object.entries(given).filter(([name]) => !taken.includes(name))),
  };
}

/** A word with a blank was quoted and is one name; other words may list names with commas. */
function namesIn(words: readonly string[]): string[] {
  return words.flatMap((word) => (/\s/.test(word) ? [word] : word.split(","))).filter((word) => word !== "");
}

function whereIn(given: Record<string, string>, named: readonly (typeof filters)[number][]): ListFilter | null {
  const where: ListFilter = {};
  for (const name of named) {
    const value = given[name] ?? "";
    if (name !== "all") where[name] = value;
    else if (value.toLowerCase() === "yes") where.all = true;
    else return null;
  }
  return where;
}
