import { nearest } from "../../operation/nearest.ts";
import type { Operation } from "../../operation/operation.ts";
import { type Registry, verbWordsOf } from "../../operation/registry.ts";

/** One of the operations that words without a noun may mean, and what follows its verb. */
export interface Reading {
  operation: Operation;
  rest: string[];
}

/** Every noun of the platform that has the verb that the words begin with, the longest such verb: "reboot web-1". A name alone is to be shown. */
export function readingsOf(registry: Registry, words: string[]): Reading[] {
  const spoken = words.map((word) => word.toLowerCase());
  const said = registry.all.filter((operation) => {
    const verb = verbWordsOf(operation).split(" ");
    return operation.api !== "app" && verb.every((word, at) => word === spoken[at]);
  });
  const longest = Math.max(0, ...said.map(lengthOf));
  const read = said.filter((operation) => lengthOf(operation) === longest);
  if (read.length > 0) return read.map((operation) => ({ operation, rest: words.slice(longest) }));
  const isName = words.length === 1 && nearVerbs(registry, words[0] ?? "").length === 0;
  return isName ? shown(registry).map((operation) => ({ operation, rest: words })) : [];
}

/** The verbs of all nouns that a word may be a slip of. */
export function nearVerbs(registry: Registry, word: string): string[] {
  return nearest(word, registry.all.map(verbWordsOf));
}

function shown(registry: Registry): Operation[] {
  return registry.all.filter((operation) => operation.target !== null && verbWordsOf(operation) === "show");
}

function lengthOf(operation: Operation): number {
  return verbWordsOf(operation).split(" ").length;
}
