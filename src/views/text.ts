import { characters, invisible, type PlainText, plainly } from "../process/plain-text.ts";

/** Escapes Slack's markup, so that foreign text cannot mention or link. */
export function escapeText(text: PlainText): string {
  return characters(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Foreign text as inline code: it cannot mention, link or format, and is easy to copy. */
export function code(text: PlainText, most = 100): string {
  // A backtick would end the code; a similar character keeps the name readable.
  return `\`${escapeText(clip(oneLine(text), most)).replaceAll("`", lookAlike)}\``;
}

/**
 * Foreign text as one escaped line. Marks that could format or make an emoji become similar characters. A mark inside a word
 * ("legacy_import") stays, so that it can be copied.
 */
export function prose(text: PlainText, most = 500): string {
  const line = characters(clip(oneLine(text, "(no text)"), most))
    .replace(/^>/, lookAlike)
    .replaceAll(/(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/gu, lookAlike)
    .replaceAll("`", lookAlike)
    .replaceAll(/(?<![0-9a-f:]):(?=[a-z0-9_+'-]+:)/gi, lookAlike);
  return escapeText(line);
}

const lookAlikes = new Map([..."*∗ _＿ ~∼ `ˋ :∶ >›".split(" ")].map(([mark = "", like = ""]) => [mark, like]));
const markOf = new Map([...lookAlikes].map(([mark, like]) => [like, mark]));

function lookAlike(mark: string): string {
  return lookAlikes.get(mark) ?? mark;
}

/** Folds white space, and removes invisible characters and those that change the direction of writing. `none` stands for an empty text. */
export function oneLine(text: PlainText, none = "(no name)"): PlainText {
  const shown = characters(text)
    .replaceAll(invisible, "")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s\u2800]+/gu, " ");
  return shown.trim() || none;
}

/**
 * A text as people read it, wherever two are compared: else a name copied from a message would be the name of another machine, one with
 * an invisible character or a double blank in it.
 */
export function asShown(text: PlainText, none?: string): string {
  return characters(oneLine(text, none))
    .normalize()
    .replaceAll(/[∗＿∼ˋ∶›]/g, (like) => markOf.get(like) ?? like);
}

/** The platform's own reason as a sentence after a colon; says so where it gave none. */
export function reasonWords(reason: PlainText | null | undefined, most = 500): string {
  const given = characters(oneLine(reason ?? "", ""));
  return given === "" ? "the platform gave no reason." : sentence(prose(given, most));
}

/** At most `most` whole characters, with an ellipsis if text was cut. */
export function clip(text: string, most: number): string;
export function clip(text: PlainText, most: number): PlainText;
export function clip(text: PlainText, most: number): PlainText {
  const whole = characters(text);
  if (whole.length <= most) return text;
  let kept = "";
  for (const character of whole) {
    if (kept.length + character.length > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** `clip` for mrkdwn: cuts no date, mention or escape in two, and closes code. */
export function clipMarkup(text: string, most: number): string {
  if (text.length <= most) return text;
  const whole = clip(text, most - 1)
    .slice(0, -1)
    .replace(/(<[^<>]*|&[a-z]*)$/, "");
  const open = (whole.match(/`/g) ?? []).length % 2 === 1;
  return `${whole}…${open ? "`" : ""}`;
}

/**
 * The app's mrkdwn as plain text, for elements and files without markup. Slack converts no time there, so each names its zone: two times of
 * one message must not read alike. The inside of code is a name or a value, and loses no character:
 * an IPv6 address without a group that reads as an emoji is that of another machine. `reference` puts words for a mention or a link.
 */
export function unmarked(text: string, reference: (whole: string) => string = (whole) => whole): string {
  return text
    .replaceAll(
      marks,
      (whole: string, inside?: string, fallback?: string) =>
        inside ?? fallback ?? (whole.startsWith("<") ? reference(whole) : ""),
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

const codeMark = /`([^`]*)`?/u;
const dateMark = /<!date\^\d+\^[^|<>]*\|([^<>]*)>/u;
const referenceMark = /<[^<>]*>/u;
// These two are those that `prose` would change in foreign text.
const boldMark = /(?<![\p{L}\p{N}])\*|\*(?![\p{L}\p{N}])/u;
const emojiMark = /(?<![\p{L}\p{N}:]):[a-z_]+: ?/u;
const marks = anyOf(codeMark, dateMark, referenceMark, boldMark, emojiMark);

/** A pattern that finds all of these; at one place the first that matches counts. */
export function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "gu");
}

/** "running · 10.0.0.1": the parts that there are, on one line. */
export function dotted(parts: readonly (string | false | null | undefined)[]): string;
export function dotted(parts: readonly (PlainText | false | null | undefined)[]): PlainText;
export function dotted(parts: readonly (PlainText | false | null | undefined)[]): PlainText {
  return parts.filter((part) => part).join(" · ");
}

/** "a", "a and b", "a, b and c". */
export function listing(items: string[], word?: string): string;
export function listing(items: PlainText[], word?: string): PlainText;
export function listing(items: PlainText[], word = "and"): PlainText {
  if (items.length < 2) return items.join("");
  return plainly`${items.slice(0, -1).join(", ")} ${word} ${items.at(-1) ?? ""}`;
}

/** "a, b and 3 more": the first items, and the number of the others; with a noun, "a, b and 3 rows". */
export function listingOf(items: readonly string[], most: number, noun?: string): string {
  const left = items.length - most;
  if (left <= 0) return listing([...items]);
  return listing([...items.slice(0, most), noun === undefined ? `${left} more` : count(left, noun)]);
}

/** "a VPS", "an image", "an SSH key". Some letters are spoken with a vowel first. */
export function withArticle(noun: string): string {
  const [first = ""] = noun.replace(/^[`*“"]+/, "").split(/[\s-]/);
  const isSpelt = /^[A-Z]{2,}s?$/.test(first);
  const isVowel = isSpelt ? /^[AEFHILMNORSX]/.test(first) : /^(?!uni|use|uuid|euro|one)[aeiou]/i.test(first);
  return `${isVowel ? "an" : "a"} ${noun}`;
}

/** "1 VPS", "3 snapshots". */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? one : many}`;
}

/** The text with its first letter as a capital: "Snapshot delete". */
export function capital(text: string): string;
export function capital(text: PlainText): PlainText;
export function capital(text: PlainText): PlainText {
  const whole = characters(text);
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** The text with its first letter small, to follow other words. */
export function lowerFirst(text: string): string;
export function lowerFirst(text: PlainText): PlainText;
export function lowerFirst(text: PlainText): PlainText {
  const whole = characters(text);
  return whole.charAt(0).toLowerCase() + whole.slice(1);
}

/** A verb in its third person, with the words behind it: "Change package of" becomes "changes package of". */
export function thirdPerson(verb: PlainText): PlainText {
  const [first = "", ...rest] = characters(lowerFirst(verb)).split(" ");
  const ending = /(?:s|x|ch|sh)$/.test(first) ? "es" : "s";
  return [`${first}${ending}`, ...rest].join(" ");
}

/** The text with a full stop, unless it ends with one of its own. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Joins pieces in order, as many as fit into `most` characters. A piece that is longer alone stays whole. */
export function packed(pieces: readonly string[], joiner: string, most: number): string[] {
  const texts: string[] = [];
  for (const piece of pieces) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + joiner.length + piece.length <= most)
      texts[texts.length - 1] = `${last}${joiner}${piece}`;
    else texts.push(piece);
  }
  return texts;
}

/** Ends of sentences, lines and items of a list. */
const ends = /(?<=\n|[.!?,;] | · )/;

/**
 * A text in parts of at most `most` characters, each of which ends with a sentence, a line or an item. No part ends within code or a
 * reference. A single item that is longer stays whole.
 */
export function intoParts(text: string, most: number): string[] {
  if (text.length <= most) return [text];
  const items: string[] = [];
  let inCode = false;
  let inReference = false;
  for (const item of text.split(ends)) {
    if (inCode || inReference) items.push(`${items.pop() ?? ""}${item}`);
    else items.push(item);
    if (item.split("`").length % 2 === 0) inCode = !inCode;
    if (/[<>]/.test(item)) inReference = item.lastIndexOf("<") > item.lastIndexOf(">");
  }
  return packed(items, "", most).map((part) => part.trim());
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
