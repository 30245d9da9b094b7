const REMOVED = "[removed]";

/** `text` without the secrets: a platform may echo what it was sent. */
export function conceal(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}

/** What must never be repeated of a call: its key, the key's secret part, and whatever in its body is named like a secret. */
export function secretsOf(key: string, body: unknown): string[] {
  const secretPart = key.slice(key.lastIndexOf("_") + 1);
  return [key, secretPart, ...secretsIn(body)].filter((secret) => secret.length >= 4);
}

function secretsIn(value: unknown, named = false): string[] {
  if (typeof value === "string") return named ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, named || namesSecret(name)));
}

const secretName =
  /(password|passwd|passphrase|passcode|secret|token|ticket|credential|privatekey|apikey|accesskey)s?$|^pass$/i;

/** Whether a field of this name holds a secret, or several: `password`, `rfb_password`, `tokens`; not `tokenExpiresAt`. */
export function namesSecret(name: string): boolean {
  return secretName.test(name.replaceAll(/[^a-z]/gi, ""));
}

/** A copy of a low-level error that keeps its name, code, stack and causes and nothing else: such errors may carry raw bytes of the conversation. */
export function bare(error: unknown, secrets: readonly string[], depth = 0): Error {
  if (!(error instanceof Error)) return new Error(conceal(String(error), secrets));
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const cause = inner === undefined || depth >= 4 ? undefined : bare(inner, secrets, depth + 1);
  const copy = new Error(conceal(error.message, secrets), cause ? { cause } : undefined);
  copy.name = error.name;
  copy.stack = conceal(error.stack ?? "", secrets);
  if ("code" in error && typeof error.code === "string") Object.assign(copy, { code: error.code });
  return copy;
}
