import type { Index } from "./store.ts";

/** Every member of an index, in order of its score. */
export async function* scanIndex(index: Index): AsyncGenerator<{ member: string; score: number }> {
  let after: string | undefined;
  do {
    const { entries, next } = await index.range({ after });
    yield* entries;
    after = next;
  } while (after !== undefined);
}
