import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Entry, Listed, Listing } from "../operation/target.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { Session } from "./access.ts";
import { createAllowance } from "./allowance.ts";
import { againAt } from "./reading-pace.ts";

/** A listing older than this is read again behind an answer that uses it. */
const staleAfter = 2 * 60_000;
/** A listing that was used in the last half hour is kept fresh at this pace. */
const keepEvery = 10 * 60_000;
const keepFor = 30 * 60_000;
/** Each call of a reading puts the next one off by this: a large listing takes a fifth of the spec's 1,000 calls an hour, not all. */
const everyCall = 18_000;
/** Listings in memory; the least used goes first. */
const most = 400;

interface Kept {
  listing: Listing | null;
  reading: Promise<Listing> | null;
  /** What has come of the reading that is under way. */
  arrived: Entry[];
  usedAt: number;
  /** Ends the timer that keeps it fresh. */
  stop: () => void;
}

/** As much of a listing as there is. */
export interface Known {
  entries: Entry[];
  at: number | null;
}

/** Whose eyes a listing is seen with: a key, in a project. */
export type Viewer<A extends ApiName> = Pick<Session<A>, "client" | "link" | "actor">;

/**
 * The machines and other resources that each key can see: what names, filters and typeahead rest on, since the platform's own lists
 * take a page and a limit only. Kept in this process alone, by API, key, project and kind: another key or project is another listing,
 * and nothing has to be forgotten. A kind that is a part of another is read with it, once for both.
 */
export interface Directory {
  /** What is known, read first if nothing is. `fresh` reads anew, but a large one not again and again: a few typing slips would use up the key's hour. */
  listing<A extends ApiName>(viewer: Viewer<A>, kind: Listed<A>, options?: { fresh?: boolean }): Promise<Listing>;
  /** What is known of it by now, without waiting for more: all, or the pages that have come so far. `at`: when all was read; null: not yet. */
  known<A extends ApiName>(viewer: Viewer<A>, kind: Listed<A>): Known;
  stop(): void;
}

export function createDirectory({ clock, log }: { clock: Clock; log: Logger }): Directory {
  const kept = new LRUCache<string, Kept>({ max: most, dispose: (item) => item.stop() });

  /** All listings of one key together: whoever works in five projects has no five times the calls. */
  const allowance = createAllowance(clock);

  const parts = new WeakMap<Listing, Map<string, Listing>>();

  /** The same for one listing as long as that is kept, so that what is made of its entries is made once. */
  function partOf(whole: Listing, type: string): Listing {
    const known = parts.get(whole) ?? new Map<string, Listing>();
    parts.set(whole, known);
    const part = known.get(type) ?? { entries: ofType(whole.entries, type), at: whole.at };
    known.set(type, part);
    return part;
  }

  function keptOf(id: string): Kept {
    const known = kept.get(id);
    if (known) return known;
    const item: Kept = { listing: null, reading: null, arrived: [], usedAt: clock.now(), stop: () => {} };
    kept.set(id, item);
    return item;
  }

  function readAnew<A extends ApiName>(item: Kept, { client, link }: Viewer<A>, kind: Listed<A>): Promise<Listing> {
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

  function readBehind<A extends ApiName>(item: Kept, viewer: Viewer<A>, kind: Listed<A>): void {
    if (againAt(viewer.client.budget()) !== null) return;
    if (allowance.wait(keyOf(viewer.link)) > 0) return;
    readAnew(item, viewer, kind).catch((error: unknown) =>
      log.warn({ err: error, noun: kind.noun }, "A directory could not be read"),
    );
  }

  function keepFresh<A extends ApiName>(
    id: string,
    item: Kept,
    viewer: Viewer<A>,
    kind: Listed<A>,
    after = noSooner(keepEvery, item.listing, kind.pageSize),
  ): void {
    item.stop();
    item.stop = clock.after(after, () => {
      if (kept.peek(id) !== item) return;
      if (clock.now() - item.usedAt > keepFor) return void kept.delete(id);
      const wait = allowance.wait(keyOf(viewer.link));
      readBehind(item, viewer, kind);
      // It has its turn before another listing of the key that was read meanwhile.
      if (wait > 0) keepFresh(id, item, viewer, kind, wait);
      else keepFresh(id, item, viewer, kind);
    });
  }

  const directory: Directory = {
    async listing(viewer, kind, { fresh = false } = {}) {
      const { among } = kind;
      if (among) return partOf(await directory.listing(viewer, among.kind, { fresh }), among.type);
      const id = idOf(viewer, kind);
      const isNew = !kept.has(id);
      const item = keptOf(id);
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
        const { entries, at } = directory.known(viewer, among.kind);
        return { entries: ofType(entries, among.type), at };
      }
      const item = kept.get(idOf(viewer, kind));
      return item?.listing ?? { entries: item?.arrived.slice() ?? [], at: null };
    },
    stop: () => kept.clear(),
  };
  return directory;
}

function ofType(entries: Entry[], type: string): Entry[] {
  return entries.filter((entry) => entry.type === type);
}

function idOf<A extends ApiName>({ link, actor }: Viewer<A>, { noun }: Listed<A>): string {
  return JSON.stringify([link.api, link.member, link.keyId, link.scopes, actor.project?.id ?? null, noun]);
}

function keyOf({ api, keyId }: Pick<Viewer<ApiName>["link"], "api" | "keyId">): string {
  return `${api} ${keyId}`;
}

function noSooner(usual: number, listing: Listing | null, pageSize: number): number {
  return Math.max(usual, callsFor(listing, pageSize) * everyCall);
}

/** What one call reads is read anew at once; each further call makes it count as fresh for a while longer. */
function freshFor(listing: Listing, pageSize: number): number {
  return Math.max(0, callsFor(listing, pageSize) - 1) * everyCall;
}

function callsFor(listing: Listing | null, pageSize: number): number {
  return Math.ceil((listing?.entries.length ?? 0) / pageSize);
}

async function readAll<A extends ApiName>(
  client: Viewer<A>["client"],
  kind: Listed<A>,
  clock: Clock,
  arrived: Entry[],
): Promise<Listing> {
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
