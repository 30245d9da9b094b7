import type { Request } from "../../src/requests/request.ts";
import { unknownFactsMissing } from "../unknown-facts.ts";
import type { Shown } from "./world.ts";

/** Machine texts that no person reads: values that are none, objects as text, and the words of a parser or a stack. */
const machineWords: readonly [string, RegExp][] = [
  ["a value that is none", /(?<![\w.`-])(?:undefined|NaN|Infinity)(?![\w`-])|(?<![\w.`-])null(?![\w`-])/],
  ["an object as text", /\[object \w+\]/],
  [
    "the words of a parser",
    /ZodError|invalid_type|[Ii]nvalid input|expected \w+, received|Unexpected token|JSON at position/,
  ],
  ["a stack", /\bat \S+ \(|\.ts:\d+|node:internal|(?:Type|Range|Syntax|Reference)Error\b/],
  ["a fault of Rackbell's own", /Something went wrong inside Rackbell/],
];

/** Words with which a sentence says that something is not known, or that an answer could not be read. */
const saysUnknown =
  /\bunknown\b|^:greyquestion:|\bfinds no\b|^Give its|^Did you mean|^Nothing was done\.$|\bnot readable\b|^(?:State|Details|Project|Name)$|\bunclear\b|does not (?:say|show|name|know|describe)|did not (?:say|show|name)|(?:cannot|could not|can not) (?:be )?(?:read|check|tell|see|find|compare|say|know|reached|follow)|not known|unreadable|no answer|does not follow its contract|names? no |shows? (?:no(?:thing)? |whether )|nothing to show|of unnamed kind|\bmaybe\b|names? none|strange value|says? nothing|not (?:shown|named)|may (?:still )?(?:be|have|lose|cost|hold|need)|Try again|took too long|Look at it|at least|nobody (?:knows|can tell)/i;

/** The frame of a card or a form, which claims nothing of a resource: it has other parts where there is more or less to show. */
const frame =
  /^(?:Details…|asked by|Values that will be sent|More information|If one of these changes|Details has|See Details|Only <@\S+> can press|Keep |Find an? |Leave it empty|Slack does not hide|Empty: now|Correct it…|Added$|Reveal$|Rows$|Show (?:the service|it)$|TIME$|Last figure, TIME: |<@\S+> asks to|Host name: |[Ii]d:? [0-9a-f]{8}\.?$)/;

/** A figure with its unit, which claims nothing by itself: a chart became a table. */
const figure = /^[\d.,]+ ?(?:%|[kMGT]?i?B|[kMGT]?bit\/s)?$/;

/** Words that deny something: in a sentence that is new, they may come from a field that is missing. */
const denies =
  /\b(?:no|not|none|never|nothing|nobody|without|free|off|only|empty|zero|all|every|unlimited|cannot)\b|(?<![\w.,:-])0(?![\da-f.,:-])/i;

/** The findings of one case: each a kind and a sentence. */
export interface Finding {
  kind:
    | "machine words"
    | "said of nothing"
    | "left out"
    | "no answer"
    | "secret"
    | "twice"
    | "untrue"
    | "memory"
    | "calls"
    | "time"
    | "crash";
  text: string;
}

/** The sentences of texts, without times, marks and figures that differ at each reading. */
function sentencesOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    text
      .replaceAll(/<!date\^\d+\^[^|<>]*\|[^<>]*>/g, "TIME")
      .replaceAll(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?(?: UTC)?)?/g, "TIME")
      .split(/\n|(?<=[.!?]) (?=[A-Z`*“:])| · /)
      // A mark claims nothing that the words beside it do not say, but for the one of what is unknown.
      .map((sentence) =>
        sentence
          .replace(/^:(?!grey_question:)[a-z_]+: /, "")
          .replaceAll(/[*_`~]/g, "")
          .trim(),
      )
      .filter(Boolean),
  );
}

/** Machine words in what is shown, other than those that the platform itself wrote. */
export function machineWordsIn(texts: readonly string[], platform: string): Finding[] {
  return texts.flatMap((text) =>
    machineWords.flatMap(([what, pattern]): Finding[] => {
      const found = pattern.exec(text);
      if (!found || platform.includes(found[0])) return [];
      const around = text.slice(Math.max(0, found.index - 80), found.index + 80).replaceAll(/\s+/g, " ");
      return [{ kind: "machine words", text: `${what}: ${around}` }];
    }),
  );
}

const wordsOf = (sentence: string) =>
  (sentence.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.,'@/-]*/gu) ?? []).map((word) => word.replace(/[.,']$/, ""));

/** The sentences of the usual answers, all words in them and in what the platform sent, and its fields that are true or false. */
export interface Usual {
  sentences: ReadonlySet<string>;
  words: ReadonlySet<string>;
  flags: ReadonlyMap<string, ReadonlySet<string>>;
}

export function usualOf(shown: readonly Shown[], platform: string): Usual {
  const sentences = shown.flatMap(({ texts }) => sentencesOf(texts));
  // The words of a key, as a label has them.
  const labels = platform.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
  const words = [...sentences, platform, labels].flatMap(wordsOf);
  const flagged = (value: boolean) =>
    new Set([...platform.matchAll(new RegExp(`"(\\w+)":${value}`, "g"))].map(([, key = ""]) => lettersOf(key)));
  return {
    sentences: new Set(sentences),
    words: new Set(words),
    flags: new Map([
      ["yes", flagged(true)],
      ["no", flagged(false)],
    ]),
  };
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, "");

/** True for "KVM: no" or "owner yes", and for such a word in a cell, where the platform said so. */
function isStated(sentence: string, { flags }: Usual): boolean {
  const [, label, word = ""] = /^(?:(.*?):? )?(yes|no)$/.exec(sentence) ?? [];
  const keys = flags.get(word);
  return keys !== undefined && (label === undefined ? keys.size > 0 : keys.has(lettersOf(label)));
}

/** True for a word of the usual ones, or for the beginning of one: a name that was clipped, and the first digits of an id. */
function isUsualWord(word: string, { words }: Usual): boolean {
  // Figures are written with commas, and a label may write as two words what a key has in one.
  return (
    words.has(word) ||
    words.has(lettersOf(word)) ||
    (word.length >= 8 && [...words].some((one) => one.startsWith(word)))
  );
}

/**
 * Sentences that come only because a field says nothing, and that are definite. One that merely has less of the usual words is none of them.
 */
export function definiteSentences(usual: Usual, shown: Shown, isAllowed: (sentence: string) => boolean): Finding[] {
  const texts = new Set(sentencesOf(shown.texts).filter((one) => !usual.sentences.has(one)));
  return [...texts].flatMap((sentence): Finding[] => {
    if (saysUnknown.test(sentence) || frame.test(sentence) || isAllowed(sentence)) return [];
    if (!/\p{L}/u.test(sentence) || isStated(sentence, usual)) return [];
    // Not a zero: it may be what is left of a figure that is missing.
    if (figure.test(sentence) && !denies.test(sentence)) return [];
    const fresh = wordsOf(sentence).filter((word) => !isUsualWord(word, usual));
    if (fresh.length === 0 && !denies.test(sentence)) return [];
    return [{ kind: "said of nothing", text: sentence }];
  });
}

/** Facts that decide, which are neither there nor said to be unknown: the loss, the price, and all on which the decision rests. */
export function leftOut(usual: Request, shown: Shown): Finding[] {
  const { request } = shown;
  // Without a request nobody decides anything.
  if (!request) return [];
  const found: Finding[] = [];
  const say = (text: string) => found.push({ kind: "left out", text });
  const loss = request.review.loss.join(" ");
  const [usualLoss, newLoss] = [sentencesOf(usual.review.loss), sentencesOf(request.review.loss)];
  const isUnknown = saysUnknown.test(loss);
  for (const one of usualLoss)
    if (!newLoss.includes(one) && !isUnknown) say(`the loss “${one}” became “${newLoss.join(" ")}”`);
  const [before, after] = [usual.price, request.price].map(priceText);
  if (before !== after && request.price !== "unknown") say(`the price ${before} became ${after}`);
  for (const [key, { label, text }] of Object.entries(usual.review.preconditions)) {
    const now = request.review.preconditions[key];
    const words = now?.text ?? "";
    const isSame = now && sentencesOf([words]).join() === sentencesOf([text]).join();
    if (!isSame && !saysUnknown.test(words) && !(now === undefined && isUnknown))
      say(`${label} “${text}” became “${now ? words : "(gone)"}”`);
  }
  for (const fact of unknownFactsMissing(request, shown.card)) say(`the card does not say “${fact}”`);
  return found;
}

/** Two routes write the same amount with other decimals. */
function priceText(price: Request["price"]): string {
  if (price === null || price === "unknown") return String(price);
  return JSON.stringify({ ...price, amount: Number(price.amount) });
}

/** Sentences that a card has lost, where no new one says that something is unknown: a person decides without the fact. */
export function vanished(usual: Shown, shown: Shown): Finding[] {
  if (!shown.request) return [];
  const [before, now] = [sentencesOf(usual.card), new Set(sentencesOf(shown.card))];
  const lost = [...new Set(before)].filter((sentence) => !now.has(sentence) && !frame.test(sentence));
  const saysSo = [...now].some((sentence) => !before.includes(sentence) && saysUnknown.test(sentence));
  return saysSo
    ? []
    : lost.map((sentence): Finding => ({ kind: "left out", text: `the card no longer says “${sentence}”` }));
}
