const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** So much of an id can hardly be anything else. */
const shortestOfId = 8;

/**
 * Those that a typed text means: by all of one of their texts, else whatever its case, else by its beginning. What one is called is never
 * taken for the beginning of another.
 */
export function meant<T>(typed: string, all: readonly T[], textsOf: (one: T) => readonly string[]): T[] {
  const wanted = typed.trim();
  if (wanted === "") return [];
  const exact = all.filter((one) => textsOf(one).includes(wanted));
  if (exact.length > 0) return exact;
  const lower = wanted.toLowerCase();
  const folded = all.filter((one) => textsOf(one).some((text) => text.toLowerCase() === lower));
  if (folded.length > 0) return folded;
  return all.filter((one) =>
    textsOf(one).some(
      (text) => text.toLowerCase().startsWith(lower) && (lower.length >= shortestOfId || !uuid.test(text)),
    ),
  );
}
