// storage/redis/: the engine for many instances: connections, and one Lua script for every change.

import { randomUUID } from "node:crypto";
import KeyvRedis from "@keyv/redis";
import { ClientClosedError, ErrorReply } from "@redis/client";
import type { Logger } from "pino";
import { oncePer } from "../../process/once-per.ts";
import type { Change, Engine, Member } from "../engine.ts";
import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { openConnections } from "./connect.ts";
import type { RedisConnection } from "./connection.ts";
import { explain } from "./failures.ts";
import { apply, beat, escaped, namedIndexes, rangeAfter, runScript, type Script, takeTurnScript } from "./scripts.ts";

/** The others take over a dead instance's work after its sign of life runs out: well within 10 seconds. */
const usualSigns = { everyMs: 1_500, lastMs: 5_000 };
/** Keys that one SCAN call visits, whichever they are. */
const looksAt = 1_000;

export interface RedisEngine extends Engine {
  /** Ends it at once, as a crash would. */
  crash(): void;
}

/** The engine over a Redis, for any number of processes. Throws StorageError if it cannot be opened. */
export async function openRedis(options: {
  url: string;
  /** Separates several deployments on one Redis. */
  prefix: string;
  log: Logger;
  /** Milliseconds to wait for a Redis that does not answer yet. */
  waitMs?: number;
  /** Milliseconds between its signs of life, and how long each counts. */
  signs?: { everyMs: number; lastMs: number };
}): Promise<RedisEngine> {
  const { url, log, waitMs = 10_000, signs = usualSigns } = options;
  // A Cluster puts equal texts in braces into one slot, so that one script may use all keys of a store.
  const prefix = `{${options.prefix}}:`;
  const { place, reading, writing, disk, refresh } = await openConnections(url, prefix, { log, waitMs });
  const instance = randomUUID();
  for (const weakness of disk.weaknesses()) log.warn({ weakness }, "this Redis may lose data");

  const read = <R>(script: Script<R>, ...args: (string | number)[]) =>
    reading.read((client) => runScript(client, script, prefix, args, { reads: true }));

  /** Runs a write; for the disk, resolves when it is as durable as this Redis can make it. */
  async function write<T>(run: (client: Client) => Promise<T>, { forDisk = true } = {}): Promise<T> {
    const connection: RedisConnection = forDisk ? writing : reading;
    const result = await connection.write(run);
    if (forDisk) await disk.settle(writing);
    return result;
  }

  /** True just after it connected: the others may not have shown yet that they are alive, so none counts as dead. */
  const isPatient = (): boolean => reading.upForMs() < signs.lastMs;
  const endSigns = await keepSigning();

  /** Each time it checks over all connections that this is still the store that was opened. */
  async function keepSigning(): Promise<() => void> {
    let lost = false;
    let ended = false;
    let timer: NodeJS.Timeout | undefined;
    async function sign(): Promise<void> {
      await Promise.all([...new Set([reading, writing])].map((connection) => connection.verify()));
      await reading.write((client) => runScript(client, beat, prefix, [instance, signs.lastMs, isPatient() ? 0 : 1]));
    }
    async function signAgain(): Promise<void> {
      try {
        await sign();
        if (lost) log.info("the store is present again");
        lost = false;
      } catch (error) {
        const isLost = error instanceof StorageError && error.name === "StoreGone";
        if (isLost && !lost) log.error({ err: error }, "nothing is served");
        lost ||= isLost;
      }
      if (!ended) timer = setTimeout(() => void signAgain(), signs.everyMs);
    }
    await sign();
    timer = setTimeout(() => void signAgain(), signs.everyMs);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }

  /** Carries out changes in one call, each as a step of its own. */
  const applying = (forDisk: boolean) =>
    grouped((plans: string[]) => write((client) => runScript(client, apply, prefix, plans), { forDisk }));
  const [applySoon, applyToDisk] = [applying(false), applying(true)];
  const get = grouped((keys: string[]) => reading.read((client) => textsOf(client, prefix, keys)));

  return {
    instance,
    get,
    async apply(change, { lasts = "disk" } = {}) {
      const reply = await (lasts === "disk" ? applyToDisk : applySoon)(
        JSON.stringify(planOf(change, instance, signs.lastMs)),
      );
      if (reply instanceof ErrorReply) throw explain(reply, place, true);
      return reply ?? undefined;
    },
    async range(index, { from = -Infinity, to = Infinity, after, limit, reverse = false }) {
      const key = `${prefix}index:${index}`;
      if (after)
        return membersIn(
          await read(rangeAfter, index, bound(from), bound(to), limit, String(after.score), after.member),
        );
      const [low, high] = reverse ? [bound(to), bound(from)] : [bound(from), bound(to)];
      const options = { BY: "SCORE", LIMIT: { offset: 0, count: limit } } as const;
      const found = await reading.read((client) =>
        client.zRangeWithScores(key, low, high, reverse ? { ...options, REV: true } : options),
      );
      return found.map(({ value, score }) => ({ member: value, score: score + 0 }));
    },
    score: async (index, member) =>
      (await reading.read((client) => client.zScore(`${prefix}index:${index}`, member))) ?? undefined,
    size: (index) => reading.read((client) => client.zCard(`${prefix}index:${index}`)),
    named: async (start) =>
      (await read(namedIndexes, start)).map(([index, first]) => ({ index, first: Number(first) })),
    async *scan(start) {
      const at = prefix + start;
      let after = "0";
      do {
        const { cursor, keys } = await reading.read(async (client) => {
          // SCAN reads its server's keys, and does not report that another node has them by now. EXISTS in the same batch does.
          const [found] = await Promise.all([
            client.scan(after, { MATCH: `${escaped(at)}*`, COUNT: looksAt }),
            client.exists(at),
          ]);
          return found;
        });
        const texts = keys.length === 0 ? [] : await reading.read((client) => client.mGet(keys));
        for (const [n, key] of keys.entries()) {
          const text = texts[n];
          // Skips a key that was deleted after SCAN found it.
          if (typeof text === "string") yield [key.slice(prefix.length), text];
        }
        after = cursor;
      } while (after !== "0");
    },
    turn: (name, burst, everyMs) =>
      reading.write((client) => runScript(client, takeTurnScript, prefix, [name, burst, everyMs])),
    async alive(other) {
      const [signs, known] = await reading.read((client) =>
        Promise.all([client.exists(`${prefix}instance:${other}`), client.sIsMember(`${prefix}instances`, other)]),
      );
      return signs === 1 || (isPatient() && known === 1);
    },
    lookEveryMs: 500,
    weaknesses: disk.weaknesses,
    async prove() {
      await refresh();
      await write((client) => client.set(`${prefix}ready`, instance));
    },
    async close() {
      endSigns();
      // If this fails, the sign of life runs out by itself.
      await reading
        .write((client) =>
          Promise.all([client.unlink(`${prefix}instance:${instance}`), client.sRem(`${prefix}instances`, instance)]),
        )
        .catch(() => {});
      await Promise.all([reading.close(), writing.close()]);
    },
    crash() {
      endSigns();
      reading.destroy();
      writing.destroy();
    },
  };
}

/** One for each client: it puts four listeners on its client. */
const adapterFor = oncePer((client: Client) => new KeyvRedis<string>(client, { throwOnErrors: true }));

function adapterOf(client: Client): KeyvRedis<string> {
  // The adapter would connect a closed client again.
  if (!client.isOpen) throw new ClientClosedError();
  return adapterFor(client);
}

/** The texts of keys. For what is no text MGET answers as for nothing, while GET refuses it. */
async function textsOf(client: Client, prefix: string, keys: string[]): Promise<(string | undefined)[]> {
  const adapter = adapterOf(client);
  const all = keys.map((key) => prefix + key);
  if (all.length > 1) {
    const [texts, present] = await Promise.all([adapter.getMany<string>(all), client.exists(all)]);
    if (texts.filter((text) => text !== undefined).length === present) return texts;
  }
  return Promise.all(all.map((key) => adapter.get<string>(key)));
}

/** A change as the script takes it: numbers as texts, which keep all digits, and false for none. */
function planOf(
  { texts = [], members = [], appends = [], signs, gone }: Change,
  instance: string,
  signLastsMs: number,
) {
  const numberOf = (score: number | null | undefined) =>
    score === undefined ? undefined : score !== null && String(score);
  return {
    texts: texts.map(({ key, was, text, ttlMs }) => ({
      key,
      was: was === undefined ? undefined : (was ?? false),
      text: text ?? false,
      ttl: ttlMs !== undefined && String(Math.min(Math.max(1, Math.ceil(ttlMs)), 2 ** 52)),
    })),
    members: members.map(({ was, score, ...member }) => ({ ...member, was: numberOf(was), score: numberOf(score) })),
    appends,
    gone,
    ...(signs ? { signs: instance, signsFor: String(signLastsMs) } : {}),
  };
}

/** Redis keeps a negative zero; adding 0 makes it a plain one. */
function membersIn(flat: string[]): Member[] {
  const found: Member[] = [];
  for (let at = 0; at < flat.length; at += 2) found.push({ member: flat[at] ?? "", score: Number(flat[at + 1]) + 0 });
  return found;
}

/** A bound in Redis's notation. */
function bound(score: number): string {
  if (Number.isFinite(score)) return String(score);
  return score > 0 ? "+inf" : "-inf";
}

/** In one call to Redis, which does nothing else meanwhile. */
const mostInGroup = 100;

/**
 * Has what is asked for in one turn go out as one call: to a busy Redis a call costs more than what it asks for. `send` resolves with the
 * answers, in order.
 */
function grouped<T, R>(send: (asked: T[]) => Promise<R[]>): (one: T) => Promise<R> {
  let group: { asked: T[]; answers: PromiseWithResolvers<R>[] } | undefined;

  async function leave({ asked, answers }: NonNullable<typeof group>): Promise<void> {
    group = undefined;
    try {
      for (const [at, answer] of (await send(asked)).entries()) answers[at]?.resolve(answer);
    } catch (error) {
      for (const { reject } of answers) reject(error);
    }
  }

  return (one) => {
    if (!group || group.asked.length >= mostInGroup) {
      const own: NonNullable<typeof group> = { asked: [], answers: [] };
      group = own;
      queueMicrotask(() => void leave(own));
    }
    const answer = Promise.withResolvers<R>();
    group.asked.push(one);
    group.answers.push(answer);
    return answer.promise;
  };
}
