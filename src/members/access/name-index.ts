import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import * as z from "#zod";
import { type Entry, type IndexedEntries, type IndexedKind, isUntyped } from "../../operation/target.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { readAllPages } from "../../platform/http/pages.ts";
import type { Clock } from "../../process/clock.ts";
import { oncePer } from "../../process/once-per.ts";
import { defineKind } from "../../storage/kind.ts";
import type { TypedKeyv } from "../../storage/store.ts";
import type { Session } from "./access.ts";
import { backgroundAllowedAt, createAllowance } from "./background-rate.ts";
import { createSharedLists } from "./shared-lists.ts";

/** An older list is read again in the background when an answer uses it. */
const staleAfter = 2 * 60_000;
/** A list that was used within `keepFor` is read again at this interval. */
const keepEvery = 10 * 60_000;
const keepFor = 30 * 60_000;
/** No list in memory is older: the largest are read again sooner. */
const longestAge = 6 * 60 * 60_000;
/** Each call of a read delays the next read by this. A large list then takes a fifth of the spec's 1,000 calls an hour. */
const everyCall = 18_000;
/** Bytes of all lists in memory together: some 10 lists of 5,000 machines with no machine in common. */
const mostInMemory = 64 * 1024 * 1024;
/** Lists in memory, since each has a timer: those of 4,000 members who work with five kinds. */
const most = 20_000;

interface CachedList {
  /** Its key in the cache. */
  id: string;
  listing: IndexedEntries | null;
  /** The calls that the last read of it took: one for each page. */
  calls: number;
  reading: Promise<IndexedEntries> | null;
  /** Entries that the read in progress has returned so far. */
  arrived: Entry[];
  usedAt: number;
  /** Entries that were read by themselves, with the time of reading. An older list does not have them as they are. Null: unreadable. */
  single: Map<string, { entry: Entry | null; at: number }>;
  /** Ends when each entry that is being read by itself is in the list. */
  adding: Promise<unknown>;
  /** Releases the memory of `listing` and of `single`. */
  release: () => void;
  /** Stops the timer that reads the list again. */
  stop: () => void;
}

/** The entries of a list that were read so far. `at`: when the whole list was read; null while it is incomplete. */
export interface PartialList {
  entries: Entry[];
  at: number | null;
}

/** The key and project with which a list is read. */
export type IndexViewer<A extends ApiName> = Pick<Session<A>, "client" | "link" | "actor">;

/**
 * The machines and other resources that each key can see. Names, filters and typeahead need it, since the platform's lists take only a
 * page and a limit. It lives in this process alone, by API, key, project and kind: another key or project is another list, so nothing
 * must be invalidated. A kind that is a part of another is read with it, once for both.
 */
export interface NameIndex {
  /**
   * The list, read first if it is not in memory. `fresh` reads it again, a large one less often: a few typing slips would use up the rate
   * limit. A list that is older than the key's last write is always read again.
   */
  listing<A extends ApiName>(
    viewer: IndexViewer<A>,
    kind: IndexedKind<A>,
    options?: { fresh?: boolean },
  ): Promise<IndexedEntries>;
  /** The entries read so far, without waiting: all, or the pages that have arrived. `at` is null until all were read. */
  known<A extends ApiName>(viewer: IndexViewer<A>, kind: IndexedKind<A>): PartialList;
  /** When the key last wrote something (milliseconds since the epoch): a list read before that may be wrong, however young it is. */
  lastWrite(viewer: Pick<IndexViewer<ApiName>, "link">): Promise<number>;
  /**
   * Reads an entry and puts it into the lists in memory, so that its name is found without reading them again. A list that is asked for
   * meanwhile waits for it; a failed read changes nothing.
   */
  add<A extends ApiName>(viewer: IndexViewer<A>, kind: IndexedKind<A>, id: string, read: () => Promise<Entry>): void;
  /** Notes a write with the viewer's key: lists that were read before it may lack what it made or renamed. Never rejects. */
  wrote(viewer: Pick<IndexViewer<ApiName>, "link">): Promise<void>;
  stop(): void;
}

/** The time of each key's last write. All instances share it, since each has its own lists. */
export const lastWrites = defineKind({
  name: "time of a write",
  namespace: "last-write",
  schema: z.number(),
  ttlMs: longestAge,
  lasts: "memory",
});

interface NameIndexDeps {
  lastWrites: TypedKeyv<number>;
  clock: Clock;
  log: Logger;
  /** False once the member has unlinked the key, linked another or become a guest, or the platform rejected it: a timer must not go on using that key. */
  isCurrent(link: IndexViewer<ApiName>["link"]): Promise<boolean>;
  /** Notes that the platform rejected the key, if that is the error. */
  noteError(link: IndexViewer<ApiName>["link"], error: unknown): Promise<void>;
  /** Bytes for all lists. Over it, the least recently used ones are dropped. */
  mostBytes?: number;
}

export function createNameIndex(deps: NameIndexDeps): NameIndex {
  const { lastWrites, clock, log, isCurrent, noteError, mostBytes = mostInMemory } = deps;
  const shared = createSharedLists();
  // By size: with `max` the cache would make room for all of them at once.
  const cache = new LRUCache<string, CachedList>({ maxSize: most, sizeCalculation: () => 1, dispose: drop });

  function drop(item: CachedList): void {
    item.stop();
    item.release();
    item.release = () => {};
  }

  /** One allowance per key: a member who works in five projects must not get five times the calls. */
  const allowance = createAllowance(clock);

  /**
   * Puts the list in place of the one before it. A list that was dropped meanwhile is not held: its reader alone still has it.
   */
  function putListing(item: CachedList, { entries, ...read }: IndexedEntries): IndexedEntries {
    if (cache.peek(item.id) !== item) return { entries, ...read };
    const hold = shared.hold();
    item.listing = { entries: hold.list(entries), ...read };
    item.release();
    item.release = hold.release;
    while (shared.bytes() > mostBytes && cache.size > 1) cache.pop();
    return item.listing;
  }

  function cachedList(id: string): CachedList {
    const known = cache.get(id);
    if (known) return known;
    const item: CachedList = {
      id,
      listing: null,
      calls: 1,
      reading: null,
      arrived: [],
      usedAt: clock.now(),
      single: new Map(),
      adding: Promise.resolve(),
      release: () => {},
      stop: () => {},
    };
    cache.set(id, item);
    return item;
  }

  function readAnew<A extends ApiName>(
    item: CachedList,
    { client, link }: IndexViewer<A>,
    kind: IndexedKind<A>,
  ): Promise<IndexedEntries> {
    if (item.reading) return item.reading;
    // Each page is shared as it arrives: many members who read a large list at once would need the memory of many lists.
    const { rows, release } = shared.hold();
    item.reading = readAll(client, kind, clock, { rows, arrived: item.arrived })
      .then(({ calls, ...read }) => {
        item.calls = calls;
        allowance.spend(keyOf(link), calls);
        return putListing(item, withSingle(item, read));
      })
      .catch(async (error: unknown) => {
        await noteError(link, error);
        throw error;
      })
      .finally(() => {
        release();
        item.reading = null;
        item.arrived = [];
      });
    return item.reading;
  }

  /** The list as it is now. A read in flight serves too, unless it began before the key's last write: it may lack what that made. */
  async function readNow<A extends ApiName>(
    item: CachedList,
    viewer: IndexViewer<A>,
    kind: IndexedKind<A>,
  ): Promise<IndexedEntries> {
    const inFlight = await item.reading;
    return inFlight && !(await isOutdated(inFlight, viewer)) ? inFlight : readAnew(item, viewer, kind);
  }

  function readBehind<A extends ApiName>(item: CachedList, viewer: IndexViewer<A>, kind: IndexedKind<A>): void {
    if (backgroundAllowedAt(viewer.client.budget()) !== null) return;
    if (allowance.wait(keyOf(viewer.link)) > 0) return;
    readAnew(item, viewer, kind).catch((error: unknown) =>
      log.warn({ err: error, noun: kind.noun }, "A name index could not be read"),
    );
  }

  function readWhileLinked<A extends ApiName>(item: CachedList, viewer: IndexViewer<A>, kind: IndexedKind<A>): void {
    isCurrent(viewer.link)
      .then((current) => (current ? readBehind(item, viewer, kind) : void cache.delete(item.id)))
      .catch((error: unknown) => log.warn({ err: error, noun: kind.noun }, "A link could not be read"));
  }

  function keepFresh<A extends ApiName>(
    item: CachedList,
    viewer: IndexViewer<A>,
    kind: IndexedKind<A>,
    after = noSooner(keepEvery, item),
  ): void {
    item.stop();
    item.stop = clock.after(after, () => {
      if (cache.peek(item.id) !== item) return;
      if (clock.now() - item.usedAt > keepFor) return void cache.delete(item.id);
      const wait = allowance.wait(keyOf(viewer.link));
      // Retry as soon as the key may be used, before another list of the same key takes the turn.
      if (wait > 0) return keepFresh(item, viewer, kind, wait);
      readWhileLinked(item, viewer, kind);
      keepFresh(item, viewer, kind);
    });
  }

  /** True if the key wrote something since the list was read. */
  async function isOutdated({ at }: IndexedEntries, viewer: Pick<IndexViewer<ApiName>, "link">): Promise<boolean> {
    return at <= (await nameIndex.lastWrite(viewer));
  }

  async function addTo(item: CachedList, id: string, reading: Promise<Entry>, noun: string): Promise<void> {
    const at = clock.now();
    // A slow read is as old as its question: it must not replace what was asked for and read meanwhile.
    const put = (entry: Entry | null) => {
      if ((item.single.get(id)?.at ?? at) <= at) item.single.set(id, { entry, at });
    };
    try {
      put(await reading);
      if (item.listing) putListing(item, withSingle(item, item.listing));
    } catch (error) {
      // Each poll of a job adds the same resource: one that the key cannot read must not cost a call each time.
      put(null);
      log.info({ err: error, noun }, "An entry of the name index could not be read");
    }
  }

  const nameIndex: NameIndex = {
    async listing(viewer, kind, { fresh = false } = {}) {
      const { among } = kind;
      if (among) {
        const { entries, ...read } = await nameIndex.listing(viewer, among.kind, { fresh });
        return { ...read, ...partOf(entries, among.type) };
      }
      const id = idOf({ ...viewer, project: viewer.actor.project }, kind);
      const isNew = !cache.has(id);
      const item = cachedList(id);
      item.usedAt = clock.now();
      if (isNew) keepFresh(item, viewer, kind);
      await item.adding;
      if (!item.listing) return fresh ? readNow(item, viewer, kind) : readAnew(item, viewer, kind);
      const age = clock.now() - item.listing.at;
      if (fresh && (age >= freshFor(item) || (await isOutdated(item.listing, viewer))))
        return readNow(item, viewer, kind);
      if (age > noSooner(staleAfter, item)) readBehind(item, viewer, kind);
      return item.listing;
    },
    known(viewer, kind) {
      const { among } = kind;
      if (among) {
        const { entries, at } = nameIndex.known(viewer, among.kind);
        return { ...partOf(entries, among.type), at };
      }
      const item = cache.get(idOf({ ...viewer, project: viewer.actor.project }, kind));
      return item?.listing ?? { entries: item?.arrived.slice() ?? [], at: null };
    },
    async lastWrite({ link }) {
      return (await lastWrites.get(keyOf(link))) ?? Number.NEGATIVE_INFINITY;
    },
    add(viewer, kind, id, read) {
      if (kind.among) return nameIndex.add(viewer, kind.among.kind, id, read);
      const ids = new Set([viewer.actor.project, null].map((project) => idOf({ ...viewer, project }, kind)));
      const lists = [...ids]
        .flatMap((each) => cache.peek(each) ?? [])
        .filter(({ single }) => single.get(id)?.entry !== null);
      if (lists.length === 0) return;
      const reading = read();
      for (const item of lists) item.adding = Promise.all([item.adding, addTo(item, id, reading, kind.noun)]);
    },
    async wrote({ link }) {
      try {
        await lastWrites.set(keyOf(link), clock.now());
      } catch (error) {
        // The write is done: an error of the store must not look like one of the platform.
        log.warn({ err: error }, "The time of a write could not be stored");
      }
    },
    stop: () => cache.clear(),
  };
  return nameIndex;
}

type Part = Pick<IndexedEntries, "entries" | "untyped">;

const partsOf = oncePer((_: Entry[]) => new Map<string, Part>());

/** Returns the same array for the same entries, so that what callers derive from it is made once. */
function partOf(entries: Entry[], type: string): Part {
  const parts = partsOf(entries);
  const part = parts.get(type) ?? {
    entries: entries.filter((entry) => entry.type === type),
    untyped: entries.filter(isUntyped).length,
  };
  parts.set(type, part);
  return part;
}

type ListOf = Pick<IndexViewer<ApiName>, "link"> & { project: IndexViewer<ApiName>["actor"]["project"] };

function idOf({ link, project }: ListOf, { noun }: { noun: string }): string {
  return JSON.stringify([link.api, link.member, link.keyId, link.scopes, project?.id ?? null, noun]);
}

/** The list with the entries that were read by themselves since, each in place of its older self. */
function withSingle({ single }: CachedList, { entries, ...read }: IndexedEntries): IndexedEntries {
  for (const [id, one] of single) if (one.at < read.at) single.delete(id);
  const newer = [...single.values()].flatMap(({ entry }) => entry ?? []);
  if (newer.length === 0) return { entries, ...read };
  return { entries: [...newer, ...entries.filter(({ id }) => !single.get(id)?.entry)], ...read };
}

function keyOf({ api, keyId }: Pick<IndexViewer<ApiName>["link"], "api" | "keyId">): string {
  return `${api} ${keyId}`;
}

function noSooner(usual: number, { calls }: CachedList): number {
  return Math.max(usual, calls * everyCall);
}

/** Milliseconds for which a list counts as fresh: none for a single page, and more for each further call. */
function freshFor({ calls }: CachedList): number {
  return (calls - 1) * everyCall;
}

/** The list as the platform has it now, read with this client and kept nowhere. */
export async function readWholeList<A extends ApiName>(
  client: IndexViewer<A>["client"],
  kind: IndexedKind<A>,
  clock: Clock,
): Promise<IndexedEntries> {
  const { among } = kind;
  const one = { rows: (rows: Entry[]) => rows, arrived: [] };
  const { entries, calls: _, ...read } = await readAll(client, among?.kind ?? kind, clock, one);
  return { ...read, ...(among ? partOf(entries, among.type) : { entries }) };
}

async function readAll<A extends ApiName>(
  client: IndexViewer<A>["client"],
  kind: IndexedKind<A>,
  clock: Clock,
  { rows, arrived }: { rows: (page: Entry[]) => Entry[]; arrived: Entry[] },
): Promise<IndexedEntries & { calls: number }> {
  const at = clock.now();
  const pages = await readAllPages(
    client,
    async (page) => {
      const read = await kind.entries(client, { page, limit: kind.pageSize });
      return { ...read, rows: rows(read.rows) };
    },
    // A row whose id cannot be read can be named in its list, and is no target.
    (page) => void arrived.push(...page.filter(({ id }) => id !== "")),
  );
  const all = pages.flat();
  const named = all.filter(({ id }) => id !== "");
  const entries = [...new Map(named.map((entry) => [entry.id, entry])).values()];
  return { entries, unnamed: all.length - named.length, at, calls: pages.length };
}
