import * as z from "#zod";
import type { SupplierConnection } from "../../members/identities/connection.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import type { UnreadRow } from "../../platform/http/unread.ts";
import type { LoggedApp, StoreApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import type { TypedKeyv } from "../../storage/store.ts";
import type { Causes } from "../app.ts";

const minute = 60_000;

/** Milliseconds between two rounds, at the least: for machines and failures, for money and orders, and for lists that change by the day. */
export const intervals = { urgent: 5 * minute, usual: 15 * minute, seldom: 120 * minute };

/** The lists of services that are read often, by state; admins read these names. */
export const urgentServices = {
  suspended: "services that are suspended",
  provisioning_failed: "services that could not be built",
} as const;

/** The parts of the app that the readers work with. */
export interface ReadersApp extends LoggedApp {
  causes: Pick<Causes, "actsOn">;
  connection: Pick<SupplierConnection, "reader">;
  /** Has the alerts' feed post an event that was stored. */
  wakeFeed: () => void;
}

/** The round of polling that an observation belongs to. */
export interface PollingRound {
  /** The first round of the key: states that it finds are not new. */
  first: boolean;
  /** When the round before it began, in milliseconds since the epoch. */
  since: number;
  /** The id of the monitoring key, never a part of the key itself. */
  key: string;
}

const pollingMemory = defineKind({ name: "memory of polling", namespace: "polling-memory", schema: z.unknown() });

/** The memory of the readers from round to round; each parses its own. */
export function readerMemory({ store }: StoreApp): TypedKeyv<unknown> {
  return store.keyv(pollingMemory);
}

/** The end of a round that made no call: it does not show that the key can read. */
export const nothingRead = Symbol("nothing read");

/** A page is read so often before the round goes on without it. */
const mostTries = 3;

/** The round after a part that could not be read. `left`: the part, a page or a single resource. */
export interface SkippedPart {
  cursor: string | null;
  left: "page" | "resource";
}

/** One list that is polled, one call at a time. */
export interface Reader<A extends ApiName> {
  /** Plural words, which admins read when the list cannot be read. */
  name: string;
  /** Milliseconds between the starts of two rounds, at the least. */
  every: number;
  /** It reads a whole list, which may be large: these readers take turns after all others. */
  whole?: boolean;
  /**
   * Reads one part of the round from the cursor ("" starts a round). Resolves to the next cursor; null ends the round. It makes one call to the
   * platform at the most: polling takes a turn for each step, and more calls would go past the key's share.
   */
  step(client: ApiClient<A>, cursor: string, round: PollingRound): Promise<string | null | typeof nothingRead>;
  /**
   * Goes on without what the cursor names, after so many failed tries: one part that never can be read must not keep the others unread. Null
   * where it is read again first. A reader without it makes one call in a round.
   */
  skip?(cursor: string, tries: number, round: PollingRound): Promise<SkippedPart | null>;
}

/** Skips a page after three tries; `next`: the cursor after it. */
export async function skipPage(tries: number, next: () => Promise<string | null>): Promise<SkippedPart | null> {
  return tries < mostTries ? null : { cursor: await next(), left: "page" };
}

/** True at the last page. While no page has said how many there are (null), the one after the first is tried. */
export function isLastPage(page: number, pages: number | null): boolean {
  return page >= (pages ?? 2);
}

/** The place of a page in its list. `unread`: its rows that are off the contract; the others are observed all the same. */
export interface PageRead {
  page: number;
  last: boolean;
  unread: readonly UnreadRow[];
}

/** The resources of open alerts that a list shows. One that a whole round lacks is read by itself: pages may shift in between. */
export interface OpenResources<A extends ApiName, Row> {
  idOf(row: Row): string;
  /** The ids of those that the list has shown. */
  find(): Promise<string[]>;
  /** Observes one that the list lacks, in one call, and ends its alerts where the platform no longer shows it. */
  check(client: ApiClient<A>, id: string, round: PollingRound): Promise<void>;
  /** Forgets one that another key has shown: it need not be gone where this key cannot see it. */
  forget(id: string): Promise<void>;
}

/** A reader of a list, one page at a time; `see` gets each page. */
export function pageReader<A extends ApiName, Row>(reader: {
  name: string;
  every: number;
  whole: boolean;
  page: (client: ApiClient<A>, page: number) => Promise<{ rows: Row[]; pagination: { pages: number } }>;
  see: (rows: Row[], round: PollingRound, at: PageRead) => Promise<void>;
  open?: OpenResources<A, Row>;
}): Reader<A> {
  const { name, every, whole, page: read, see, open } = reader;
  return {
    name,
    every,
    whole,
    async step(client, cursor, round) {
      const place = pagePlace(cursor);
      const { page } = place;
      if (isPastPages(place)) {
        await open?.check(client, place.missing[0] ?? "", round);
        return afterMissing(place);
      }
      const unread: UnreadRow[] = [];
      const { rows, pagination } = await read(
        client.skipping((row) => unread.push(row)),
        page,
      );
      const last = page >= pagination.pages;
      await see(rows, round, { page, last, unread });
      const shown = new Set([...rows.map((row) => open?.idOf(row)), ...unread.map(({ id }) => id)]);
      const missing = (cursor === "" ? ((await open?.find()) ?? []) : place.missing).filter((id) => !shown.has(id));
      const next = { page: page + 1, pages: pagination.pages, missing };
      if (!last) return placeText(next);
      if (!round.first) return missing.length > 0 ? placeText(next) : null;
      for (const id of missing) await open?.forget(id);
      return null;
    },
    async skip(cursor, tries) {
      const place = pagePlace(cursor);
      if (isPastPages(place)) return { cursor: afterMissing(place), left: "resource" };
      // The lost page may have shown those that are missing.
      const next = { ...place, page: place.page + 1, missing: [] };
      return skipPage(tries, async () => (isLastPage(place.page, place.pages) ? null : placeText(next)));
    },
  };
}

interface PagePlace {
  page: number;
  /** The number of pages; null before one was read. */
  pages: number | null;
  /** The resources of open alerts that no page of the round has shown. After the last page each of them is read. */
  missing: string[];
}

/** The cursor is the page and, after one was read, the number of pages and what is missing: "2/3/id/id". */
function pagePlace(cursor: string): PagePlace {
  const [page, pages, ...missing] = cursor.split("/");
  return { page: Number(page) || 1, pages: pages ? Number(pages) : null, missing: missing.map(decodeURIComponent) };
}

function placeText({ page, pages, missing }: PagePlace): string {
  return [page, ...(pages === null ? [] : [pages, ...missing.map(encodeURIComponent)])].join("/");
}

function isPastPages({ page, pages }: PagePlace): boolean {
  return pages !== null && page > pages;
}

function afterMissing({ missing: [, ...others], ...place }: PagePlace): string | null {
  return others.length > 0 ? placeText({ ...place, missing: others }) : null;
}
