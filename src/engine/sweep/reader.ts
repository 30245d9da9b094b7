import type { ApiName } from "../../platform/http/errors.ts";
import type { ClientOf } from "../../platform/platform.ts";
import type { Round } from "./sightings.ts";

const minute = 60_000;

/** How often something is looked at, at the most: what rings at night, what is about money and orders, what changes by the day. In milliseconds. */
export const paces = { urgent: 5 * minute, usual: 15 * minute, seldom: 120 * minute };

/** One list that is read in the background, a call at a time. */
export interface Reader<A extends ApiName> {
  name: string;
  /** Milliseconds between the beginnings of two rounds, at the least. */
  every: number;
  /** It reads a whole list, which may be large: such take turns, after all others. */
  whole?: boolean;
  /** Makes one call of the platform, from the cursor on ("" is the beginning of a round), and gives the next one; null ends the round. */
  step(client: ClientOf[A], cursor: string, round: Round): Promise<string | null>;
}

/** Reads a list page by page, and shows each. */
export function pageReader<A extends ApiName, Row>(reader: {
  name: string;
  every: number;
  whole?: boolean;
  page: (client: ClientOf[A], page: number) => Promise<{ rows: Row[]; pagination: { pages: number } }>;
  see: (rows: Row[], round: Round, at: { page: number; last: boolean }) => Promise<void>;
}): Reader<A> {
  const { name, every, whole = false, page: read, see } = reader;
  return {
    ...{ name, every, whole },
    async step(client, cursor, round) {
      const page = cursor === "" ? 1 : Number(cursor);
      const { rows, pagination } = await read(client, page);
      const last = page >= pagination.pages;
      await see(rows, round, { page, last });
      return last ? null : String(page + 1);
    },
  };
}
