import { characters, type PlainText } from "../../plain-text.ts";

/** True if a text in `value` contains one of the words as a whole word; a part of a host name does not count. */
export function mentions(value: unknown, words: (PlainText | null | undefined)[]): boolean {
  const patterns = words.flatMap((word) => (word ? [wholeWord(word)] : []));
  return textsIn(value).some((text) => patterns.some((pattern) => text.search(pattern) >= 0));
}

/** The words that the texts in `value` contain. A word within a longer one of them does not count: "VPS M" within "VPS M plus". */
export function mentionedOf(value: unknown, words: readonly string[]): Set<string> {
  const longestFirst = words.filter((word) => word !== "").toSorted((a, b) => b.length - a.length);
  const found = new Set<string>();
  for (const text of textsIn(value)) {
    longestFirst.reduce((rest, word) => {
      const left = rest.replaceAll(wholeWord(word), "\n");
      if (left !== rest) found.add(word);
      return left;
    }, text);
  }
  return found;
}

function wholeWord(word: PlainText): RegExp {
  const escaped = characters(word).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_.-])${escaped}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, "gu");
}

/** The texts in a value at any depth, without the names of fields: a service may well be called "invoice". */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
