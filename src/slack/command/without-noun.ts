import { nearest } from "../../operation/nearest.ts";
import type { Operation } from "../../operation/operation.ts";
import { type Registry, verbWordsOf } from "../../operation/registry.ts";

/** An operation that a command without a noun may mean, and the words after its verb. */
export interface Reading {
  operation: Operation;
  rest: string[];
}

/**
 * The operations whose verb begins the words, by the longest verb: "reboot web-1". For a name alone, the operations that show a resource.
 */
export function readingsOf(registry: Registry, words: string[]): Reading[] {
  const spoken = words.map((word) => word.toLowerCase());
  const matching = registry.all.filter((operation) => {
    const verb = verbWordsOf(operation).split(" ");
    return operation.api !== "app" && verb.every((word, at) => word === spoken[at]);
  });
  const longest = Math.max(0, ...matching.map(lengthOf));
  const read = matching.filter((operation) => lengthOf(operation) === longest);
  if (read.length > 0) return read.map((operation) => ({ operation, rest: words.slice(longest) }));
  const isName = words.length === 1 && nearVerbs(registry, words[0] ?? "").length === 0;
  return isName ? shown(registry).map((operation) => ({ operation, rest: words })) : [];
}

/** Verbs of any noun that the word may be a typo of. */
export function nearVerbs(registry: Registry, word: string): string[] {
  return nearest(word, registry.all.map(verbWordsOf));
}

function shown(registry: Registry): Operation[] {
  return registry.all.filter((operation) => operation.target !== null && verbWordsOf(operation) === "show");
}

function lengthOf(operation: Operation): number {
  return verbWordsOf(operation).split(" ").length;
}
