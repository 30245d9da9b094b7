const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** In characters. A shorter beginning of an id could as well be the beginning of a name. */
const shortestOfId = 8;

/**
 * The items that a typed text matches: exactly, else ignoring case, else by the beginning of a text. With the servers
 * "web" and "web-2", "web" selects the first alone: an exact match wins over a beginning.
 */
export function matching<T>(typed: string, all: readonly T[], textsOf: (one: T) => readonly string[]): T[] {
  const query = typed.trim();
  if (query === "") return [];
  const exact = all.filter((one) => textsOf(one).includes(query));
  if (exact.length > 0) return exact;
  const lower = query.toLowerCase();
  const folded = all.filter((one) => textsOf(one).some((text) => text.toLowerCase() === lower));
  if (folded.length > 0) return folded;
  return all.filter((one) =>
    textsOf(one).some(
      (text) => text.toLowerCase().startsWith(lower) && (lower.length >= shortestOfId || !uuid.test(text)),
    ),
  );
}
