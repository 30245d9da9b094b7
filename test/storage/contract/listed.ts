import { scanAll } from "../../../src/storage/scan-all.ts";
import type { Values } from "../../../src/storage/store.ts";

/** All the entries, each once. */
export async function listed(values: Values, prefix?: string): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  for await (const [key, value] of scanAll(values, prefix)) all.set(key, value);
  return all;
}
