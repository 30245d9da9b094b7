/** A text taken apart: the words in which a thing may be named, in their order and each once, and the whole for names that are no word. */
export interface Words {
  words: string[];
  /** In lower case, each run of blanks as one. */
  whole: string;
}

/** A message is longer than that only where somebody pasted a log. */
const mostCharacters = 12_000;
const mostWords = 1_000;
/** Shorter names are too much like words of a sentence. */
const shortest = 2;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">" };

/**
 * Takes any text of Slack's apart, whatever its markup: every word as it stands, without the marks around it, and the parts of what
 * stands together (`instance=web-1:9100`, an address in the panel).
 */
export function wordsOf(text: string): Words {
  const plain = text
    .slice(0, mostCharacters)
    .normalize()
    .replace(/&(amp|lt|gt);/g, (_, entity: string) => entities[entity] ?? "")
    .replace(/\s+/g, " ");
  const words = new Set<string>();
  for (const piece of plain.split(/[\s<>|"'`“”„‘’«»()[\]{},;*~]+/)) {
    for (const word of [piece, ...piece.split(/[=/:@#&?]+/)]) {
      const bare = word.replace(/^[_.:!?…-]+|[_.:!?…-]+$/g, "");
      if (bare.length >= shortest) words.add(bare);
    }
    if (words.size > mostWords) break;
  }
  return { words: [...words].slice(0, mostWords), whole: plain.toLowerCase() };
}

/** What a name may hold that parts words, or ends them. */
const parting = /[\s<>|"'`“”„‘’«»()[\]{},;*~]|^[_.:!?…-]|[_.:!?…-]$/;

/** Whether a name that is no single word stands in a text (`whole`) as it is, and not within another word. */
export function standsIn(name: string, whole: string): boolean {
  if (!parting.test(name) || name.trim().length <= shortest) return false;
  const at = whole.indexOf(name.trim().replace(/\s+/g, " ").toLowerCase());
  if (at < 0) return false;
  const isPart = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_-]/u.test(char);
  return !isPart(whole[at - 1]) && !isPart(whole[at + name.trim().length]);
}
