import { isIPv4, isIPv6 } from "node:net";
import type { PlainText } from "../process/plain-text.ts";
import { asShown, clip } from "../views/text.ts";

/** The text of an id. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const idWithin = /[0-9a-f]{8}(?=(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;
/** In characters. A shorter beginning of an id could as well be the beginning of a name. */
const shortestOfId = 8;
/** In characters. Few ids of other forms are longer. */
const mostOfId = 40;

/** Each removed pair of marks is one more reading. Nobody nests more, and each one reads the whole text again. */
const mostReadings = 10;

/**
 * The names that a typed text can mean, the literal text first. People paste a name in code marks or in bold, with the full stop of their
 * sentence, or an address with its prefix.
 */
export function namesMeant(typed: string): string[] {
  const meant = new Set<string>();
  for (let text = typed.trim().normalize(), before = ""; text !== before && meant.size < mostReadings; ) {
    if (text !== "") meant.add(text);
    before = text;
    text = text
      .replace(/^([`*_~])(.+)\1$/s, "$2")
      .replace(/(?<![.,;:!?])[.,;:!?]+$/, "")
      .trim();
  }
  return [...new Set([...meant].flatMap((text) => [text, foldedName(text)]))];
}

/** A name as it is shown, without regard to case; an address without regard to how it is written, or to its prefix. */
export function foldedName(name: PlainText): string {
  const folded = asShown(name).toLowerCase();
  const address = folded.replace(/\/\d{1,3}$/, "");
  if (isIPv6(address)) return new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1);
  return isIPv4(address) ? address : folded;
}

/** Compares two names as `foldedName` does. */
export function sameName(one: PlainText, other: PlainText): boolean {
  return foldedName(one) === foldedName(other);
}

/** The items that people cannot tell from another one by these texts. */
export function lookingAlike<T>(all: readonly T[], textsOf: (one: T) => readonly PlainText[]): ReadonlySet<T> {
  const alike = Map.groupBy(all, (one) =>
    textsOf(one)
      .map((text) => asShown(text, ""))
      .join("\n"),
  );
  return new Set([...alike.values()].filter(({ length }) => length > 1).flat());
}

/** "id 0b1c7c1e…", to tell apart those that look alike. */
export function idMark(id: string): string {
  const [begins] = idWithin.exec(id) ?? [];
  return begins === undefined ? `id ${clip(id, mostOfId)}` : `id ${begins}…`;
}

/**
 * The items that a typed text matches: exactly, else ignoring case, else by the beginning of a text. With the servers
 * "web" and "web-2", "web" selects the first alone: an exact match wins over a beginning.
 */
export function matching<T>(typed: string, all: readonly T[], textsOf: (one: T) => readonly PlainText[]): T[] {
  for (const name of namesMeant(typed)) {
    const shown = asShown(name);
    const exact = all.filter((one) => textsOf(one).some((text) => asShown(text) === shown));
    if (exact.length > 0) return exact;
    const lower = foldedName(name);
    const folded = all.filter((one) => textsOf(one).some((text) => foldedName(text) === lower));
    if (folded.length > 0) return folded;
    const begun = all.filter((one) =>
      textsOf(one).some((text) => {
        const own = asShown(text);
        return own.toLowerCase().startsWith(lower) && (lower.length >= shortestOfId || !uuid.test(own));
      }),
    );
    if (begun.length > 0) return begun;
  }
  return [];
}

/** Up to `n` candidates that `word` may be a typing error of, the nearest first; empty if none is near. */
export function nearest(word: string, candidates: readonly string[], n = 3): string[] {
  const typed = word.toLowerCase().slice(0, 60);
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distanceTo(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.max(typed.length, candidate.length) / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, n)
    .map(({ candidate }) => candidate);
}

function distanceTo(typed: string, candidate: string): number {
  if (typed.length >= 2 && (candidate.startsWith(typed) || candidate.split(" ").includes(typed))) return 0.5;
  return slips(typed, candidate);
}

/**
 * The number of letters to add, drop, change or swap with their neighbour. A swap counts as one: it is the commonest error, and
 * usual edit distance counts two.
 */
function slips(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line[column] = Math.min(
        (line[column - 1] ?? Infinity) + 1,
        (last[column] ?? Infinity) + 1,
        (last[column - 1] ?? Infinity) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    before = last;
    last = line;
  }
  return last[to.length] ?? Infinity;
}
