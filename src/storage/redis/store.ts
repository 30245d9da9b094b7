// storage/redis/: the backend for many instances: connections, one Lua script for each atomic step, timers.
// May import: storage/, storage/*, the clock.

import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import { createFace } from "../face.ts";
import type { Store } from "../store.ts";
import { createTimers } from "../timers.ts";
import { readAddress } from "./address.ts";
import { createCalls } from "./calls.ts";
import { type Client, createOutageLog, openClient } from "./client.ts";
import { createConnection } from "./connection.ts";
import { createDisk, readSettings } from "./disk.ts";
import { explain } from "./failures.ts";
import { checkIdentity, findIdentity } from "./identity.ts";
import { createIndex } from "./index-members.ts";
import { lineOf, openClusterLine, type RedisLine } from "./line.ts";
import { createLocks } from "./locks.ts";
import { createLog } from "./log.ts";
import { keyPrefix, markBase, valueBase } from "./names.ts";
import { createPaces } from "./paces.ts";
import { keepPresent } from "./presence.ts";
import { leave } from "./scripts/presence.ts";
import { keepSwept } from "./sweep.ts";
import { createTexts } from "./texts.ts";
import { createTimerScripts } from "./timers.ts";
import { createTransact } from "./transact.ts";

/** One opening of a Redis. */
export interface Opening {
  store: Store;
  /** Ends the opening at once, as a crash would. */
  vanish(): void;
  /** Makes its runs due again although it lives, as the others do to one that stood still. */
  giveUp(): Promise<void>;
}

export interface RedisOptions {
  url: string;
  /** Separates several deployments on one Redis. */
  prefix: string;
  clock: Clock;
  log: Logger;
  /** Milliseconds to wait for a Redis that does not answer yet. */
  waitMs?: number;
}

const usualWaitMs = 10_000;

/** The store in Redis, for any number of processes. Throws StorageError if it cannot be opened. */
export async function openRedis(options: RedisOptions): Promise<Store> {
  return (await openRedisOnce(options)).store;
}

/** As `openRedis`, for tests that also simulate a crash. */
export async function openRedisOnce(options: RedisOptions): Promise<Opening> {
  const { url, clock, log, waitMs = usualWaitMs } = options;
  const prefix = keyPrefix(options.prefix);
  const { reading, writing, disk, refresh } = await openConnections({ url, prefix, log, waitMs });
  const calls = createCalls(prefix, reading, writing, disk);
  const instance = randomUUID();
  const presence = await keepPresent(calls, { reading, writing }, { instance, log });
  for (const weakness of disk.weaknesses()) log.warn({ weakness }, "this Redis may lose data");
  const timerScripts = createTimerScripts({
    calls,
    clock,
    instance,
    announce: (lane, at) => timers.listener.expect(lane, at),
  });
  const timers = createTimers(timerScripts, { clock, log });
  const endSweeping = keepSwept(calls, clock, log);

  async function end(): Promise<void> {
    await timers.stop();
    endSweeping();
    await presence.end({ farewell: true });
    await Promise.all([reading.close(), writing.close()]);
  }

  const transact = createTransact(calls, clock, timers.listener);
  let closing: Promise<void> | undefined;
  const store: Store = {
    ...createFace(
      ({ namespace, lasts }) =>
        lasts === "memory"
          ? createTexts(calls, { base: markBase(namespace), durable: false })
          : createTexts(calls, { base: valueBase(namespace), durable: true }),
      log,
    ),
    transact,
    index: (name) => createIndex(calls, name),
    log: (name, { retentionMs }) => createLog(calls, clock, name, retentionMs),
    locks: createLocks(calls, presence, instance),
    paces: createPaces(calls, instance),
    timers,
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
      timers.halt();
      endSweeping();
      void presence.end({ farewell: false });
      reading.destroy();
      writing.destroy();
    },
    giveUp: () => calls.writeVolatile(leave, instance),
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
  const { name: place } = address;
  const away = createOutageLog(log);
  const open = () => openClient(address, { away, waitMs });
  const first = await open();
  const lines = [lineOf(first)];
  try {
    let settings = await readSettings(first);
    const { cluster } = settings;
    const openLine = async (): Promise<RedisLine> => {
      const line = cluster ? await openClusterLine(address, { key: prefix, away }) : lineOf(await open());
      lines.push(line);
      return line;
    };
    const line = cluster ? await openLine() : lineOf(first);
    if (cluster) first.destroy();
    const identity = await findIdentity(line.client(), prefix, log);
    const check = async (asked: Client): Promise<void> => {
      await checkIdentity(asked, prefix, identity, place);
      // After a failover another server answers, with settings of its own.
      settings = await readSettings(asked);
    };
    const reading = createConnection(line, place, check);
    // A wait for the disk blocks every call behind it on the same connection, reads included.
    const writing = settings.hasWait ? createConnection(await openLine(), place, check) : reading;
    async function refresh(): Promise<void> {
      settings = await reading.read(readSettings);
    }
    const disk = createDisk(() => settings, refresh);
    return { reading, writing, disk, refresh };
  } catch (error) {
    for (const line of lines) line.destroy();
    throw explain(error, place, true);
  }
}
