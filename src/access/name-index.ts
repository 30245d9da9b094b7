import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Entry, IndexedEntries, IndexedKind } from "../operation/target.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { Session } from "./access.ts";
import { createAllowance } from "./allowance.ts";
import { backgroundAllowedAt } from "./background-rate.ts";

/** An older list is read again in the background when an answer uses it. */
const staleAfter = 2 * 60_000;
/** A list that was used within `keepFor` is read again at this interval. */
const keepEvery = 10 * 60_000;
const keepFor = 30 * 60_000;
/** Each call of a read delays the next read by this. A large list then takes a fifth of the spec's 1,000 calls an hour. */
const everyCall = 18_000;
/** Lists in memory; the least recently used one is dropped first. */
const most = 400;

interface CachedList {
  listing: IndexedEntries | null;
  reading: Promise<IndexedEntries> | null;
  /** Entries that the read in progress has returned so far. */
  arrived: Entry[];
  usedAt: number;
  /** Stops the timer that reads the list again. */
  stop: () => void;
}

/** The entries of a list that were read so far. `at`: when the whole list was read; null while it is incomplete. */
export interface PartialList {
  entries: Entry[];
  at: number | null;
}

/** The key and project with which a list is read. */
export type Viewer<A extends ApiName> = Pick<Session<A>, "client" | "link" | "actor">;

/**
 * The machines and other resources that each key can see. Names, filters and typeahead need it, since the platform's lists take only a
 * page and a limit. It lives in this process alone, by API, key, project and kind: another key or project is another list, so nothing
 * must be invalidated. A kind that is a part of another is read with it, once for both.
 */
export interface NameIndex {
  /**
   * The list, read first if it is not in memory. `fresh` reads it again, a large one less often: a few typing slips would use up the rate
   * limit.
   */
  listing<A extends ApiName>(
    viewer: Viewer<A>,
    kind: IndexedKind<A>,
    options?: { fresh?: boolean },
  ): Promise<IndexedEntries>;
  /** The entries read so far, without waiting: all, or the pages that have arrived. `at` is null until all were read. */
  known<A extends ApiName>(viewer: Viewer<A>, kind: IndexedKind<A>): PartialList;
  stop(): void;
}

interface NameIndexDeps {
  clock: Clock;
  log: Logger;
  /** False once the member has unlinked the key or linked another: a timer must not go on using a key that was erased. */
  isCurrent(link: Viewer<ApiName>["link"]): Promise<boolean>;
}

export function createNameIndex({ clock, log, isCurrent }: NameIndexDeps): NameIndex {
  const cache = new LRUCache<string, CachedList>({ max: most, dispose: (item) => item.stop() });

  /** One allowance per key: a member who works in five projects must not get five times the calls. */
  const allowance = createAllowance(clock);

  const parts = new WeakMap<IndexedEntries, Map<string, IndexedEntries>>();

  /** Returns the same object for the same list, so that whatever callers derive from its entries is made once. */
  function partOf(whole: IndexedEntries, type: string): IndexedEntries {
    const known = parts.get(whole) ?? new Map<string, IndexedEntries>();
    parts.set(whole, known);
    const part = known.get(type) ?? { entries: ofType(whole.entries, type), at: whole.at };
    known.set(type, part);
    return part;
  }

  function cachedList(id: string): CachedList {
    const known = cache.get(id);
    if (known) return known;
    const item: CachedList = { listing: null, reading: null, arrived: [], usedAt: clock.now(), stop: () => {} };
    cache.set(id, item);
    return item;
  }

  function readAnew<A extends ApiName>(
    item: CachedList,
    { client, link }: Viewer<A>,
    kind: IndexedKind<A>,
  ): Promise<IndexedEntries> {
    item.reading ??= readAll(client, kind, clock, item.arrived)
      .then((listing) => {
        item.listing = listing;
        allowance.spend(keyOf(link), Math.max(1, callsFor(listing, kind.pageSize)));
        return listing;
      })
      .finally(() => {
        item.reading = null;
        item.arrived = [];
      });
    return item.reading;
  }

  function readBehind<A extends ApiName>(item: CachedList, viewer: Viewer<A>, kind: IndexedKind<A>): void {
    if (backgroundAllowedAt(viewer.client.budget()) !== null) return;
    if (allowance.wait(keyOf(viewer.link)) > 0) return;
    readAnew(item, viewer, kind).catch((error: unknown) =>
      log.warn({ err: error, noun: kind.noun }, "A directory could not be read"),
    );
  }

  function readWhileLinked<A extends ApiName>(
    id: string,
    item: CachedList,
    viewer: Viewer<A>,
    kind: IndexedKind<A>,
  ): void {
    isCurrent(viewer.link)
      .then((current) => (current ? readBehind(item, viewer, kind) : void cache.delete(id)))
      .catch((error: unknown) => log.warn({ err: error, noun: kind.noun }, "A link could not be read"));
  }

  function keepFresh<A extends ApiName>(
    id: string,
    item: CachedList,
    viewer: Viewer<A>,
    kind: IndexedKind<A>,
    after = noSooner(keepEvery, item.listing, kind.pageSize),
  ): void {
    item.stop();
    item.stop = clock.after(after, () => {
      if (cache.peek(id) !== item) return;
      if (clock.now() - item.usedAt > keepFor) return void cache.delete(id);
      const wait = allowance.wait(keyOf(viewer.link));
      if (wait === 0) readWhileLinked(id, item, viewer, kind);
      // Retry as soon as the key may be used, before another list of the same key takes the turn.
      if (wait > 0) keepFresh(id, item, viewer, kind, wait);
      else keepFresh(id, item, viewer, kind);
    });
  }

  const nameIndex: NameIndex = {
    async listing(viewer, kind, { fresh = false } = {}) {
      const { among } = kind;
      if (among) return partOf(await nameIndex.listing(viewer, among.kind, { fresh }), among.type);
      const id = idOf(viewer, kind);
      const isNew = !cache.has(id);
      const item = cachedList(id);
      item.usedAt = clock.now();
      if (isNew) keepFresh(id, item, viewer, kind);
      if (!item.listing) return readAnew(item, viewer, kind);
      const age = clock.now() - item.listing.at;
      if (fresh && age >= freshFor(item.listing, kind.pageSize)) return readAnew(item, viewer, kind);
      if (age > noSooner(staleAfter, item.listing, kind.pageSize)) readBehind(item, viewer, kind);
      return item.listing;
    },
    known(viewer, kind) {
      const { among } = kind;
      if (among) {
        const { entries, at } = nameIndex.known(viewer, among.kind);
        return { entries: ofType(entries, among.type), at };
      }
      const item = cache.get(idOf(viewer, kind));
      return item?.listing ?? { entries: item?.arrived.slice() ?? [], at: null };
    },
    stop: () => cache.clear(),
  };
  return nameIndex;
}

function ofType(entries: Entry[], type: string): Entry[] {
  return entries.filter((entry) => entry.type === type);
}

function idOf<A extends ApiName>({ link, actor }: Viewer<A>, { noun }: IndexedKind<A>): string {
  return JSON.stringify([link.api, link.member, link.keyId, link.scopes, actor.project?.id ?? null, noun]);
}

function keyOf({ api, keyId }: Pick<Viewer<ApiName>["link"], "api" | "keyId">): string {
  return `${api} ${keyId}`;
}

function noSooner(usual: number, listing: IndexedEntries | null, pageSize: number): number {
  return Math.max(usual, callsFor(listing, pageSize) * everyCall);
}

/** Milliseconds for which a list counts as fresh: none for a single page, and more for each further call. */
function freshFor(listing: IndexedEntries, pageSize: number): number {
  return Math.max(0, callsFor(listing, pageSize) - 1) * everyCall;
}

function callsFor(listing: IndexedEntries | null, pageSize: number): number {
  return Math.ceil((listing?.entries.length ?? 0) / pageSize);
}

async function readAll<A extends ApiName>(
  client: Viewer<A>["client"],
  kind: IndexedKind<A>,
  clock: Clock,
  arrived: Entry[],
): Promise<IndexedEntries> {
  const at = clock.now();
  const first = await kind.entries(client, { page: 1, limit: kind.pageSize });
  const byId = new Map(first.rows.map((entry) => [entry.id, entry]));
  arrived.push(...first.rows);
  for (let page = 2; page <= first.pagination.pages; page += 1) {
    const { rows } = await kind.entries(client, { page, limit: kind.pageSize });
    for (const entry of rows) byId.set(entry.id, entry);
    arrived.push(...rows);
  }
  return { entries: [...byId.values()], at };
}
