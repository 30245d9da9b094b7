import { pairIn, tokenize } from "../../operation/tokenize.ts";
import { readPlainText } from "./plain-text.ts";
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
