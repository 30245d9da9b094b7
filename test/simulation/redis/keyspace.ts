import type { SortedSet } from "./sorted-set.ts";

type Content = string | Set<string> | SortedSet;

interface Entry {
  content: Content;
  /** In milliseconds of the server's clock: the key is gone after this one. */
  endsAt: number | null;
  /** A later key has a greater number: SCAN goes by these. */
  born: number;
}

/** All keys, as data that another server can begin with. */
export type Dump = readonly { key: string; content: Content; endsAt: number | null }[];

/** The keys of a server. */
export interface Keyspace {
  get(key: string): Entry | undefined;
  /** Puts a content under a key; its time stays if `keepsEnd`. */
  put(key: string, content: Content, options?: { endsAt?: number | null; keepsEnd?: boolean }): void;
  /** An empty set or index is no key any more. */
  changed(key: string): void;
  /** Must be called before a content is changed in place. */
  touch(key: string): void;
  expireAt(key: string, at: number): void;
  delete(key: string): boolean;
  /** The keys after this number, as SCAN goes on. */
  after(born: number): Iterable<[key: string, born: number]>;
  /** All keys, each once. */
  keys(): string[];
  /** A command begins: what it changes comes to the disk together. */
  begin(): void;
  /** The disk has all that was done so far. */
  flushed(): void;
  /** Commands with changes that the disk has not confirmed. */
  readonly unflushed: number;
  /** A power cut: of the commands that the disk has not confirmed the first ones are left, as many as `kept`. */
  cut(kept: number): void;
  dump(): Dump;
  load(dump: Dump): void;
}

export function createKeyspace(now: () => number): Keyspace {
  const entries = new Map<string, Entry>();
  /** For each command that the disk has not confirmed, the entries before it, in the order in which it changed them. */
  let before: { key: string; entry: Entry | undefined }[][] = [[]];
  let births = 0;

  /** Redis deletes what has expired when somebody next asks for it. */
  function get(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry?.endsAt == null || now() <= entry.endsAt) return entry;
    touch(key);
    entries.delete(key);
    return undefined;
  }

  function touch(key: string): void {
    const entry = entries.get(key);
    before.at(-1)?.push({ key, entry: entry && { ...entry, content: copyOf(entry.content) } });
  }

  return {
    get,
    touch,
    put(key, content, { endsAt = null, keepsEnd = false } = {}) {
      const former = get(key);
      touch(key);
      births += 1;
      const end = keepsEnd ? (former?.endsAt ?? null) : endsAt;
      entries.set(key, { content, endsAt: end, born: former?.born ?? births });
    },
    changed(key) {
      const content = entries.get(key)?.content;
      if (content !== undefined && typeof content !== "string" && content.size === 0) entries.delete(key);
    },
    expireAt(key, at) {
      const entry = get(key);
      if (!entry) return;
      touch(key);
      entry.endsAt = at;
    },
    delete(key) {
      if (!get(key)) return false;
      touch(key);
      return entries.delete(key);
    },
    *after(born) {
      for (const [key, entry] of entries) if (entry.born > born && get(key)) yield [key, entry.born];
    },
    keys: () => [...entries.keys()].filter((key) => get(key)),
    begin() {
      if (before.at(-1)?.length !== 0) before.push([]);
    },
    flushed() {
      before = [[]];
    },
    get unflushed() {
      return before.filter(({ length }) => length > 0).length;
    },
    cut(kept) {
      for (const { key, entry } of before.slice(kept).flat().toReversed())
        if (entry) entries.set(key, entry);
        else entries.delete(key);
      before = [[]];
    },
    dump: () => [...entries].map(([key, { content, endsAt }]) => ({ key, content: copyOf(content), endsAt })),
    load(dump) {
      for (const { key, content, endsAt } of dump) {
        births += 1;
        entries.set(key, { content: copyOf(content), endsAt, born: births });
      }
    },
  };
}

function copyOf(content: Content): Content {
  if (typeof content === "string") return content;
  return content instanceof Set ? new Set(content) : content.copy();
}

/** The content of a kind; undefined where there is no key. Throws WrongType for another kind. */
export function textIn(entry: Entry | undefined): string | undefined {
  if (entry === undefined) return undefined;
  if (typeof entry.content === "string") return entry.content;
  throw new WrongType();
}

export function setIn(entry: Entry | undefined): Set<string> | undefined {
  if (entry === undefined) return undefined;
  if (entry.content instanceof Set) return entry.content;
  throw new WrongType();
}

export function indexIn(entry: Entry | undefined): SortedSet | undefined {
  if (entry === undefined) return undefined;
  if (typeof entry.content === "string" || entry.content instanceof Set) throw new WrongType();
  return entry.content;
}

export class WrongType extends Error {
  override readonly name = "WrongType";
}
