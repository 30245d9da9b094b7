/** One word of a command. `equals`: position of its first unquoted `=`, or -1. `quoted`: a part of it was in quotes. */
export interface Token {
  text: string;
  equals: number;
  quoted: boolean;
  /** Its characters as they were typed, with the quotes. */
  typed: string;
}

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
  let token: (Omit<Token, "typed"> & { from: number }) | undefined;
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

  function add(to: { text: string }, char: string): void {
    to.text += char;
    last = char;
  }

  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (closers === undefined && separator.test(char)) {
      end(at);
      continue;
    }
    token ??= { text: "", equals: -1, quoted: false, from: at };
    if (fenced !== undefined) {
      if (text.startsWith(fence, at)) {
        token.text = token.text.slice(0, fenced) + token.text.slice(fenced).trim();
        last = token.text.slice(-1);
        [closers, fenced] = [undefined, undefined];
        at += fence.length - 1;
      } else add(token, char);
      continue;
    }
    if (closers !== undefined) {
      if (char === "\\" && next !== "" && (next === "\\" || closers.includes(next))) {
        add(token, next);
        at += 1;
      } else if (closers.includes(char) && closes(char, next, separator)) {
        closers = undefined;
      } else {
        add(token, char);
      }
      continue;
    }
    const family = familyOf.get(char);
    const isFirst = token.from === at;
    const opens = family !== undefined && (!betweenWords.includes(family) || isFirst || last === "=" || last === ":");
    if (opens) {
      closers = family;
      token.quoted = true;
      if (text.startsWith(fence, at)) {
        fenced = token.text.length;
        at += fence.length - 1;
      }
    } else {
      if (char === "=" && token.equals === -1) token.equals = token.text.length;
      add(token, char);
    }
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
