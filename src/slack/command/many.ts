import { isAll } from "../../engine/answers/filters.ts";
import type { Where } from "../../operation/bulk.ts";
import { fieldsOf } from "../../operation/fields.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";

/** What of a command says that several are meant, and the values that are left for the operation itself. */
type Many = { said: Pick<Invocation, "several" | "stopAfter">; values: Record<string, string> } | { error: string };

const filters = ["text", "status", "project", "all"] as const;
const stopAfterName = "stop-after";

/** Reads the words after a verb as names of several, the filters of a list in place of a name, and after how many failures to stop. */
export function readMany(operation: Operation, words: readonly string[], given: Record<string, string>): Many {
  const names = namesIn(words);
  const several = names.length > 1 && operation.target ? { several: { names } } : {};
  const isPlain = operation.api === "app" || !operation.bulk || Object.keys(given).length === 0;
  if (isPlain) return { said: several, values: given };
  const own = new Set(fieldsOf(operation.input).map(({ name }) => name));
  // "project=all" beside a name says where to look for it.
  const isOfName = (name: string) => words.length > 0 && name === "project" && isAll(given.project);
  const said = filters.filter((name) => !own.has(name) && given[name] !== undefined && !isOfName(name));
  if (said.length > 0 && words.length > 0)
    return { error: `Name what you mean, or narrow it with ${said[0]}=, and not both. Nothing was done.` };
  const where = whereIn(given, said);
  if (where === null) return { error: "Write all=yes for all of them, or leave it out. Nothing was done." };
  const stopAfter = Number(given[stopAfterName] ?? 1);
  if (!Number.isInteger(stopAfter) || stopAfter < 1)
    return { error: "stop-after= takes the number of failures after which nothing more is begun. Nothing was done." };
  const taken: readonly string[] = [...said, stopAfterName];
  return {
    said: {
      ...(said.length > 0 ? { several: { where } } : several),
      ...(given[stopAfterName] === undefined ? {} : { stopAfter }),
    },
    values: Object.fromEntries(Object.entries(given).filter(([name]) => !taken.includes(name))),
  };
}

/** Quoted words are names as they are; others may be parted by commas. */
function namesIn(words: readonly string[]): string[] {
  return words.flatMap((word) => (/\s/.test(word) ? [word] : word.split(","))).filter((word) => word !== "");
}

function whereIn(given: Record<string, string>, said: readonly (typeof filters)[number][]): Where | null {
  const where: Where = {};
  for (const name of said) {
    const value = given[name] ?? "";
    if (name !== "all") where[name] = value;
    else if (value.toLowerCase() === "yes") where.all = true;
    else return null;
  }
  return where;
}
