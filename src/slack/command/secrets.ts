import { pairIn, type Token } from "../../operation/tokenize.ts";
import { keyCharacter } from "../../process/secret-parts.ts";

/** Kinds of secrets that a member may have typed where others can read them. */
export type SecretKind =
  | "customer key"
  | "reseller key"
  | "Slack token"
  | "Rackbell token"
  | "signing secret"
  | "private key"
  | "password";

const material: { kind: SecretKind; pattern: RegExp }[] = [
  { kind: "customer key", pattern: new RegExp(`fbk_${keyCharacter}{9,}`, "i") },
  { kind: "reseller key", pattern: new RegExp(`rsk_${keyCharacter}{9,}`, "i") },
  { kind: "Slack token", pattern: /xox[a-z](\.xox[a-z])?-[\w%-]{4,}|xapp-[\w%-]{4,}/i },
  { kind: "Rackbell token", pattern: /rba_[\w-]{9,}/i },
  { kind: "signing secret", pattern: /[0-9a-f]{48,}/i },
];

/** A part of a key after a line break. */
const brokenRest = new RegExp(`^([0-9a-f_]{8,}|${keyCharacter}{24,})$`, "i");

const passwordName = String.raw`(?:password|passphrase|passwd|secret|(?<![\p{L}\p{N}])(?:pass|pwd|token|api[_-]?key))\d*`;
const given = new RegExp(String.raw`${passwordName}\s*[=:]\s*(.*)`, "isu");
const announced = new RegExp(`${passwordName}$`, "iu");

/**
 * Splits tokens: those without a secret, and the kinds of secrets in the others. A token is dropped whole, so that no part of a secret
 * stays. Values of arguments in `digests` count as no secret.
 */
export function splitSecrets(
  tokens: Token[],
  digests: readonly string[] = [],
): { tokens: Token[]; secrets: SecretKind[] } {
  const clean: Token[] = [];
  const secrets = new Set<SecretKind>();
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    const next = tokens[at + 1];
    if (isDigest(token, digests)) {
      clean.push(token);
      continue;
    }
    if (/PRIVATE KEY\b/.test(`${token.text} ${next?.text}`)) {
      secrets.add("private key");
      break; // its lines follow, and they look like anything
    }
    const kind = material.find(({ pattern }) => pattern.test(token.text))?.kind;
    if (kind) {
      secrets.add(kind);
      // Drop the rest of a key that was broken over several lines.
      while (brokenRest.test(tokens[at + 1]?.text ?? "")) at += 1;
      continue;
    }
    const taken = passwordIn(tokens.slice(at, at + 3));
    if (taken > 0) {
      secrets.add("password");
      at += taken - 1;
      continue;
    }
    clean.push(token);
  }
  return { tokens: clean, secrets: [...secrets] };
}

function isDigest(token: Token, digests: readonly string[]): boolean {
  const pair = pairIn(token);
  return pair !== null && digests.includes(pair.name) && /^[0-9a-f]{64}$/i.test(pair.value);
}

/** The number of tokens that a password takes: `password=x`, `password= x`, `password =x`, `password = x`; 0 if there is none. */
function passwordIn([first, second, third]: Token[]): number {
  if (!first) return 0;
  const inOne = given.exec(first.text);
  if (inOne) return inOne[1] || first.quoted || !second ? 1 : 2;
  if (!second || !announced.test(first.text) || !/^[=:]/.test(second.text)) return 0;
  return second.text.length > 1 || !third ? 2 : 3;
}
