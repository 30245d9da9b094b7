// storage/: records behind Keyv, transactions, append-only logs, indexes, timers and locks. Nothing outside depends on the backend that runs.

import type { Kind } from "./kind.ts";
import type { RecordChange, Stored } from "./record.ts";

/**
 * The store's one interface for every backend, written for several processes on one store. Callers may rely only on
 * what is documented here. Another instance sees a write once its promise has resolved, not before.
 */

/**
 * The Keyv of one kind of record. `get` throws RecordUnreadable for a record that cannot be read, which must not look like none. A time to
 * live of 0 means for ever, as Keyv has it, while in a transaction it deletes (`replacing`); a negative one deletes in both. Keyv's own types
 * would let any value be set and any type be read.
 */
export interface TypedKeyv<T> {
  get(key: string): Promise<T | undefined>;
  getMany(keys: string[]): Promise<(T | undefined)[]>;
  set(key: string, value: T, ttlMs?: number): Promise<boolean>;
  /** True if there was one. */
  delete(key: string): Promise<boolean>;
  has(key: string): Promise<boolean>;
}

/**
 * Members ordered by a number, such as a time, so that open records are found without a scan. A transaction changes them together with
 * their records.
 */
export interface Index {
  /** Ordered by score, then by member (as UTF-8 bytes); `from` and `to` are inclusive. 100 per page unless `limit` differs. */
  range(query?: Range): Promise<RangePage>;
  size(): Promise<number>;
}

export interface Range {
  from?: number | undefined;
  to?: number | undefined;
  /** The `next` of the previous page. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** A member whose score does not change comes exactly once over all pages. */
export interface RangePage {
  entries: { member: string; score: number }[];
  next: string | undefined;
}

export interface LogEntry {
  /** Sorts as a string: a later entry has a greater id. */
  id: string;
  /** Milliseconds since the epoch, set by the appender. */
  at: number;
  subjects: string[];
  data: unknown;
}

export interface LogQuery {
  /** Reads forward, from the entry after this id; "" is the beginning. Without it, the newest come first. */
  after?: string | undefined;
  /** Only entries before this id. */
  before?: string | undefined;
  /** Only entries with all of these subjects. */
  subjects?: readonly string[] | undefined;
  /** 50 by default. */
  limit?: number | undefined;
}

/**
 * An append-only log. Ids are never reused. A new entry has a higher id than every visible one, so that reading forward from the last
 * seen id misses none.
 */
export interface Log {
  /**
   * Appends an entry, and resolves with its id when it is on disk. Null, with nothing written, if any of `uniques` is known. Entry and
   * uniques expire after the log's retention, counted from `at` or from now, whichever is later. With infinite retention the entry stays
   * until it is cut.
   */
  append(
    entry: { at: number; subjects: readonly string[]; data: unknown },
    uniques?: readonly string[],
  ): Promise<string | null>;
  /** A page shorter than its limit is the last one for now. */
  read(query?: LogQuery): Promise<LogEntry[]>;
  entry(id: string): Promise<LogEntry | undefined>;
  /** Deletes the entries up to and including this id. Their ids are not reused, and their uniques stay known. */
  cut(through: string): Promise<void>;
}

/**
 * Locks for the duration of one piece of work. No write checks a fence, so an instance that stood still may work on after its lock
 * expired. A lock therefore only avoids duplicate work; the atomic claim of a request prevents doing or paying twice. A lock ends by
 * `unlock`, by its time to live, or with its instance. Its fence is of no other lock.
 */
export interface Locks {
  /** The fence if the lock was taken; else the `holder` value (JSON) of its present holder. */
  lock(name: string, holder: unknown, ttlMs: number): Promise<{ fence: number } | { holder: unknown }>;
  /** False if the lock was lost; then its new holder keeps it. If the store does not answer, the lock is released as soon as it does. */
  unlock(name: string, fence: number): Promise<boolean>;
}

/** A rate that all instances share, to respect an outside rate limit. It need not survive a crash. */
export interface Paces {
  /**
   * Takes a turn: `burst` at once, then one each `everyMs`. Resolves with 0 if it was taken, else with the milliseconds until the next
   * try. With `run` the turn is taken only if this instance still has that run, atomically; else it rejects with RunLost, as `prove`
   * does.
   */
  take(name: string, pace: { burst: number; everyMs: number }, run?: RunToken): Promise<number>;
}

/** Identifies one run of a timer. It proves that no other instance took the run over while this one stood still. */
export interface RunToken {
  lane: string;
  id: string;
  run: string;
  /** An earlier run may have ended with its process: what that one sent may still take effect. */
  repeats: boolean;
}

/** The handler of a timer. If it resolves with a time (milliseconds since the epoch), the timer runs again then. */
export type TimerHandler = (id: string, run: RunToken) => Promise<number | undefined> | Promise<void>;

/** The handlers of a room, by their lanes ("follow:"). `atOnce`: see `Timers.handle`. */
export type LaneHandlers = Readonly<Record<string, TimerHandler | { run: TimerHandler; atOnce: number }>>;

/** The overdue work of one lane. */
export interface LaneBacklog {
  lane: string;
  /** How many are due and not running. */
  due: number;
  /** Since when the oldest has been due; null if unknown or if none is. */
  since: number | null;
  /** How many failed at their last try. */
  failing: number;
}

/**
 * Timers: work to do at a time. They survive restarts, run at least once, and never twice at once for one id over all instances. An id
 * begins with its lane, a word and a colon ("follow:"); lanes do not wait for each other.
 */
export interface Timers {
  /**
   * Schedules a run of `id` at `at` (milliseconds since the epoch); resolves when that is on disk. Of several times the earliest counts.
   * If it is set during a run, another run follows.
   */
  set(id: string, at: number): Promise<void>;
  /**
   * Registers `run` for every id of the lane `prefix` ("follow:"), at most `atOnce` (16 by default) at a time in this instance. A run
   * that throws is retried with growing pauses. Throws StorageError if `prefix` is no lane or has a handler.
   */
  handle(prefix: string, run: TimerHandler, options?: { atOnce?: number }): void;
  /** Runs due timers, including those that a dead instance was running, and goes on with later ones. */
  start(): Promise<void>;
  /**
   * Resolves if this instance still has the run, and keeps it for some seconds. Rejects with RunLost if another instance has it, or if it
   * has ended.
   */
  prove(run: RunToken): Promise<void>;
  /** The overdue work in all instances: of each lane handled here, and of every other lane with such work. */
  backlog(): Promise<LaneBacklog[]>;
  /** Resolves once no timer of the lane is due or running. It does not wait for retries. */
  settled(lane: string): Promise<void>;
  /** Starts no more runs and waits for those in progress. The lanes in `but` continue until they are stopped as well. */
  stop(but?: readonly string[]): Promise<void>;
}

/**
 * One atomic step: records with their log entries, index members and timers. It is written only if each record still is as it was read,
 * and then as a whole. A timer is never lost once the rest is written, but may run although nothing was.
 */
export interface Transaction {
  records: readonly RecordChange[];
  log?: readonly { log: string; retentionMs: number; at: number; subjects: readonly string[]; data: unknown }[];
  /** Adds the member, or changes its score, a finite number. Null removes it. */
  index?: readonly { name: string; member: string; score: number | null }[];
  timers?: readonly { id: string; at: number }[];
}

export interface Store {
  keyv<T>(kind: Kind<T>): TypedKeyv<T>;
  /** The record as a transaction takes it back. Throws RecordUnreadable. */
  read<T>(kind: Kind<T>, key: string): Promise<Stored<T>>;
  /** True if it was written; false, with nothing changed, if a record has changed since it was read. */
  transact(step: Transaction): Promise<boolean>;
  /** Every readable record of a kind, for maintenance: it visits the whole store. One may come twice. */
  scan<T>(kind: Kind<T>): AsyncGenerator<Stored<T> & { value: T }>;
  index(name: string): Index;
  log(name: string, options: { retentionMs: number }): Log;
  locks: Locks;
  paces: Paces;
  timers: Timers;
  /** The id of this opening of the store. An instance that claims work writes it down, so that others can check that it is alive. */
  instance: string;
  /** True if that instance is still alive. */
  alive(instance: string): Promise<boolean>;
  /** Tests a real write. Resolves with problems as sentences for the operator; none if ready. */
  ready(): Promise<string[]>;
  /** Settings of the backend that weaken the store's guarantees, as sentences for the operator. */
  weaknesses(): string[];
  /** Stops the timers, finishes pending writes and closes the store. */
  close(): Promise<void>;
}
