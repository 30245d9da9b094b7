// storage/: what lasts: keyed values, an append-only log, wake-ups, locks. Which backend runs, nothing outside knows.
// May import: storage/*, the clock.

/**
 * What lasts. One interface for every backend, written for several processes on one store; nothing outside this folder knows
 * which backend runs (design section 8). What is said here is all that a caller may rely on: another opening sees a write once
 * it has resolved, not before.
 */

/** Keyed JSON values of one namespace. What comes back is `unknown`: the caller parses it, or has `createRecords` do so. */
export interface Values {
  /** The value, or undefined where there is none or it has expired. */
  get(key: string): Promise<unknown>;
  /** The same as the text that it is kept as. */
  text(key: string): Promise<string | undefined>;
  /** Keeps a JSON value, for `ttlMs` milliseconds if given. A time to live of 0 or less leaves the key absent. */
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  /** Says that nothing is kept under a key that was made a moment ago and that nobody else knows yet: it need not be looked for. */
  fresh(key: string): void;
  /** As `set`, for what nobody waits for: it is on disk a moment later, together with what is written next. */
  note(key: string, value: unknown, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Keeps the value only if the key is absent or expired, in one step. True for the one caller who got it. */
  claim(key: string, value: unknown, ttlMs?: number): Promise<boolean>;
  /** Gets and deletes in one step: of many takers, one gets the value and the others undefined. */
  take(key: string): Promise<unknown>;
  /**
   * Sets, in one step, only if the key still holds `expected`: what `get` gave, compared as JSON text; undefined stands for
   * absent or expired. True if it did. The time to live is the new value's own, as for `set`.
   */
  replace(key: string, expected: unknown, value: unknown, ttlMs?: number): Promise<boolean>;
  /** A page of the unexpired entries. Nobody should wait for a whole scan: what must be found fast has an index. */
  scan(query?: Scan): Promise<ScanPage>;
}

export interface Scan {
  /** Only keys that start with this text. */
  prefix?: string | undefined;
  /** The `next` of the page before; its form is the backend's own. */
  after?: string | undefined;
  /** About how many entries a page holds; 200 unless given. */
  limit?: number | undefined;
}

/**
 * In no promised order. An entry that is there throughout is given at least once; one that comes, changes or goes meanwhile may
 * be given or not. A page may be empty; the last one has no `next`.
 */
export interface ScanPage {
  entries: [key: string, value: unknown][];
  next: string | undefined;
}

/**
 * Members in the order of a number, such as a time: what is open is found without a scan. Each call is atomic, but index and
 * record are two writes, and a crash may fall between them. So put the member before the record is written, and remove it after
 * the record has gone or changed: then no record lacks its member, and a reader passes over a member without one.
 */
export interface Index {
  /** Adds the member, or moves it to another score. A score is a finite number. */
  put(member: string, score: number): Promise<void>;
  remove(member: string): Promise<void>;
  /** By score, then by member (as UTF-8 bytes); `from` and `to` are part of the range; 100 a page unless `limit` says otherwise. */
  range(query?: Range): Promise<RangePage>;
  size(): Promise<number>;
}

export interface Range {
  from?: number | undefined;
  to?: number | undefined;
  /** The `next` of the page before. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** A member that keeps its score is given exactly once over all pages. */
export interface RangePage {
  entries: { member: string; score: number }[];
  next: string | undefined;
}

export interface LogEntry {
  /** Sorts as a string: a later entry has a greater id. */
  id: string;
  /** Milliseconds since the epoch, as the appender gave it. */
  at: number;
  subjects: string[];
  data: unknown;
}

export interface LogQuery {
  /** Oldest first, from the entry after this id on; "" is the beginning. Without it, the newest come first. */
  after?: string | undefined;
  /** Only entries before this id. */
  before?: string | undefined;
  /** Only entries that bear all of these. */
  subjects?: readonly string[] | undefined;
  /** 50 unless given. */
  limit?: number | undefined;
}

/**
 * An append-only log. Ids are never given twice. An entry that becomes visible never has a lower id than one that was visible
 * before it, so that who reads forward from the last id seen misses none.
 */
export interface Log {
  /**
   * Keeps an entry and resolves with its id when it is on disk. Null, with nothing written, if any of `uniques` is known.
   * Entry and uniques are kept until the log's retention has passed since `at` or since now, whichever is later; where that is
   * infinite, the entry until it is cut.
   */
  append(
    entry: { at: number; subjects: readonly string[]; data: unknown },
    uniques?: readonly string[],
  ): Promise<string | null>;
  /** A page that is shorter than its limit is the last one for now. */
  read(query?: LogQuery): Promise<LogEntry[]>;
  entry(id: string): Promise<LogEntry | undefined>;
  uniqueKnown(unique: string): Promise<boolean>;
  /** Deletes the entries up to this id, itself included; no later one gets an id of theirs. Its uniques stay known. */
  cut(through: string): Promise<void>;
}

/**
 * Locks for the time that one piece of work takes. A lock ends by `unlock`, by its time to live, or with the opening that took
 * it. Its fence is greater than every fence that its name had before, for a day at least, also after a restart.
 */
export interface Locks {
  /** The fence of the lock that is now the caller's, or what the present holder said of itself (JSON). */
  lock(name: string, holder: unknown, ttlMs: number): Promise<{ fence: number } | { holder: unknown }>;
  /** Counts the time to live anew. False if the lock was lost. */
  renew(name: string, fence: number, ttlMs: number): Promise<boolean>;
  /** False, with nothing changed, if the lock was lost: whoever has it by now keeps it. */
  unlock(name: string, fence: number): Promise<boolean>;
}

/** A pace that all openings keep together, as somebody outside asks for it. Nothing of it survives a crash, or needs to. */
export interface Paces {
  /**
   * Takes a turn under this name, of which there are `burst` at once and then one each `everyMs`: 0 if it was taken, else the
   * milliseconds after which it may be asked for again.
   */
  take(name: string, pace: { burst: number; everyMs: number }): Promise<number>;
}

/** What a wake-up does. A time (milliseconds since the epoch) as its answer asks for another run then. */
export type WakeupRun = (id: string) => Promise<number | undefined> | Promise<void>;

/** What of a lane should have begun by now, and has not. */
export interface LaneBacklog {
  lane: string;
  /** How many are due and not under way. */
  due: number;
  /** Since when the one that waits longest has been due; null where nobody knows or none is. */
  since: number | null;
  /** How many failed when they were last tried. */
  failing: number;
}

/**
 * Work to do at a time. It survives restarts, runs at least once, and never twice at once for one id over all openings. An id
 * begins with its lane, a word and a colon ("follow:"); lanes do not wait for each other.
 */
export interface Wakeups {
  /**
   * Asks for a run of `id` at `at` (milliseconds since the epoch); resolves when that is on disk. The earliest time wins
   * while it waits; asked during a run, another run follows.
   */
  wake(id: string, at: number): Promise<void>;
  /** Forgets what waits. A run in progress ends, and is neither repeated nor tried again, whatever it answers. */
  cancel(id: string): Promise<void>;
  /**
   * Gives every id of the lane `prefix` ("follow:") to `run`, at most `atOnce` (16 unless given) at a time in this opening. A
   * run that throws is tried again, later each time. Throws StorageError for what is no lane, or has a handler.
   */
  handle(prefix: string, run: WakeupRun, options?: { atOnce?: number }): void;
  /** Runs what is due, including what was under way in an opening that has gone, and goes on with what falls due. */
  start(): Promise<void>;
  /** What waits, over all openings: of each lane that is handled here, and of every other in which something does. */
  backlog(): Promise<LaneBacklog[]>;
  /** Starts nothing more, and waits for the runs in progress. */
  stop(): Promise<void>;
}

/**
 * A record's next state with everything that goes with it. Nothing is written unless the record is still what was read; else all of it
 * is, in one step. A wake-up is never lost once the rest is written, and may run although nothing was.
 */
export interface Batch {
  record: {
    namespace: string;
    key: string;
    /** What `get` gave, of values or of records; undefined for a record that must not be there yet. */
    expected: unknown;
    value: unknown;
    ttlMs?: number;
  };
  append?: { log: string; retentionMs: number; at: number; subjects: readonly string[]; data: unknown }[];
  /** A score of null removes the member. */
  index?: { name: string; member: string; score: number | null }[];
  wake?: { id: string; at: number }[];
}

export interface Store {
  /** True if it was written; false, with nothing changed, if somebody else has changed the record since. */
  commit(batch: Batch): Promise<boolean>;
  values(namespace: string): Values;
  /**
   * Values that all openings share, but that may vanish when the process ends: marks of what is under way, which nobody reads
   * after a crash. The embedded backend keeps them in memory and never on disk.
   */
  ephemeral(namespace: string): Values;
  index(name: string): Index;
  log(name: string, options: { retentionMs: number }): Log;
  locks: Locks;
  paces: Paces;
  wakeups: Wakeups;
  /** The id of this opening of the store: whoever claims work writes it down, so that others can see if they still live. */
  instance: string;
  /** Whether that opening is still at work. */
  alive(instance: string): Promise<boolean>;
  /** Proves a real write. The problems as sentences for people; none when ready. */
  ready(): Promise<string[]>;
  /** What keeps the store from all that it promises, though it works: settings of what is beneath it, as sentences for people. */
  weaknesses(): string[];
  /** Stops the wake-ups, finishes the waiting writes and lets go of the store. */
  close(): Promise<void>;
}
