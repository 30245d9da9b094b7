import type { Values } from "./store.ts";

/** Every entry, page by page, for work in the background: nobody should wait for it. An entry may come twice. */
export async function* scanAll(values: Values, prefix = ""): AsyncGenerator<[key: string, value: unknown]> {
  let after: string | undefined;
  do {
    const { entries, next } = await values.scan({ prefix, after });
    yield* entries;
    after = next;
  } while (after !== undefined);
}
