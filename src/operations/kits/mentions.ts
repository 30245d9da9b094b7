import { characters, type PlainText } from "../../process/plain-text.ts";

/** True if a text in `value` contains one of the words as a whole word; a part of a host name does not count. */
export function mentions(value: unknown, words: (PlainText | null | undefined)[]): boolean {
  const patterns = words.flatMap((word) => (word ? [wholeWord(word)] : []));
  return textsIn(value).some((text) => patterns.some((pattern) => text.search(pattern) >= 0));
}

/**
 * The names that the texts in `value` contain, each at the end of a text or of a part of it: behind "VPS M" may follow " plus", which is
 * another name, and may be none of these.
 */
export function namesIn(value: unknown, names: readonly string[]): Set<string> {
  const texts = textsIn(value);
  const isThere = (name: string) => {
    const pattern = new RegExp(`${wholeWord(name).source}${ends}`, "u");
    return texts.some((text) => text.search(pattern) >= 0);
  };
  return new Set(names.filter((name) => name !== "" && isThere(name)));
}

const ends = "(?=\\s*(?:$|[,;:()/·×–—]|[.-](?:\\s|$)))";

function wholeWord(word: PlainText): RegExp {
  const escaped = characters(word).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_.-])${escaped}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, "u");
}

/** The texts in a value at any depth, without the names of fields: a service may well be called "invoice". */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
