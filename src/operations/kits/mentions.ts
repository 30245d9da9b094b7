import { characters, type PlainText } from "../../plain-text.ts";

/** True if a text in `value` contains one of the words as a whole word; a part of a host name does not count. */
export function mentions(value: unknown, words: (PlainText | null | undefined)[]): boolean {
  const patterns = words.flatMap((word) => {
    if (!word) return [];
    const escaped = characters(word).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return [new RegExp(`(?<![\\p{L}\\p{N}_.-])${escaped}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, "u")];
  });
  return textsIn(value).some((text) => patterns.some((pattern) => pattern.test(text)));
}

/** The texts in a value at any depth, without the names of fields: a service may well be called "invoice". */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
