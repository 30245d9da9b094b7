import type { Logger } from "pino";
import type { Item, Portable } from "../engine.ts";
import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { openConnections } from "./connect.ts";
import { explain } from "./failures.ts";
import { escaped } from "./scripts.ts";

const atOnce = 500;
const waitMs = 1_000;

/** The store under a prefix for a tool. Throws StorageError if an instance uses it, or if it cannot be opened. */
export async function openPortableRedis(options: { url: string; prefix: string; log: Logger }): Promise<Portable> {
  const prefix = `{${options.prefix}}:`;
  const { place, reading, writing } = await openConnections(options.url, prefix, { log: options.log, waitMs });
  const { client } = await reading.read(async (client) => ({ client }));
  const close = async (): Promise<void> => {
    await Promise.all([reading.close(), writing.close()]);
  };
  for (const instance of await client.sMembers(`${prefix}instances`)) {
    if ((await client.exists(`${prefix}instance:${instance}`)) === 0) continue;
    await close();
    throw new StorageError(
      "An instance of Rackbell is at work on this Redis. Stop all instances first. A killed instance counts for 5 more seconds. Nothing was changed.",
    );
  }
  return {
    name: `the Redis in STORE_URL (${options.prefix})`,
    async *items() {
      try {
        yield* itemsIn(client, prefix);
      } catch (error) {
        throw explain(error, place, false);
      }
    },
    async take(items) {
      try {
        await putItems(client, prefix, items);
      } catch (error) {
        throw explain(error, place, true);
      }
    },
    close,
  };
}

async function putItems(client: Client, prefix: string, items: AsyncIterable<Item>): Promise<void> {
  let multi = client.multi();
  let count = 0;
  for await (const item of items) {
    for (const command of commandsFor(item, prefix)) multi.addCommand(command);
    count += 1;
    if (count % atOnce > 0) continue;
    await multi.exec();
    multi = client.multi();
  }
  await multi.exec();
}

async function* itemsIn(client: Client, prefix: string): AsyncGenerator<Item> {
  for await (const key of keysOf(client, `${prefix}value:`)) {
    const [text, endsAt] = await Promise.all([client.get(key), client.pExpireTime(key)]);
    if (text !== null) yield { kind: "text", key: key.slice(prefix.length), text, endsAt: endsAt < 0 ? null : endsAt };
  }
  for await (const key of keysOf(client, `${prefix}index:`)) {
    const index = key.slice(`${prefix}index:`.length);
    for (const { value, score } of await client.zRangeWithScores(key, 0, -1))
      yield { kind: "member", index, member: value, score: score + 0 };
  }
  for await (const key of keysOf(client, `${prefix}counter:`))
    yield { kind: "counter", counter: key.slice(`${prefix}counter:`.length), number: Number(await client.get(key)) };
}

/** SCAN may return a key twice. */
async function* keysOf(client: Client, base: string): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const keys of client.scanIterator({ MATCH: `${escaped(base)}*`, COUNT: atOnce }))
    for (const key of keys) {
      if (!seen.has(key)) yield key;
      seen.add(key);
    }
}

function commandsFor(item: Item, prefix: string): string[][] {
  if (item.kind === "counter") return [["SET", `${prefix}counter:${item.counter}`, String(item.number)]];
  if (item.kind === "text") {
    const end = item.endsAt === null ? [] : ["PXAT", String(Math.ceil(item.endsAt))];
    return [["SET", prefix + item.key, item.text, ...end]];
  }
  const named = /^~(due|log) /.test(item.index) ? [["SADD", `${prefix}named`, item.index]] : [];
  return [["ZADD", `${prefix}index:${item.index}`, String(item.score), item.member], ...named];
}
