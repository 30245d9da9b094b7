import * as z from "#zod";
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

/** The parts of the app that the readers work with. */
export interface ReadersApp extends LoggedApp {
  causes: Pick<Causes, "actsOn">;
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

/** One list that is polled, one call at a time. */
export interface Reader<A extends ApiName> {
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
}

/** The place of a page in its list. `unread`: its rows that are off the contract; the others are observed all the same. */
export interface PageRead {
  page: number;
  last: boolean;
  unread: readonly UnreadRow[];
}

/** A reader of a list, one page at a time; `see` gets each page. */
export function pageReader<A extends ApiName, Row>(reader: {
  name: string;
  every: number;
  whole: boolean;
  page: (client: ApiClient<A>, page: number) => Promise<{ rows: Row[]; pagination: { pages: number } }>;
  see: (rows: Row[], round: PollingRound, at: PageRead) => Promise<void>;
}): Reader<A> {
  const { name, every, whole, page: read, see } = reader;
  return {
    name,
    every,
    whole,
    async step(client, cursor, round) {
      const page = cursor === "" ? 1 : Number(cursor);
      const unread: UnreadRow[] = [];
      const { rows, pagination } = await read(
        client.skipping((row) => unread.push(row)),
        page,
      );
      const last = page >= pagination.pages;
      await see(rows, round, { page, last, unread });
      return last ? null : String(page + 1);
    },
  };
}
