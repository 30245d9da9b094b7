import type { PlainText } from "../../process/plain-text.ts";
import { asShown } from "../../views/text.ts";

/** A text split for a search of names: its distinct words in order, and the whole text for names that are not one word. */
export interface Words {
  words: string[];
  /** In lower case, each run of blanks as one. */
  whole: string;
}

const mostWords = 1_000;
/** Shorter names look too much like ordinary words. */
const shortest = 2;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">" };

/**
 * Splits any text from Slack, whatever its markup. Returns every word without the marks around it, and the parts of joined words
 * (`instance=web-1:9100`, an address in the panel).
 */
export function splitWords(text: string): Words {
  const plain = asShown(
    text.replace(/&(amp|lt|gt);/g, (_, entity: string) => entities[entity] ?? ""),
    "",
  );
  const words = new Set<string>();
  for (const piece of plain.split(/[\s<>|"'`“”„‘’«»()[\]{},;*~]+/)) {
    for (const word of [piece, ...piece.split(/[=/:@#&?]+/)]) {
      const bare = word.replace(/^[_.:!?…-]+|(?<![_.:!?…-])[_.:!?…-]+$/g, "");
      if (bare.length >= shortest) words.add(bare);
    }
    if (words.size > mostWords) break;
  }
  return { words: [...words].slice(0, mostWords), whole: plain.toLowerCase() };
}

/** Characters in a name that split words, or that are stripped from their ends. */
const parting = /[\s<>|"'`“”„‘’«»()[\]{},;*~]|^[_.:!?…-]|[_.:!?…-]$/;

const inWord = /[\p{L}\p{N}_-]/u;

/** True when a name that is not a single word occurs in a text (`whole`), and not inside another word. */
export function occursIn(name: PlainText, whole: string): boolean {
  const folded = asShown(name).toLowerCase();
  if (!parting.test(folded)) return false;
  if (folded.length <= shortest) return false;
  for (let at = whole.indexOf(folded); at >= 0; at = whole.indexOf(folded, at + 1)) {
    if (!inWord.test(whole[at - 1] ?? "") && !inWord.test(whole[at + folded.length] ?? "")) return true;
  }
  return false;
}
