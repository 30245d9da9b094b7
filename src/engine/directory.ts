import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Entry, Listed, Listing } from "../operation/operation.ts";
import type { Client } from "../platform/http/transport.ts";

/** The platform's largest page (spec section 8). */
const pageSize = 200;
/** A listing older than this is read again behind an answer that uses it. */
const staleAfter = 2 * 60_000;
/** A listing that was used in the last half hour is kept fresh at this pace. */
const keepEvery = 10 * 60_000;
const keepFor = 30 * 60_000;
/** Each call of a reading puts the next one off by this: a large listing takes a fifth of the spec's 1,000 calls an hour, not all. */
const everyCall = 18_000;
/** Listings in memory; the least used goes first. */
const most = 400;
/** Background reads leave this share of the hourly budget to people. */
const reserve = 0.2;

interface Kept {
  listing: Listing | null;
  reading: Promise<Listing> | null;
  /** What has come of the reading that is under way. */
  arrived: Entry[];
  usedAt: number;
  member: string;
}

/**
 * The machines and other resources that each member can see: what names, filters and typeahead rest on, since the
 * platform's own lists take a page and a limit only.
 */
export interface Directory {
  /** What is known, read first if nothing is. `fresh` reads anew, but a large one not again and again: a few typing slips would use up the key's hour. */
  listing(member: string, client: Client, kind: Listed, options?: { fresh?: boolean }): Promise<Listing>;
  /** What is known by now, without waiting for more: all, or the pages that have come so far. */
  known(member: string, kind: Listed): Entry[];
  /** Forgets all of a member's: their key, scopes or project changed. */
  forget(member: string): void;
  stop(): void;
}

export function createDirectory({ clock, log }: { clock: Clock; log: Logger }): Directory {
  const kept = new Map<string, Kept>();
  const keepers = new Map<string, () => void>();

  function keptOf(member: string, kind: Listed): Kept {
    const id = `${member} ${kind.noun}`;
    const known = kept.get(id) ?? { listing: null, reading: null, arrived: [], usedAt: 0, member };
    // Setting it anew moves it to the end: the first of the map is then the least used.
    kept.delete(id);
    kept.set(id, known);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) drop(oldest);
    return known;
  }

  function drop(id: string): void {
    kept.delete(id);
    keepers.get(id)?.();
    keepers.delete(id);
  }

  function readAnew(item: Kept, client: Client, kind: Listed): Promise<Listing> {
    item.reading ??= readAll(client, kind, clock, item.arrived)
      .then((listing) => {
        item.listing = listing;
        return listing;
      })
      .finally(() => {
        item.reading = null;
        item.arrived = [];
      });
    return item.reading;
  }

  function readBehind(item: Kept, client: Client, kind: Listed): void {
    const budget = client.budget();
    if (budget && budget.remaining < budget.limit * reserve) return;
    readAnew(item, client, kind).catch((error: unknown) =>
      log.warn({ err: error, noun: kind.noun }, "A directory could not be read"),
    );
  }

  function keep(id: string, item: Kept, client: Client, kind: Listed): void {
    if (keepers.has(id)) return;
    keepers.set(
      id,
      clock.after(noSooner(keepEvery, item.listing), () => {
        keepers.delete(id);
        if (kept.get(id) !== item) return;
        if (clock.now() - item.usedAt > keepFor) return drop(id);
        readBehind(item, client, kind);
        keep(id, item, client, kind);
      }),
    );
  }

  return {
    async listing(member, client, kind, { fresh = false } = {}) {
      const item = keptOf(member, kind);
      item.usedAt = clock.now();
      keep(`${member} ${kind.noun}`, item, client, kind);
      if (!item.listing) return readAnew(item, client, kind);
      const age = clock.now() - item.listing.at;
      if (fresh && age >= freshFor(item.listing)) return readAnew(item, client, kind);
      if (age > noSooner(staleAfter, item.listing)) readBehind(item, client, kind);
      return item.listing;
    },
    known(member, kind) {
      const item = kept.get(`${member} ${kind.noun}`);
      return item?.listing?.entries ?? item?.arrived.slice() ?? [];
    },
    forget(member) {
      for (const [id, item] of kept) if (item.member === member) drop(id);
    },
    stop() {
      for (const cancel of keepers.values()) cancel();
      keepers.clear();
    },
  };
}

function noSooner(usual: number, listing: Listing | null): number {
  return Math.max(usual, callsFor(listing) * everyCall);
}

/** What one call reads is read anew at once; each further call makes it count as fresh for a while longer. */
function freshFor(listing: Listing): number {
  return Math.max(0, callsFor(listing) - 1) * everyCall;
}

function callsFor(listing: Listing | null): number {
  return Math.ceil((listing?.entries.length ?? 0) / pageSize);
}

async function readAll(client: Client, kind: Listed, clock: Clock, arrived: Entry[]): Promise<Listing> {
  const at = clock.now();
  const first = await kind.entries(client, { page: 1, limit: pageSize });
  const byId = new Map(first.rows.map((entry) => [entry.id, entry]));
  arrived.push(...first.rows);
  for (let page = 2; page <= first.pagination.pages; page += 1) {
    const { rows } = await kind.entries(client, { page, limit: pageSize });
    for (const entry of rows) byId.set(entry.id, entry);
    arrived.push(...rows);
  }
  return { entries: [...byId.values()], at };
}
