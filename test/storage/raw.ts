import * as z from "zod";
import { defineKind, type Kind } from "../../src/storage/kind.ts";
import type { Store } from "../../src/storage/store.ts";

/** Any JSON under a namespace, stored and read as it is, its format too: a test looks at what is kept, or keeps what another version wrote. */
export function raw(namespace: string, lasts: Kind<unknown>["lasts"] = "disk"): Kind<unknown> {
  const kind = defineKind({ name: "raw value", namespace, schema: z.unknown(), lasts });
  return { ...kind, read: (_, text) => JSON.parse(text) };
}

/** Puts the member into the index, or removes it with a score of null. */
export async function place(
  store: Pick<Store, "transact">,
  name: string,
  member: string,
  score: number | null,
): Promise<void> {
  await store.transact({ records: [], index: [{ name, member, score }] });
}

/** All the records, each once. */
export async function listed<T>(store: Store, kind: Kind<T>): Promise<Map<string, T>> {
  const all = new Map<string, T>();
  for await (const { key, value } of store.scan(kind)) all.set(key, value);
  return all;
}
