import { characters, type PlainText } from "../../process/plain-text.ts";

/** True if a text in `value` contains one of the words as a whole word; a part of a host name does not count. */
export function mentions(value: unknown, words: (PlainText | null | undefined)[]): boolean {
  return textsIn(value).some((text) => words.some((word) => word && hasWord(text, word)));
}

/**
 * The names that the texts in `value` contain, each at the end of a text or of a part of it: behind "VPS M" may follow " plus", which is
 * another name, and may be none of these.
 */
export function namesIn(value: unknown, names: readonly string[]): Set<string> {
  const texts = textsIn(value);
  return new Set(names.filter((name) => texts.some((text) => hasWord(text, name, partEnd))));
}

// V8 14.6 does not find 𝒳 (two units) by `[…]$`, and does by looking behind.
const wordStart = /(?<![\p{L}\p{N}_.-])$/u;
const wordEnd = /^(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u;
const partEnd = /^\s*(?:$|[,;:()/·×–—]|[.-](?:\s|$))/u;

/** Searches without a pattern of the word: no pattern may be as long as a name that a platform may send. `end`: what must follow it. */
function hasWord(text: string, word: PlainText, end = wordEnd): boolean {
  const sought = characters(word);
  for (let at = sought ? text.indexOf(sought) : -1; at >= 0; at = text.indexOf(sought, at + 1)) {
    const rest = text.slice(at + sought.length);
    if (wordStart.test(text.slice(Math.max(0, at - 2), at)) && wordEnd.test(rest) && end.test(rest)) return true;
  }
  return false;
}

/** The texts in a value at any depth, without the names of fields: a service may well be called "invoice". */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
