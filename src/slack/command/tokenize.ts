/** One word of a command. `equals`: position of its first unquoted `=`, or -1. `quoted`: a part of it was in quotes. */
export interface Token {
  text: string;
  equals: number;
  quoted: boolean;
}

/** The text that the member saw: without Slack's escapes and links, without invisible characters, and with plain blanks. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/<([^<>]*)>|&(amp|lt|gt);/g, (_, link?: string, entity?: string) =>
      link === undefined ? (entities[entity ?? ""] ?? "") : typedLink(link),
    )
    .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, "")
    .replace(/[\u200c\u200d]+/g, (joiners, at: number, whole: string) =>
      // Joiners belong to emoji and Persian. Check both neighbours by hand: a lookahead would retry from each character of a long run.
      isBeyondAscii(whole[at - 1]) && isBeyondAscii(whole[at + joiners.length]) ? joiners : "",
    )
    .replace(/[^\S\n]/g, " ")
    .replace(/(?!\n)\p{Cc}/gu, "");
}

function isBeyondAscii(character = ""): boolean {
  return character > "\x7f";
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">" };

/** The typed text for the inside of Slack's angle brackets. */
function typedLink(inside: string): string {
  const bar = inside.indexOf("|");
  const target = withoutEntities(bar === -1 ? inside : inside.slice(0, bar));
  const label = bar === -1 ? "" : withoutEntities(inside.slice(bar + 1));
  if (/^[@#]/.test(target)) return target;
  if (target.startsWith("!subteam^")) return `@${target.slice("!subteam^".length)}`;
  if (target.startsWith("!")) return label || `@${target.slice(1)}`;
  if (/^(mailto|tel):/.test(target)) return label || target.replace(/^\w+:/, "");
  const address = target.replace(/^\w+:\/\//, "");
  const linkedBySlack =
    label !== "" && address.replace(/\/$/, "").toLowerCase() === label.replace(/\/$/, "").toLowerCase();
  return linkedBySlack ? label : target;
}

function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, entity: string) => entities[entity] ?? "");
}

const apostrophes = "'‘’‚‛";
/** Inside a word these are characters like any other. */
const betweenWords = [apostrophes, "`"];
// Phones and keyboards of other languages close with any mark of the same family: “a”, „a“, ”a”, »a«, "a”.
// Code marks do the same: that is how names and commands look where they are copied from.
const families = ['"“”„‟', "«»", ...betweenWords];
const familyOf = new Map(families.flatMap((marks) => Array.from(marks, (mark) => [mark, marks] as const)));

/** Splits a text as a shell does: blanks separate, quotes join, a backslash in quotes escapes a quote or a backslash. */
export function tokenize(text: string): { tokens: Token[]; unterminated: boolean } {
  const tokens: Token[] = [];
  let token: Token | undefined;
  let closers: string | undefined;

  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (closers !== undefined) {
      token ??= { text: "", equals: -1, quoted: true };
      if (char === "\\" && next !== "" && (next === "\\" || closers.includes(next))) {
        token.text += next;
        at += 1;
      } else if (closers.includes(char) && closes(char, next)) {
        closers = undefined;
      } else {
        token.text += char;
      }
    } else if (/\s/.test(char)) {
      if (token) tokens.push(token);
      token = undefined;
    } else {
      const family = familyOf.get(char);
      const opens =
        family !== undefined &&
        (!betweenWords.includes(family) || !token || token.text.endsWith("=") || token.text.endsWith(":"));
      token ??= { text: "", equals: -1, quoted: false };
      if (opens) {
        closers = family;
        token.quoted = true;
      } else {
        if (char === "=" && token.equals === -1) token.equals = token.text.length;
        token.text += char;
      }
    }
  }
  if (token) tokens.push(token);
  return { tokens, unterminated: closers !== undefined };
}

/** False for an apostrophe inside a word. */
function closes(mark: string, next: string): boolean {
  return !apostrophes.includes(mark) || next === "" || /\s/.test(next);
}

/** `value` as it must be typed to be parsed as one word. */
export function quoted(value: string): string {
  const bare = value !== "" && /^[\p{L}\p{N}_.:/@#-]+$/u.test(value);
  const typed = bare ? value : `"${value.replace(/[\\"“”„‟]/g, "\\$&")}"`;
  return typed.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
