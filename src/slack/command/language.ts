import { pairIn, tokenize } from "../../operation/tokenize.ts";
import { type SecretKind, splitSecrets } from "./secrets.ts";

/** A parsed slash command. */
export interface Command {
  /** The words in order, without quotes: verbs, then a target. */
  words: string[];
  /** The `name=value` pairs, names in lower case. */
  values: Record<string, string>;
  /** All of it in the order and the quotes in which it was typed. `word`: its index in `words`; null for a value. */
  parts: { typed: string; word: number | null }[];
  /** Kinds of secrets in the text. The secrets themselves are in no other field, so they are never used. */
  secrets: SecretKind[];
  /** Errors, each a sentence for the member. */
  problems: string[];
}

/**
 * Parses the `text` of a slash command, as Slack sends it with `should_escape`. Accepts any text and never throws. `digests`: arguments
 * whose values may be 64 hexadecimal digits.
 */
export function readCommand(text: string, digests: readonly string[] = []): Command {
  const { tokens: typed, unterminated } = tokenize(readPlainText(text));
  const { tokens, secrets } = splitSecrets(typed, digests);
  const words: string[] = [];
  const values = new Map<string, string>();
  const parts: Command["parts"] = [];
  const problems: string[] = [];

  if (unterminated) problems.push("A quotation mark was opened and never closed. Close it, or leave it out.");
  tokens.forEach((token, index) => {
    const pair = index === 0 ? null : pairIn(token);
    parts.push({ typed: token.typed, word: pair ? null : words.length });
    if (!pair) {
      words.push(token.quoted ? token.text : token.text.replace(/^[—–](?=\p{L})/u, "--"));
    } else if (values.has(pair.name)) {
      problems.push(`${pair.name} is given twice. Give it once.`);
    } else if (pair.value === "" && !token.quoted) {
      problems.push(`${pair.name} has no value. Write ${pair.name}=value, without blanks round the equals sign.`);
    } else {
      values.set(pair.name, pair.value);
    }
  });
  if (tokens.some((token) => token.equals === 0)) {
    problems.push("There is a blank before an equals sign. Write name=value, without blanks round the equals sign.");
  }
  return { words, values: Object.fromEntries(values), parts, secrets, problems };
}

/** The kinds of secret in any text that a member wrote, each once. */
export function findSecrets(text: string): SecretKind[] {
  return splitSecrets(tokenize(readPlainText(text)).tokens).secrets;
}

/** The text that the member saw: without Slack's escapes and links, without invisible characters, and with plain blanks. */
export function readPlainText(text: string): string {
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
