/** What lasts. One interface for every backend; nothing outside this folder knows which one runs (design section 8). */

/** Keyed JSON values of one namespace. What comes back is `unknown`: the caller parses it. */
export interface Values {
  /** The value, or undefined where there is none or it has expired. */
  get(key: string): Promise<unknown>;
  /** Keeps a JSON value, for `ttlMs` milliseconds if given. A time to live of 0 or less leaves the key absent. */
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Keeps the value only if the key is absent or expired, in one step. True for the one caller who got it. */
  claim(key: string, value: unknown, ttlMs?: number): Promise<boolean>;
  /** Gets and deletes in one step: of many takers, one gets the value and the others undefined. */
  take(key: string): Promise<unknown>;
  /** The unexpired entries whose key starts with `prefix`, in no promised order, read in pages while the caller works. */
  entries(prefix?: string): AsyncIterable<[key: string, value: unknown]>;
}

export interface LogEntry {
  /** Sorts as a string: a later entry has a greater id. */
  id: string;
  /** Milliseconds since the epoch, as the appender gave it. */
  at: number;
  subjects: string[];
  data: unknown;
}

export interface Log {
  /**
   * Keeps an entry and resolves when it is on disk. False, with nothing written, if any of `uniques` is already known.
   * Entry and uniques are kept until the log's retention has passed since `at` or since now, whichever is later.
   */
  append(entry: { at: number; subjects: string[]; data: unknown }, uniques?: string[]): Promise<boolean>;
  /** The last appended first; `before` is the id to go on from, `limit` is 50 unless given. */
  newest(query?: { limit?: number; before?: string; subject?: string }): Promise<LogEntry[]>;
}

/** Work to do at a time. It survives restarts, runs at least once, and never twice at once for one id. */
export interface Wakeups {
  /**
   * Asks for a run of `id` at `at` (milliseconds since the epoch); resolves when that is on disk. The earliest time wins
   * while it waits; asked during a run, another run follows.
   */
  wake(id: string, at: number): Promise<void>;
  /** Forgets what waits. A run in progress ends, and is neither repeated nor tried again. */
  cancel(id: string): Promise<void>;
  /** Gives every id that starts with `prefix` ("follow:") to `run`. A run that throws is tried again, later each time. */
  handle(prefix: string, run: (id: string) => Promise<void>): void;
  /** Runs what is due, including what was under way when the last process ended, and goes on with what falls due. */
  start(): Promise<void>;
  /** Starts nothing more, and waits for the runs in progress. */
  stop(): Promise<void>;
}

export interface Store {
  values(namespace: string): Values;
  log(name: string, options: { retentionMs: number }): Log;
  wakeups: Wakeups;
  /** The id of this opening of the store: whoever claims work writes it down, so that others can see if they still live. */
  instance: string;
  /** Whether that opening is still at work. */
  alive(instance: string): Promise<boolean>;
  /** Proves a real write. The problems as sentences for people; none when ready. */
  ready(): Promise<string[]>;
  /** Stops the wake-ups, finishes the waiting writes and lets go of the store. */
  close(): Promise<void>;
}
