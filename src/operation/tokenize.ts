/** One word of a command. `equals`: position of its first unquoted `=`, or -1. `quoted`: a part of it was in quotes. */
export interface Token {
  text: string;
  equals: number;
  quoted: boolean;
  /** Its characters as they were typed, with the quotes. */
  typed: string;
}

/** A token that is being read, from that place. */
type OpenToken = Omit<Token, "typed"> & { from: number };

const apostrophes = "'‘’‚‛";
/** Inside a word these are characters like any other. */
const betweenWords = [apostrophes, "`"];
// Phones and keyboards of other languages close with any mark of the same family: “a”, „a“, ”a”, »a«, "a”.
// Code marks do the same: that is how names and commands look where they are copied from.
const families = ['"“”„‟', "«»", ...betweenWords];
const familyOf = new Map(families.flatMap((marks) => Array.from(marks, (mark) => [mark, marks] as const)));

/** Slack's mark of a block of code, which it also puts on lines of their own around the text. */
const fence = "```";

/**
 * Splits a text as a shell does: blanks separate, quotes join, a backslash in quotes escapes a quote or a backslash. A block of code is one
 * more pair of quotes, without the blanks at its ends.
 */
export function tokenize(text: string, separator = /\s/): { tokens: Token[]; unterminated: boolean } {
  const tokens: Token[] = [];
  let token: OpenToken | undefined;
  let closers: string | undefined;
  let fenced: number | undefined;
  /** The last character of the token. Asking the token's text for its end would copy a long word at each character. */
  let last = "";

  function end(at: number): void {
    if (!token) return;
    const { from, ...read } = token;
    tokens.push({ ...read, typed: text.slice(from, at) });
    token = undefined;
    last = "";
  }

  // Each of these reads at a place, and returns the place behind what it read.

  function add(to: OpenToken, at: number): number {
    last = text.charAt(at);
    to.text += last;
    return at + 1;
  }

  /** In a block of code, which began at that length of the token's text. */
  function readFenced(to: OpenToken, at: number, began: number): number {
    if (!text.startsWith(fence, at)) return add(to, at);
    to.text = to.text.slice(0, began) + to.text.slice(began).trim();
    last = to.text.slice(-1);
    [closers, fenced] = [undefined, undefined];
    return at + fence.length;
  }

  /** In quotes, which each of these marks closes. */
  function readQuoted(to: OpenToken, at: number, marks: string): number {
    const [char, next] = [text.charAt(at), text.charAt(at + 1)];
    const isEscape = char === "\\" && next !== "" && (next === "\\" || marks.includes(next));
    if (isEscape) return add(to, at + 1);
    if (!marks.includes(char) || !closes(char, next, separator)) return add(to, at);
    closers = undefined;
    return at + 1;
  }

  function readBare(to: OpenToken, at: number): number {
    const char = text.charAt(at);
    const family = familyOf.get(char);
    const isBegun = to.from !== at && last !== "=" && last !== ":";
    if (family === undefined || (isBegun && betweenWords.includes(family))) {
      if (char === "=" && to.equals === -1) to.equals = to.text.length;
      return add(to, at);
    }
    closers = family;
    to.quoted = true;
    if (!text.startsWith(fence, at)) return at + 1;
    fenced = to.text.length;
    return at + fence.length;
  }

  function read(to: OpenToken, at: number): number {
    if (fenced !== undefined) return readFenced(to, at, fenced);
    return closers === undefined ? readBare(to, at) : readQuoted(to, at, closers);
  }

  for (let at = 0; at < text.length; ) {
    if (closers === undefined && separator.test(text.charAt(at))) {
      end(at);
      at += 1;
      continue;
    }
    token ??= { text: "", equals: -1, quoted: false, from: at };
    at = read(token, at);
  }
  end(text.length);
  return { tokens, unterminated: closers !== undefined };
}

/** False for an apostrophe inside a word. */
function closes(mark: string, next: string, separator: RegExp): boolean {
  return !apostrophes.includes(mark) || next === "" || separator.test(next);
}

/** The name and the value of a `name=value`; null for any other word. Phones join two dashes before a name into one. */
export function pairIn({ text, equals }: Token): { name: string; value: string } | null {
  const name = text
    .slice(0, Math.max(0, equals))
    .toLowerCase()
    .replace(/^(--?|[—–])/, "");
  return /^[a-z][a-z0-9_-]*$/.test(name) ? { name, value: text.slice(equals + 1) } : null;
}

// A comma separates names in some inputs.
const misread = new RegExp(`^$|^[—–]|[\\s=,${families.join("")}]`);

/** Text that the tokenizer reads as the one word `value`. */
export function quoted(value: string): string {
  return misread.test(value) ? `"${value.replace(/[\\"“”„‟]/g, "\\$&")}"` : value;
}
