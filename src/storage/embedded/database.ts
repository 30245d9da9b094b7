import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Store } from "../store.ts";
import { keepBackups } from "./backups.ts";
import { openChannel } from "./channel.ts";
import { createLockTable } from "./locks.ts";
import { createMarks, type Marks } from "./memory.ts";
import { createPaces } from "./paces.ts";
import { createRuns } from "./runs.ts";
import { createStore, type Opening } from "./store.ts";
import { keepSwept } from "./sweep.ts";
import type { StartWorker } from "./thread.ts";
import { createValueCache } from "./value-cache.ts";

/** One SQLite file, open in this process only. It may have several openings, and is closed with the last. */
export interface Database {
  open(log: Logger): Opening;
}

interface DatabaseOptions {
  path: string;
  clock: Clock;
  log: Logger;
  /** Starts the store's thread; a worker thread unless a test replaces it. */
  start?: StartWorker;
}

/** Throws StorageError if the file cannot be opened. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { path, clock, log } = options;
  const calls = await openChannel(options);
  const [start, indexNames] = await Promise.all([calls.write("countOpening"), calls.read("indexNames")]);
  const instances = new Set<string>();
  const namespaces = new Map<string, Marks>();
  const endSweeping = keepSwept(calls, clock, log);
  const endBackups = keepBackups(calls, { path, clock, log });

  function marks(namespace: string): Marks {
    const found = namespaces.get(namespace) ?? createMarks(clock);
    namespaces.set(namespace, found);
    return found;
  }

  async function left(): Promise<void> {
    if (instances.size > 0) return;
    endSweeping();
    endBackups();
    await calls.close();
  }

  const runs = createRuns();
  const shared = {
    calls,
    known: createValueCache(clock),
    usedIndexes: new Set(indexNames),
    clock,
    marks,
    locks: createLockTable(clock, start),
    paces: createPaces(clock, runs),
    runs,
    instances,
  };
  return { open: (openingLog) => createStore(shared, openingLog, left) };
}

/** The store in one SQLite file, for one process. Throws StorageError if the file cannot be opened. */
export async function openEmbedded(options: DatabaseOptions): Promise<Store> {
  const database = await openDatabase(options);
  return database.open(options.log).store;
}
