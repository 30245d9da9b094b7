import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../../process/clock.ts";
import { StorageError } from "../errors.ts";
import { inWords, isOfFlush } from "./failures.ts";

/** The changes of one turn of the loop, or of a moment while nobody waits for them, which are one transaction of the file. */
export interface Batch {
  /** The texts and indexes that it changes. */
  names: Set<string>;
  /** Puts back what is not in the file, if nothing of the batch is stored. */
  undo: (() => void)[];
  /**
   * True when the system has it: only a power cut can take it now. False if nothing of it was stored since another change of it failed: then
   * this one may be made again. Rejects with StorageError if the commit failed.
   */
  committed: Promise<boolean>;
  /**
   * Has the disk confirm it without delay. True when that is done, false if nothing of the batch was stored. Rejects with StorageError if
   * the disk failed.
   */
  kept(): Promise<boolean>;
}

/** `isAwaited`: somebody waits for the disk. `closes`: it is committed in the next turn. `stopTimer`: it is not committed by time. */
type Own = Batch & {
  commit: PromiseWithResolvers<boolean>;
  keep: PromiseWithResolvers<boolean>;
  isAwaited: boolean;
  changes: number;
  closes: boolean;
  stopTimer: (() => void) | undefined;
};

/**
 * Milliseconds. A batch that nobody waits for goes to the disk with the next one that somebody waits for, at the latest so much later: a
 * flush of its own would make that one wait.
 */
const unawaitedMs = 50;
/**
 * Milliseconds for which such a batch stays open, so that others join it: a command at 50 a second has 4 commits and not 9. By the machine's
 * clock, since nobody may wait longer than this for a lock that goes with it.
 */
const openMs = 10;
/** Changes after which it is committed nevertheless: as many as a lane of timers runs at once, which would wait for each other. */
const mostOpen = 16;

export interface Batches {
  /** The open batch, for one more change, which has it committed. Throws StorageError if the disk has failed. */
  open(): Batch;
  /** Nothing of the open batch is stored: a change of it failed. */
  rollBack(): void;
  /** Commits the open batch in the next turn of the loop: others of this one join it. */
  closeSoon(): void;
  /** The same some milliseconds later, unless it is committed before. */
  closeLater(): void;
  /** The open batch, if there is one. */
  current(): Batch | undefined;
  /** The latest batch that the disk has not confirmed, of those that changed this text or index, or of all. */
  unconfirmed(name?: string): Batch | undefined;
  /** The answer of `read`, once the disk has what was read. It reads again if that came to nothing. */
  confirmed<T>(name: string | undefined, read: () => T): Promise<T>;
  /** Does the work while no transaction is open. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when a transaction may begin; undefined if it may now. */
  paused(): Promise<void> | undefined;
  /** Resolves when nothing is open or unconfirmed. */
  end(): Promise<void>;
}

/** `committed` is called after each commit, and `undone` after a transaction that came to nothing. */
export function createBatches(
  db: DatabaseSync,
  clock: Clock,
  flush: Flush,
  { committed, undone }: { committed: () => void; undone: () => void },
): Batches {
  const [begin, commit, rollBack] = ["BEGIN", "COMMIT", "ROLLBACK"].map((sql) => db.prepare(sql));
  const byName = new Map<string, Own>();
  let current: Own | undefined;
  /** The latest of those that wait for the disk. */
  let last: Own | undefined;
  /** Committed, and no flush was asked for yet. */
  let unflushed: Own[] = [];
  let callOffFlush: (() => void) | undefined;
  let pausing: Promise<unknown> | undefined;

  function open(): Own {
    const own = current ?? openAnew();
    own.changes += 1;
    if (own.changes === mostOpen) closeSoon();
    return own;
  }

  function openAnew(): Own {
    flush.check();
    begin?.run();
    const own = createBatch(keep);
    current = own;
    return own;
  }

  function closeLater(): void {
    if (current && !current.closes) current.stopTimer ??= systemClock.after(openMs, closeSoon);
  }

  function closeSoon(): void {
    const batch = current;
    if (!batch || batch.closes) return;
    batch.closes = true;
    batch.stopTimer?.();
    setImmediate(() => {
      if (current === batch) close(batch);
    });
  }

  function close(batch: Own): void {
    try {
      commit?.run();
    } catch (error) {
      undo(isOfFlush(error) ? flush.fail(error) : inWords(error));
      return;
    }
    current = undefined;
    last = batch;
    for (const name of batch.names) byName.set(name, batch);
    unflushed.push(batch);
    if (batch.isAwaited) flushAll();
    else callOffFlush ??= clock.after(unawaitedMs, flushAll);
    batch.commit.resolve(true);
    committed();
  }

  function keep(batch: Own): Promise<boolean> {
    batch.isAwaited = true;
    if (current === batch) closeSoon();
    if (unflushed.includes(batch)) flushAll();
    return batch.keep.promise;
  }

  function flushAll(): void {
    callOffFlush?.();
    callOffFlush = undefined;
    const done = flush.run();
    for (const batch of unflushed) done.then(() => confirm(batch), batch.keep.reject);
    unflushed = [];
  }

  function confirm(batch: Own): void {
    for (const name of batch.names) if (byName.get(name) === batch) byName.delete(name);
    if (last === batch) last = undefined;
    batch.keep.resolve(true);
  }

  /** With an error the commit failed, so that nobody knows by which change. */
  function undo(error?: Error): void {
    const batch = current;
    current = undefined;
    if (db.isTransaction) rollBack?.run();
    undone();
    if (!batch) return;
    batch.stopTimer?.();
    for (const back of batch.undo.toReversed()) back();
    if (error) batch.commit.reject(error);
    else batch.commit.resolve(false);
    // The former state may wait for the disk still.
    Promise.resolve(last?.kept()).then(() => batch.keep.resolve(false), batch.keep.reject);
  }

  const unconfirmed = (name?: string): Own | undefined =>
    name === undefined ? (current ?? last) : current?.names.has(name) ? current : byName.get(name);

  return {
    open,
    closeSoon,
    closeLater,
    rollBack: () => undo(),
    current: () => current,
    unconfirmed,
    async confirmed(name, read) {
      for (;;) {
        const value = read();
        const batch = unconfirmed(name);
        if (!batch || (await batch.kept())) return value;
      }
    },
    async pause(work) {
      while (current) {
        closeSoon();
        await current.committed.catch(() => {});
      }
      const working = work();
      pausing = working.finally(() => (pausing = undefined)).catch(() => {});
      return working;
    },
    paused: () => pausing?.then(() => {}),
    async end() {
      for (let batch = unconfirmed(); batch; batch = unconfirmed()) {
        const isOver = await batch.kept().catch(() => null);
        if (isOver === null) return;
      }
    },
  };
}

function createBatch(kept: (batch: Own) => Promise<boolean>): Own {
  const [commit, keep] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  // The waiting callers see the failure. Without any Node must not treat it as unhandled.
  for (const { promise } of [commit, keep]) promise.catch(() => {});
  const own: Own = {
    names: new Set(),
    undo: [],
    committed: commit.promise,
    kept: () => kept(own),
    commit,
    keep,
    isAwaited: false,
    changes: 0,
    closes: false,
    stopTimer: undefined,
  };
  return own;
}

/** Has the disk confirm commits. */
export interface Flush {
  /** Resolves when the disk has confirmed all commits that were made before. */
  run(): Promise<void>;
  /** Throws if the disk has failed. */
  check(): void;
  hasFailed(): boolean;
  /** The disk failed: from now on every flush does. */
  fail(cause: unknown): StorageError;
}

/** `sync`: asks the disk once, in a thread of libuv, since a slow disk must not block the process. `failed`: called once. */
export function createFlush(sync: () => Promise<void>, failed: (error: StorageError) => void): Flush {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let broken: StorageError | undefined;

  /** After a failed flush the system may have dropped what was written, and a second one would succeed without it: only a restart shows what the disk has. */
  function fail(cause: unknown): StorageError {
    if (broken) return broken;
    broken = new StorageError(
      "The disk failed, so the store takes nothing more. It is not known whether this was kept. Check the disk, and start Rackbell again.",
      { cause },
    );
    failed(broken);
    return broken;
  }

  function check(): void {
    if (broken) throw broken;
  }

  async function flush(): Promise<void> {
    check();
    await sync().catch((cause: unknown) => {
      throw fail(cause);
    });
    check();
  }

  return {
    check,
    hasFailed: () => broken !== undefined,
    fail,
    run() {
      // The flush under way may have begun before this commit. All that wait for it share the one after it.
      next ??= (running ?? Promise.resolve())
        .catch(() => {})
        .then(() => {
          running = next;
          next = undefined;
          return flush();
        });
      return next;
    },
  };
}
