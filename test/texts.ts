/** Words that the glossary replaced, and that mean nothing else in any text of the app. */
const bannedWords =
  "ring rings rang ringing news untold asker askers hearing heard sighting sightings lapsed lapses learnt unclear " +
  "wake-up wakeup sweep hand-over nowhere whatever whoever";

/** Phrases of common words that the glossary replaced. */
const bannedPhrases: readonly [string, RegExp][] = [
  ["sold on", /\b(sold|sell|sells|selling|resold) on(?! (the|a|an|any|this|\w+day)\b)/i],
  ["card of an event", /\bcard (of|for) (an|the|this) event\b/i],
  ["break the glass", /\b(broke|break|breaks|breaking|broken) the glass\b|\bbehind the glass\b/i],
  ["put off", /\bput(s|ting)? (it |this )?off\b/i],
  ["looks at", /\b(looks|looked|is looking|are looking) (at|for|after|round|until)\b/i],
  ["is told", /\b(is|are|was|were|be|been|being|not) told\b|\b(tells|telling)\b/i],
  ["is learnt", /\bis learned\b/i],
  ["holds from now", /\bholds? (from now|for|as long|only|again|still|until)\b|\bit holds\b|\bwhat holds\b/i],
  ["stands", /\bstands? (in|on|at|there|as|for|until|below|above|open)\b/i],
  ["let go", /\b(let|lets) (it |this )?go\b/i],
  ["say yes", /\bsays? yes\b/i],
  ["things", /\b(\d+|all|many|some|those|these|several|the|no) things?\b|\bthings? of yours\b/i],
  ["is wanted", /\b(is|was|were|are|still) wanted\b|\bwho wanted\b/i],
  ["what is asked", /\bwhat (is|was) (asked|wanted|to be done|known)\b/i],
  ["kept aside", /\b(kept aside|held back)\b/i],
];

/** Everything of which the app says how many there are, in the singular. */
const counted =
  "VPS machine server service snapshot backup image project order invoice request alert rule filter key member channel event call " +
  "command resource result page row day hour minute second admin approval webhook file folder schedule customer option watch " +
  "favourite upgrade document payment address password window disk move change report answer delivery copy entry reply";
const one = `(?:${counted.replaceAll(" ", "|")})`;
const many = `(?:${counted.replaceAll(/\w+/g, pluralOf).replaceAll(" ", "|")})`;

function pluralOf(noun: string): string {
  if (/[^aeo]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /[sh]$/i.test(noun) ? `${noun}es` : `${noun}s`;
}

export const asMachines = "a state as machines write it";

const faults: readonly [string, RegExp][] = [
  ...bannedWords.split(" ").map((word): [string, RegExp] => [`the word “${word}”`, new RegExp(`\\b${word}\\b`, "i")]),
  ...bannedPhrases.map(([phrase, pattern]): [string, RegExp] => [`the phrase “${phrase}”`, pattern]),
  // An id alone is a cell of its own, or a resource that has no name.
  ["an id in place of a name", /(?!^[0-9a-f-]{36}$)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i],
  [asMachines, /(?<![\w./@:=-])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w@:=/-]|\.\w)/],
  // Slack shows a moment in the reader's zone, and Rackbell writes it in theirs where Slack cannot.
  ["a time in UTC", /\d\d:\d\d UTC\b/],
  ["a plural of one", new RegExp(`(?<![\\d.,:/-])\\b1 ${many}\\b(?!')`)],
  ["a singular of many", new RegExp(`(?<![\\d.,:/-])\\b(?:0|[2-9]|\\d{2,}) ${one}\\b(?![-']| \\w+s\\b)`)],
];

/** A sentence that begins with its actor hidden; a question may. */
const nameless = /^(What|Whatever|Whoever|Where|Who) /;
const mostWords = 30;

/** The text as a reader hears it: code, links, times, mentions and emoji as one word each, quotes gone. */
function spoken(text: string): string {
  return text
    .replaceAll(/^(&gt;|>).*$/gm, "")
    .replaceAll(/```[\s\S]*?(```|$)/g, "X")
    .replaceAll(/`[^`\n]*`/g, "X")
    .replaceAll(/<!date\^\d+\^[^|<>]*\|[^<>]*>/g, "today")
    .replaceAll(/<[@#!][^<>]*>/g, "Ana")
    .replaceAll(/<(?:https?:|mailto:|slack:)[^<>|]*\|([^<>]*)>/g, "$1")
    .replaceAll(/<(?:https?:|mailto:)[^<>]*>|\bhttps?:\/\/\S+/g, "X")
    .replaceAll(/\[([^\]\n]*)\]\([^()\n]*\)/g, "$1")
    .replaceAll(/(?<![\p{L}\p{N}]):[a-z0-9_+-]+:/gu, "")
    .replaceAll(/“[^”\n]*”/g, "“X”")
    .replaceAll(/(?<!\w)[*_~]+|[*_~]+(?!\w)/g, "");
}

/** The sentences of a text; a line is one at least, and so is each part between dots in the middle. */
function sentencesIn(text: string): string[] {
  return spoken(text)
    .split(/\n|(?<=[.!?…][)”"]?)(?<!\b(?:excl|incl|approx)\.)\s+(?=[“"(]?[A-Z0-9ÄÖÜ])| · /)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Words that a reader has to hold in mind: an enumeration counts as its first two. */
function wordsIn(sentence: string): number {
  if (sentence.split(" ").length <= mostWords) return sentence.split(" ").length;
  const short = sentence.replaceAll(/((?:[^,\s]+ ?){1,4}, ){2,}(?:(?:and|or) )?/g, "$1");
  return (short.match(/[\p{L}\p{N}][^\s]*/gu) ?? []).length;
}

/** The faults of a text that people read, each with its sentence. */
export function faultsOf(text: string): string[] {
  return sentencesIn(text).flatMap((sentence) => {
    const found = faults.filter(([, pattern]) => pattern.test(sentence)).map(([name]) => name);
    if (nameless.test(sentence) && !sentence.includes("?")) found.push("a beginning that names nobody");
    if (wordsIn(sentence) > mostWords) found.push(`${wordsIn(sentence)} words`);
    return found.map((name) => `${name}: ${sentence}`);
  });
}

/** The longest sentences of texts, so that a person can read them now and then. */
export function longestIn(texts: Iterable<string>, most: number): string[] {
  const sentences = [...new Set([...texts].flatMap(sentencesIn))];
  const measured = sentences.map((sentence) => ({ sentence, words: wordsIn(sentence) }));
  return measured
    .sort((a, b) => b.words - a.words)
    .slice(0, most)
    .map(({ sentence, words }) => `${words} words: ${sentence}`);
}
