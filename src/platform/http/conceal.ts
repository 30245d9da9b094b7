import { partSecrets } from "../../process/secret-parts.ts";

const REMOVED = "[removed]";

/** `text` with each secret removed, since the platform may echo the request in its answer. */
export function conceal(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}

/** The secrets of one call that no log or error may repeat: its key, the key's last part, and secrets in the body. */
export function secretsOf(key: string, body: unknown): string[] {
  const secretPart = key.slice(key.lastIndexOf("_") + 1);
  return [key, secretPart, ...partSecrets(body).secrets.map(({ value }) => value)].filter(
    (secret) => secret.length >= 4,
  );
}

/** Copies a low-level error with only its name, code, message, stack and causes. Its other fields may have raw bytes of the connection. */
export function concealSecrets(error: unknown, secrets: readonly string[], depth = 0): Error {
  if (!(error instanceof Error)) return new Error(conceal(String(error), secrets));
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const cause = inner === undefined || depth >= 4 ? undefined : concealSecrets(inner, secrets, depth + 1);
  const copy = new Error(conceal(error.message, secrets), cause ? { cause } : undefined);
  copy.name = error.name;
  copy.stack = conceal(error.stack ?? "", secrets);
  if ("code" in error && typeof error.code === "string") Object.assign(copy, { code: error.code });
  return copy;
}
