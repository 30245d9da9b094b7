import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Store } from "../store.ts";
import { keepBackups } from "./backups.ts";
import { openChannel } from "./channel.ts";
import { createKnownValues } from "./known.ts";
import { createLockTable } from "./locks.ts";
import { createMarks, type Marks } from "./memory.ts";
import { createPaces } from "./paces.ts";
import { createRuns } from "./runs.ts";
import { createStore, type Opening } from "./store.ts";
import { keepSwept } from "./sweep.ts";

/** One SQLite file, open in this process and in no other. It may have several openings, and is closed with the last. */
export interface Database {
  open(log: Logger): Opening;
}

/** Throws StorageError if the file cannot be had. */
export async function openDatabase(options: { path: string; clock: Clock; log: Logger }): Promise<Database> {
  const { path, clock, log } = options;
  const calls = await openChannel({ path, clock, log });
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

  const shared = {
    calls,
    known: createKnownValues(clock),
    usedIndexes: new Set(indexNames),
    clock,
    marks,
    locks: createLockTable(clock, start),
    paces: createPaces(clock),
    runs: createRuns(),
    instances,
  };
  return { open: (openingLog) => createStore(shared, openingLog, left) };
}

/** The store in one SQLite file, for one process. Throws StorageError if the file cannot be had. */
export async function openEmbedded(options: { path: string; clock: Clock; log: Logger }): Promise<Store> {
  const database = await openDatabase(options);
  return database.open(options.log).store;
}
