/**
 * How safe a change is once its promise has resolved. "disk": on the disk. "system": a moment earlier, when only a power cut can take it.
 * "soon": the same, but some milliseconds later, so that it goes along with others. A change that was made later is never on the disk before.
 */
export type Lasting = "disk" | "system" | "soon";

/** A value that is there at once, or a promise of it. */
export type Reading<T> = T | Promise<T>;

/**
 * A text under a key. `was`: it must be stored so (null: not at all); absent: whatever is there. `text`: undefined deletes it. Keys that begin
 * with "mark:" may be lost with the process, and are as fast as memory.
 */
export interface TextChange {
  key: string;
  was?: string | null;
  text: string | undefined;
  ttlMs?: number | undefined;
}

/**
 * A member of an index. `was`: it must have this score (null: none). `score`: null removes it. `least`: the lower of the two scores stays.
 * `unless`: if there is a text under this key, the member goes to that index. `takes`: its score in that index is taken out of there, and
 * the lower of the two counts.
 */
export interface MemberChange {
  index: string;
  member: string;
  was?: number | null;
  score: number | null;
  least?: boolean;
  unless?: { key: string; index: string };
  takes?: string;
}

/** One atomic step: made as a whole if every `was` is right, else not at all. */
export interface Change {
  texts?: readonly TextChange[];
  members?: readonly MemberChange[];
  /** Each member gets the next number of the counter as its score, in each of the indexes. */
  appends?: readonly { counter: string; member: string; indexes: readonly string[] }[];
  /** This instance gets work by it, so it also shows that it is alive. */
  signs?: boolean;
  /** That instance must not be alive. */
  gone?: string | undefined;
}

export interface Member {
  member: string;
  score: number;
}

/** `from` and `to` are inclusive. `after`: a member of the page before, and its score. `reverse`: the highest come first. */
export interface MemberQuery {
  from?: number;
  to?: number;
  after?: Member | undefined;
  limit: number;
  reverse?: boolean;
}

/** Everything in a store, for a copy. */
export type Item =
  | { kind: "text"; key: string; text: string; endsAt: number | null }
  | { kind: "member"; index: string; member: string; score: number }
  | { kind: "counter"; counter: string; number: number };

/** A store for a tool, while no instance uses it. */
export interface Portable {
  /** Its name in sentences, without a password. */
  name: string;
  /** Everything that has not expired. */
  items(now: number): AsyncIterable<Item>;
  /** Puts the items into an empty store. */
  take(items: AsyncIterable<Item>): Promise<void>;
  close(): Promise<void>;
}

/**
 * The two things of which a store is made: texts by key, and indexes with members in the order of a number. A backend has these; records,
 * logs, timers and locks are built on them, once for all backends. Nobody learns of what the disk may still lose: whoever reads it, or
 * fails by it, waits until the disk has it. All methods reject with StorageError.
 */
export interface Engine {
  /** Identifies this opening of the store. */
  instance: string;
  get(key: string): Reading<string | undefined>;
  /**
   * Resolves when it lasts so, "disk" unless given. In the answer come the numbers of the appends, then the scores of members that take
   * (null: none is left). Undefined if a condition was not met.
   */
  apply(change: Change, options?: { lasts?: Lasting }): Promise<(number | null)[] | undefined>;
  range(index: string, query: MemberQuery): Promise<Member[]>;
  score(index: string, member: string): Reading<number | undefined>;
  /** Counts no further than `most`. */
  size(index: string, most?: number): Promise<number>;
  /** The indexes whose names begin with one of `~due ` or `~log `, with their lowest score. */
  named(prefix: "~due " | "~log "): Promise<{ index: string; first: number }[]>;
  /** Every text whose key begins so, one may come twice. */
  scan(prefix: string): AsyncGenerator<[key: string, text: string]>;
  /** Takes a turn: `burst` at once, then one each `everyMs`. 0 if it was taken, else the milliseconds until the next. */
  turn(name: string, burst: number, everyMs: number): Promise<number>;
  alive(instance: string): Reading<boolean>;
  /** Milliseconds between looks for timers that another process set. */
  lookEveryMs: number;
  weaknesses(): string[];
  /** Proves that it can write. */
  prove(): Promise<void>;
  close(): Promise<void>;
}
