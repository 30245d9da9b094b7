// storage/embedded/: the default backend: one SQLite file in a thread, with a cache in front of it.
// May import: storage/, storage/*, the clock.

import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import { createFace, type Texts, type TextsOf } from "../face.ts";
import type { Paces, Store } from "../store.ts";
import { createTimers } from "../timers.ts";
import type { Calls } from "./calls.ts";
import { createIndex } from "./index-members.ts";
import type { LockTable } from "./locks.ts";
import { createLog } from "./log.ts";
import { createMemoryTexts, type Marks } from "./memory.ts";
import type { Runs } from "./runs.ts";
import { createTexts } from "./texts.ts";
import { createTimerFile } from "./timers.ts";
import { createTransact } from "./transact.ts";
import type { ValueCache } from "./value-cache.ts";

/** The parts that all openings of one file share. */
export interface Shared {
  calls: Calls;
  known: ValueCache;
  /** The names of the indexes that may have members. */
  usedIndexes: Set<string>;
  clock: Clock;
  marks(namespace: string): Marks;
  locks: LockTable;
  paces: Paces;
  runs: Runs;
  /** The ids of the open openings. */
  instances: Set<string>;
}

/** One opening of a file. */
export interface Opening {
  store: Store;
  /** Ends the opening at once, as a crash would: its locks are free, its runs are due again, and its calls are refused. */
  vanish(): void;
  /** Makes its runs due again although it lives: the other openings of a Redis do this to one that stood still. */
  giveUp(): Promise<void>;
}

/** Calls `left` after all work of the opening has ended. */
export function createStore(shared: Shared, log: Logger, left: () => Promise<void>): Opening {
  const { clock, instances, locks, runs } = shared;
  const instance = randomUUID();
  instances.add(instance);

  function refuseIfGone(): void {
    if (!instances.has(instance)) throw new StorageError("The store is closed. Nothing was changed.");
  }

  const calls: Calls = {
    async read(method, ...args) {
      refuseIfGone();
      return shared.calls.read(method, ...args);
    },
    async write(method, ...args) {
      refuseIfGone();
      return shared.calls.write(method, ...args);
    },
    async later(method, ...args) {
      refuseIfGone();
      return shared.calls.later(method, ...args);
    },
  };
  const known: ValueCache = {
    ...shared.known,
    read(namespace, key, ask) {
      refuseIfGone();
      return shared.known.read(namespace, key, ask);
    },
  };
  const timerFile = createTimerFile({ calls, clock, runs, instance });
  const timers = createTimers(timerFile, { clock, log });
  const endListening = runs.listen(instance, timers.listener);

  function vanish(): void {
    timers.halt();
    endListening();
    instances.delete(instance);
    locks.breakOf(instance);
    runs.giveUpOf(instance);
  }

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await timers.stop();
    vanish();
    await left();
  }

  const transact = createTransact({ calls, known, usedIndexes: shared.usedIndexes, clock, timers: timerFile });

  function textsOf({ namespace, lasts }: Parameters<TextsOf>[0]): Texts {
    if (lasts === "memory") return createMemoryTexts(shared.marks(namespace), refuseIfGone);
    const write = lasts === "soon" ? calls.later : calls.write;
    return createTexts({ calls, known, clock }, { namespace, write });
  }

  const store: Store = {
    ...createFace(textsOf, log),
    transact,
    index: (name) => createIndex(calls, shared.usedIndexes, refuseIfGone, name),
    log: (name, { retentionMs }) => createLog(calls, clock, name, retentionMs),
    locks: locks.of(instance, refuseIfGone),
    paces: shared.paces,
    timers,
    instance,
    // Only this process has the file open, so an opening that is not in it is gone.
    alive: async (other) => instances.has(other),
    async ready() {
      try {
        // A new word each time: SQLite would write nothing for an equal one.
        await calls.write("proveWrite", randomUUID());
        return [];
      } catch (error) {
        return [error instanceof Error ? error.message : "The store cannot be written."];
      }
    },
    weaknesses: () => [],
    close() {
      closing ??= close();
      return closing;
    },
  };
  return { store, vanish, giveUp: async () => runs.giveUpOf(instance) };
}
