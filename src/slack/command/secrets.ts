import type { Token } from "./tokenize.ts";

/** What a member may have typed where everybody's logs can see it. */
export type SecretKind =
  | "customer key"
  | "reseller key"
  | "Slack token"
  | "signing secret"
  | "private key"
  | "password";

const material: { kind: SecretKind; pattern: RegExp }[] = [
  { kind: "customer key", pattern: /fbk_[\w-]{9,}/i },
  { kind: "reseller key", pattern: /rsk_[\w-]{9,}/i },
  { kind: "Slack token", pattern: /xox[a-z](\.xox[a-z])?-[\w%-]{4,}|xapp-[\w%-]{4,}/i },
  { kind: "signing secret", pattern: /[0-9a-f]{48,}/i },
];

const passwordName = String.raw`(?:password|passphrase|passwd|secret|(?<![\p{L}\p{N}])(?:pass|pwd|token|api[_-]?key))\d*`;
const given = new RegExp(String.raw`${passwordName}\s*[=:]\s*(.*)`, "isu");
const announced = new RegExp(`${passwordName}$`, "iu");

/**
 * The tokens that hold no secret, and the kinds of those that do, each once. A token goes as a whole, so no part of a secret stays. What
 * an argument among `digests` asks for is none.
 */
export function withoutSecrets(
  tokens: Token[],
  digests: readonly string[] = [],
): { tokens: Token[]; secrets: SecretKind[] } {
  const kept: Token[] = [];
  const secrets = new Set<SecretKind>();
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    const next = tokens[at + 1];
    if (isDigest(token, digests)) {
      kept.push(token);
      continue;
    }
    if (/PRIVATE KEY\b/.test(`${token.text} ${next?.text}`)) {
      secrets.add("private key");
      break; // its lines follow, and they look like anything
    }
    const kind = material.find(({ pattern }) => pattern.test(token.text))?.kind;
    if (kind) {
      secrets.add(kind);
      // A key that was broken over a line: its rest follows.
      while (/^([0-9a-f_]{8,}|\w{24,})$/i.test(tokens[at + 1]?.text ?? "")) at += 1;
      continue;
    }
    const taken = passwordIn(tokens.slice(at, at + 3));
    if (taken > 0) {
      secrets.add("password");
      at += taken - 1;
      continue;
    }
    kept.push(token);
  }
  return { tokens: kept, secrets: [...secrets] };
}

function isDigest({ text, equals }: Token, digests: readonly string[]): boolean {
  const name = text.slice(0, Math.max(0, equals)).toLowerCase().replace(/^--?/, "");
  return digests.includes(name) && /^[0-9a-f]{64}$/i.test(text.slice(equals + 1));
}

/** How many of the tokens a password takes: `password=x`, `password= x`, `password =x`, `password = x`; 0 when there is none. */
function passwordIn([first, second, third]: Token[]): number {
  if (!first) return 0;
  const inOne = given.exec(first.text);
  if (inOne) return inOne[1] || first.quoted || !second ? 1 : 2;
  if (!second || !announced.test(first.text) || !/^[=:]/.test(second.text)) return 0;
  return second.text.length > 1 || !third ? 2 : 3;
}
