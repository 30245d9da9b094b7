import type { Logger } from "pino";
import { StorageError } from "../errors.ts";
import type { Item, Portable } from "../portable.ts";
import { readAddress } from "./address.ts";
import { type Client, createOutageLog, openClient } from "./client.ts";
import { readSettings } from "./disk.ts";
import { explain } from "./failures.ts";
import { findIdentity } from "./identity.ts";
import { openClusterLine } from "./line.ts";
import { escaped, keyPart, keyPrefix, valueBase } from "./names.ts";

const atOnce = 500;
const waitMs = 1_000;

/** The store under `prefix` for a tool. Throws StorageError if an instance uses it, or if it cannot be opened. */
export async function openPortableRedis(options: { url: string; prefix: string; log: Logger }): Promise<Portable> {
  const { url, log } = options;
  const prefix = keyPrefix(options.prefix);
  const address = readAddress(url);
  const { name: place } = address;
  const away = createOutageLog(log);
  const first = await openClient(address, { away, waitMs });
  let client = first;
  try {
    const { cluster } = await readSettings(first);
    if (cluster) client = (await openClusterLine(address, { key: prefix, away })).client();
    await findIdentity(client, prefix, log);
    await refuseIfInUse(client, prefix, place);
  } catch (error) {
    client.destroy();
    throw explain(error, place, false);
  } finally {
    if (client !== first) first.destroy();
  }

  async function* items(now: number): AsyncGenerator<Item> {
    yield* valuesOf(client, prefix);
    yield* membersOf(client, prefix);
    yield* logsOf(client, prefix, now);
    yield* timersOf(client, prefix);
    yield { kind: "fence", above: Number((await client.get(`${prefix}fence`)) ?? 0) + 1 };
  }

  return {
    name: `redis://${address.name}/${address.database} (${options.prefix})`,
    items,
    async isEmpty() {
      for await (const { kind } of items(0)) if (kind !== "fence") return false;
      return true;
    },
    async take(taken) {
      let multi = client.multi();
      let count = 0;
      for await (const item of taken) {
        for (const command of commandsFor(item, prefix)) multi.addCommand(command);
        count += 1;
        if (count % atOnce > 0) continue;
        await multi.exec();
        multi = client.multi();
      }
      await multi.exec();
    },
    close: () => client.close(),
  };
}

async function refuseIfInUse(client: Client, prefix: string, place: string): Promise<void> {
  for (const instance of await client.sMembers(`${prefix}instances`)) {
    if ((await client.exists(`${prefix}instance:${instance}`)) === 0) continue;
    throw new StorageError(
      `An instance of Rackbell is at work on the Redis at ${place}. Stop all instances first. A killed instance counts for 5 more seconds. Nothing was changed.`,
    );
  }
}

async function* valuesOf(client: Client, prefix: string): AsyncGenerator<Item> {
  const base = `${prefix}value:`;
  const seen = new Set<string>();
  for await (const keys of client.scanIterator({ MATCH: `${escaped(base)}*`, COUNT: atOnce })) {
    for (const key of keys) {
      // SCAN may return a key twice.
      if (seen.has(key)) continue;
      seen.add(key);
      const [text, ends] = await Promise.all([client.get(key), client.pExpireTime(key)]);
      const [namespace = "", ...rest] = key.slice(base.length).split(":");
      const name = decodeURIComponent(namespace);
      const expiresAt = ends < 0 ? null : ends;
      if (text !== null) yield { kind: "value", namespace: name, key: rest.join(":"), text, expiresAt };
    }
  }
}

async function* membersOf(client: Client, prefix: string): AsyncGenerator<Item> {
  const base = `${prefix}index:`;
  for (const key of await keysOf(client, base)) {
    const name = decodeURIComponent(key.slice(base.length));
    for (const { value, score } of await client.zRangeWithScores(key, 0, -1))
      yield { kind: "member", name, member: value, score: score + 0 };
  }
}

async function* logsOf(client: Client, prefix: string, now: number): AsyncGenerator<Item> {
  for (const part of await client.sMembers(`${prefix}logs`)) {
    const log = decodeURIComponent(part);
    yield { kind: "log", log, last: Number((await client.get(`${prefix}log:${part}:last`)) ?? 0) };
    let after = "-";
    for (;;) {
      const page = await client.xRange(`${prefix}log:${part}`, after, "+", { COUNT: atOnce });
      for (const { id, message } of page) {
        after = `(${id}`;
        const names: string[] = JSON.parse(message.subjects ?? "[]");
        const [at, expiresAt] = [Number(message.at), Number(message.ends)];
        const subjects = names.map(decodeURIComponent);
        if (expiresAt > now)
          yield {
            kind: "entry",
            log,
            id: Number.parseInt(id, 10),
            at,
            expiresAt,
            subjects,
            data: message.data ?? "null",
          };
      }
      if (page.length < atOnce) break;
    }
  }
  for (const { value, score } of await client.zRangeWithScores(`${prefix}uniques`, 0, -1))
    if (score > now) yield { kind: "unique", digest: value, expiresAt: score };
}

async function* timersOf(client: Client, prefix: string): AsyncGenerator<Item> {
  for (const lane of await client.sMembers(`${prefix}lanes`)) {
    const key = `${prefix}wakeup:${lane}`;
    const due = new Map<string, number>();
    for (const { value, score } of await client.zRangeWithScores(`${key}:due`, 0, -1)) due.set(value, score);
    // Runs of a killed instance are due at once (scripts/timers.ts, giveBack).
    for (const id of await client.hKeys(`${key}:running`)) due.set(id, 0);
    for (const [id, at] of due) yield { kind: "timer", lane, id, at };
  }
}

const commands: { [K in Item["kind"]]: (item: Extract<Item, { kind: K }>, prefix: string) => string[][] } = {
  value({ namespace, key, text, expiresAt }, prefix) {
    const set = ["SET", `${prefix}${valueBase(namespace)}${key}`, text];
    return [expiresAt === null ? set : [...set, "PXAT", String(Math.ceil(expiresAt))]];
  },
  member: ({ name, member, score }, prefix) => [["ZADD", `${prefix}index:${keyPart(name)}`, String(score), member]],
  log: ({ log, last }, prefix) => [
    ["SADD", `${prefix}logs`, keyPart(log)],
    ["SET", `${prefix}log:${keyPart(log)}:last`, String(last)],
  ],
  entry({ log, id, at, expiresAt, subjects, data }, prefix) {
    const key = `${prefix}log:${keyPart(log)}`;
    const names = subjects.map(keyPart);
    const fields = ["at", String(at), "ends", String(expiresAt), "subjects", JSON.stringify(names), "data", data];
    return [
      ["XADD", key, `${id}-0`, ...fields],
      ...names.map((name) => ["ZADD", `${key}:of:${name}`, String(id), String(id)]),
    ];
  },
  unique: ({ digest, expiresAt }, prefix) => [["ZADD", `${prefix}uniques`, String(expiresAt), digest]],
  timer: ({ lane, id, at }, prefix) => [
    ["SADD", `${prefix}lanes`, lane],
    ["ZADD", `${prefix}wakeup:${lane}:due`, String(at), id],
  ],
  fence: ({ above }, prefix) => [["SET", `${prefix}fence`, String(above)]],
};

function commandsFor<K extends Item["kind"]>(item: Extract<Item, { kind: K }>, prefix: string): string[][] {
  const of: { [L in K]: (item: Extract<Item, { kind: L }>, prefix: string) => string[][] } = commands;
  return of[item.kind](item, prefix);
}

async function keysOf(client: Client, base: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const keys of client.scanIterator({ MATCH: `${escaped(base)}*`, COUNT: atOnce }))
    for (const key of keys) found.add(key);
  return found;
}
