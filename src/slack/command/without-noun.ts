import { nearest } from "../../operation/matching.ts";
import type { Operation, Synonym } from "../../operation/operation.ts";
import { type Registry, synonymsOf, verbWordsOf } from "../../operation/registry.ts";

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
      .filter((synonym) => synonym.words.split(" ").every((word, at) => word === spoken[at]))
      .map((synonym) => readingOf(operation, synonym, words)),
  );
  const shortestRest = Math.min(...found.map(({ rest }) => rest.length));
  const read = found.filter(({ rest }) => rest.length === shortestRest);
  if (read.length > 0) return read;
  const isName = words.length === 1 && nearVerbs(registry, words[0] ?? "").length === 0;
  return isName ? showOperations(registry).map((operation) => ({ operation, rest: words })) : [];
}

/** The verb and its synonyms under the same noun. */
function wordsFor(operation: Operation): Synonym[] {
  if (operation.api === "app") return [];
  const synonyms = synonymsOf(operation).filter((synonym) => !synonym.words.startsWith("/"));
  return [{ words: verbWordsOf(operation) }, ...synonyms];
}

function readingOf(operation: Operation, synonym: Synonym, words: string[]): CommandReading {
  const rest = words.slice(synonym.words.split(" ").length);
  return synonym.words === verbWordsOf(operation) ? { operation, rest } : { operation, rest, synonym };
}

/** Verbs of any noun that the word may be a typo of. */
export function nearVerbs(registry: Registry, word: string): string[] {
  return nearest(word, registry.all.map(verbWordsOf));
}

function showOperations(registry: Registry): Operation[] {
  return registry.all.filter((operation) => operation.target !== null && verbWordsOf(operation) === "show");
}
