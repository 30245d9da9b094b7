import type { Index, Values } from "./store.ts";

/** Every entry, page by page, for background work: it takes too long to wait for. An entry may come twice. */
export async function* scanAll(values: Values, prefix = ""): AsyncGenerator<[key: string, value: unknown]> {
  let after: string | undefined;
  do {
    const { entries, next } = await values.scan({ prefix, after });
    yield* entries;
    after = next;
  } while (after !== undefined);
}

/** Every member of an index, in order of its score. */
export async function* scanIndex(index: Index): AsyncGenerator<{ member: string; score: number }> {
  let after: string | undefined;
  do {
    const { entries, next } = await index.range({ after });
    yield* entries;
    after = next;
  } while (after !== undefined);
}
