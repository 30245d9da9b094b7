import KeyvRedis from "@keyv/redis";
import { ClientClosedError } from "@redis/client";
import type { Texts } from "../face.ts";
import type { Calls } from "./calls.ts";
import type { Client } from "./client.ts";
import { escaped, wholeTtl } from "./names.ts";

/** Keys that one SCAN call visits, whichever kind they belong to. */
const looksAt = 1_000;

/** One adapter for each client: it puts four listeners on its client, and a namespace of its own would be that of every kind. */
const adapters = new WeakMap<Client, KeyvRedis<string>>();

function adapterOf(client: Client): KeyvRedis<string> {
  // The adapter would connect a closed client again.
  if (!client.isOpen) throw new ClientClosedError();
  const adapter = adapters.get(client) ?? new KeyvRedis<string>(client, { throwOnErrors: true });
  adapters.set(client, adapter);
  return adapter;
}

/**
 * The texts of one kind in Redis, which expire by Redis's clock. `base`: the start of their keys. Unless `durable`, writes do not wait for
 * the disk.
 */
export function createTexts(calls: Calls, { base, durable }: { base: string; durable: boolean }): Texts {
  const at = (key: string): string => `${calls.prefix}${base}${key}`;
  const write: Calls["keep"] = durable ? calls.keep : calls.read;
  return {
    get: (key) => calls.read((client) => adapterOf(client).get<string>(at(key))),
    has: (key) => calls.read((client) => adapterOf(client).has(at(key))),
    set: (key, text, ttlMs) => write((client) => adapterOf(client).set(at(key), text, wholeTtl(ttlMs))),
    delete: (key) => write((client) => adapterOf(client).delete(at(key))),
    async *scan() {
      const query = { MATCH: `${escaped(at(""))}*`, COUNT: looksAt };
      let after = "0";
      do {
        const { cursor, keys } = await calls.read(async (client) => {
          // SCAN reads its server's keys, and does not report that another node has them by now. EXISTS in the same batch does.
          const [found] = await Promise.all([client.scan(after, query), client.exists(at(""))]);
          return found;
        });
        const texts = keys.length === 0 ? [] : await calls.read((client) => client.mGet(keys));
        for (const [index, key] of keys.entries()) {
          const text = texts[index];
          // Skips a key that was deleted after SCAN found it.
          if (typeof text === "string") yield [key.slice(at("").length), text];
        }
        after = cursor;
      } while (after !== "0");
    },
  };
}
