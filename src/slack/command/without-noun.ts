import { nearest } from "../../operation/nearest.ts";
import type { Operation, Synonym } from "../../operation/operation.ts";
import { type Registry, verbWordsOf } from "../../operation/registry.ts";

/** An operation that a command without a noun may mean, and the words after its verb. */
export interface CommandReading {
  operation: Operation;
  rest: string[];
  /** The typed words, if they are a synonym of its verb. */
  synonym?: Synonym;
}

/**
 * The operations on the platform with a verb, or a synonym of it, that begins the words, by the longest: "reboot web-1". For a name
 * alone, the operations that show a resource.
 */
export function readingsOf(registry: Registry, words: string[]): CommandReading[] {
  const spoken = words.map((word) => word.toLowerCase());
  const found = registry.all.flatMap((operation) =>
    wordsFor(operation)
      .filter((verb) => verb.split(" ").every((word, at) => word === spoken[at]))
      .map((verb) => readingOf(operation, verb, words)),
  );
  const shortestRest = Math.min(...found.map(({ rest }) => rest.length));
  const read = found.filter(({ rest }) => rest.length === shortestRest);
  if (read.length > 0) return read;
  const isName = words.length === 1 && nearVerbs(registry, words[0] ?? "").length === 0;
  return isName ? showOperations(registry).map((operation) => ({ operation, rest: words })) : [];
}

/** The verb and its synonyms under the same noun. */
function wordsFor(operation: Operation): string[] {
  if (operation.api === "app") return [];
  return [verbWordsOf(operation), ...(operation.synonyms ?? []).filter((synonym) => !synonym.startsWith("/"))];
}

function readingOf(operation: Operation, verb: string, words: string[]): CommandReading {
  const rest = words.slice(verb.split(" ").length);
  return verb === verbWordsOf(operation) ? { operation, rest } : { operation, rest, synonym: { words: verb } };
}

/** Verbs of any noun that the word may be a typo of. */
export function nearVerbs(registry: Registry, word: string): string[] {
  return nearest(word, registry.all.map(verbWordsOf));
}

function showOperations(registry: Registry): Operation[] {
  return registry.all.filter((operation) => operation.target !== null && verbWordsOf(operation) === "show");
}
