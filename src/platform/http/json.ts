/** JSON can only write half of a surrogate pair as an escape; this also finds whole pairs that are escaped. */
const surrogate = /\\ud[89a-f]/i;

/**
 * Parses JSON from outside, and replaces each half surrogate pair with U+FFFD. URLs, keys and indexes refuse such halves, so the same
 * event or name would fail each time it arrives. Throws a SyntaxError on invalid JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return surrogate.test(text) ? wellFormed(value) : value;
}

/** Like `parseJson`, for callers that parse themselves: gives JSON text. Text that is not JSON stays unchanged. */
export function wellFormedJson(text: string): string {
  if (!surrogate.test(text)) return text;
  try {
    return JSON.stringify(parseJson(text));
  } catch {
    return text;
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}
