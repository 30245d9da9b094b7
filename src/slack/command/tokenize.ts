/** One word as the member meant it. `equals` is where its first unquoted `=` stands, or -1; `quoted` says that a part of it was in quotes. */
export interface Token {
  text: string;
  equals: number;
  quoted: boolean;
}

/** What was on the member's screen: Slack's escapes and links undone, unseen characters gone, every blank a plain one. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/<([^<>]*)>|&(amp|lt|gt);/g, (_, link?: string, entity?: string) =>
      link === undefined ? (entities[entity ?? ""] ?? "") : typedLink(link),
    )
    .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, "")
    .replace(/(?<![^\0-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\0-\x7f])/g, "") // emoji and Persian need theirs
    .replace(/[^\S\n]/g, " ")
    .replace(/(?!\n)\p{Cc}/gu, "");
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">" };

/** The inside of Slack's angle brackets -> what was typed to get it. */
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

// Phones and keyboards of other languages close with any mark of the same family: “a”, „a“, ”a”, »a«, "a”.
const families = ['"“”„‟', "«»", "'‘’‚‛"];
const apostrophes = families[2] ?? "";
/** What means itself wherever it stands: in most commands, all of each word. */
const plain = /[^\s="“”„‟«»'‘’‚‛\\]+/y;

/** Shell-like: blanks part, quotes join, a backslash in quotes keeps a quote or a backslash. */
export function tokenize(text: string): { tokens: Token[]; unterminated: boolean } {
  const tokens: Token[] = [];
  let token: Token | undefined;
  let closers: string | undefined;

  for (let at = 0; at < text.length; at += 1) {
    plain.lastIndex = at;
    const run = plain.exec(text)?.[0];
    if (run) {
      token ??= { text: "", equals: -1, quoted: closers !== undefined };
      token.text += run;
      at = plain.lastIndex - 1;
      continue;
    }
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
      const family = families.find((marks) => marks.includes(char));
      const opens = family !== undefined && (family !== apostrophes || !token || /[=:]$/.test(token.text));
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

/** An apostrophe inside a word ends nothing. */
function closes(mark: string, next: string): boolean {
  return !apostrophes.includes(mark) || next === "" || /\s/.test(next);
}

/** `value` as it must be typed to be read as one word again. */
export function quoted(value: string): string {
  const bare = value !== "" && /^[\p{L}\p{N}_.:/@#-]+$/u.test(value);
  const typed = bare ? value : `"${value.replace(/[\\"“”„‟]/g, "\\$&")}"`;
  return typed.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
