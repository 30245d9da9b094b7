// storage/redis/: the backend for many instances: connections, one script for each thing that happens in one step, lanes.
// May import: storage/, storage/redis/*, the clock.

import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Store } from "../store.ts";
import { createValues } from "../values.ts";
import { readAddress } from "./address.ts";
import { createCalls } from "./calls.ts";
import { type Client, createAway, openClient } from "./client.ts";
import { createCommit } from "./commit.ts";
import { createConnection } from "./connection.ts";
import { createDisk, readSettings } from "./disk.ts";
import { explain } from "./failures.ts";
import { checkIdentity, findIdentity } from "./identity.ts";
import { createIndex } from "./index-members.ts";
import { createKeyed, markBase, valueBase } from "./keyed.ts";
import { createLocks } from "./locks.ts";
import { createLog } from "./log.ts";
import { createPaces } from "./paces.ts";
import { keepPresent } from "./presence.ts";
import { keepSwept } from "./sweep.ts";
import { createWakeups } from "./wakeups.ts";

/** One opening of a Redis. */
export interface Opening {
  store: Store;
  /** Lets go as the end of the process would: without a word, in the middle of whatever it did. */
  vanish(): void;
}

export interface RedisOptions {
  url: string;
  /** What keeps several deployments on one Redis apart. */
  prefix: string;
  clock: Clock;
  log: Logger;
  /** How long to wait for a Redis that is not there yet, in milliseconds. */
  waitMs?: number;
}

const usualWaitMs = 10_000;

/** The store in a Redis, for any number of processes. Throws StorageError if it cannot be had. */
export async function openRedis(options: RedisOptions): Promise<Store> {
  return (await openRedisOnce(options)).store;
}

/** As `openRedis`, for whoever also wants to see it fall. */
export async function openRedisOnce({ url, clock, log, ...rest }: RedisOptions): Promise<Opening> {
  const prefix = `${rest.prefix}:`;
  const connect = await openConnections({ url, prefix, log, waitMs: rest.waitMs ?? usualWaitMs });
  const { reading, writing, disk, refresh } = connect;
  const calls = createCalls(prefix, reading, writing, disk);
  const instance = randomUUID();
  const presence = await keepPresent(calls, { reading, writing }, { instance, log });
  for (const weakness of disk.weaknesses()) log.warn({ weakness }, "this Redis may lose what it was told");
  const wakeups = createWakeups({ calls, clock, log, instance });
  const endSweeping = keepSwept(calls, clock, log);

  async function end(): Promise<void> {
    await wakeups.stop();
    endSweeping();
    await presence.end({ farewell: true });
    await Promise.all([reading.close(), writing.close()]);
  }

  let closing: Promise<void> | undefined;
  const store: Store = {
    commit: createCommit(calls, clock, wakeups),
    values: (name) => createValues(name, createKeyed(calls, { base: valueBase(name), durable: true })),
    ephemeral: (name) => createValues(name, createKeyed(calls, { base: markBase(name), durable: false })),
    index: (name) => createIndex(calls, name),
    log: (name, { retentionMs }) => createLog(calls, clock, name, retentionMs),
    locks: createLocks(calls, presence, instance),
    paces: createPaces(calls),
    wakeups,
    instance,
    alive: presence.alive,
    weaknesses: disk.weaknesses,
    async ready() {
      try {
        await refresh();
        await calls.keep((client) => client.set(`${prefix}ready`, instance));
        return [];
      } catch (error) {
        if (error instanceof StorageError) return [error.message];
        throw error;
      }
    },
    close() {
      closing ??= end();
      return closing;
    },
  };

  return {
    store,
    vanish() {
      wakeups.halt();
      endSweeping();
      void presence.end({ farewell: false });
      reading.destroy();
      writing.destroy();
    },
  };
}

async function openConnections({
  url,
  prefix,
  log,
  waitMs,
}: {
  url: string;
  prefix: string;
  log: Logger;
  waitMs: number;
}) {
  const address = readAddress(url);
  const away = createAway(log);
  const client = await openClient(address, away, waitMs);
  try {
    let settings = await readSettings(client);
    if (settings.cluster)
      throw new StorageError(
        `The Redis at ${address.name} is a Cluster, which Rackbell cannot use. Use one Redis, with a replica if you like.`,
      );
    const identity = await findIdentity(client, prefix, log);
    const check = (asked: Client): Promise<void> => checkIdentity(asked, prefix, identity, address.name);
    const reading = createConnection(client, address.name, check);
    // One that waits for the disk keeps all behind it waiting, those who only read included.
    const writing = settings.hasWait
      ? createConnection(await openClient(address, away, waitMs), address.name, check)
      : reading;
    const disk = createDisk(() => settings);
    async function refresh(): Promise<void> {
      settings = await reading.ask(readSettings);
    }
    return { reading, writing, disk, refresh };
  } catch (error) {
    client.destroy();
    throw explain(error, address.name, true);
  }
}
