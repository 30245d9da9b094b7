import * as z from "zod";
import { type DocumentType, documentLists, documentReads } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { type Document, dueOf, numberOf } from "../../platform/customer/documents.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import type { Values } from "../../storage/store.ts";
import type { EventName } from "../cards/events.ts";
import { documentFigures, type Estate } from "./estate.ts";
import { type Limits, stageOf } from "./limits.ts";
import { paces, type Reader } from "./reader.ts";
import type { News, Round, Sighting, Sightings } from "./sightings.ts";

/** What waits for money: a part of it may have come. */
const openStatuses = ["unpaid", "pending"] as const;

const Cursor = z.object({
  list: z.number(),
  page: z.number(),
  /** Pages of all lists so far. */
  read: z.number().default(0),
  open: z.array(z.string()),
  /** Those that are in no list of open ones any more; null while these are read. */
  gone: z.array(z.string()).nullable(),
});
type Cursor = z.infer<typeof Cursor>;
const Open = z.array(z.string()).catch([]);

/** Reads the documents that wait for money, and then those that have stopped waiting. `memory` keeps which ones did. */
export function documentReader(
  type: DocumentType,
  deps: {
    sightings: Sightings;
    memory: Values;
    limits: () => Promise<Limits>;
    now: () => number;
    estate: Pick<Estate, "see">;
  },
): Reader<"customer"> {
  const { sightings, memory, limits, now, estate } = deps;

  async function readOpen(client: CustomerClient, at: Cursor, round: Round): Promise<Cursor | null> {
    const status = openStatuses[at.list];
    const { rows, pagination } = await documentLists[type](client, {
      page: at.page,
      limit: 200,
      ...(status ? { status } : {}),
    });
    const { dueDays } = await limits();
    for (const row of rows) await sightings.see(`document:${row.id}`, [openSighting(type, row, dueDays, now())], round);
    const open = [...at.open, ...rows.map(({ id }) => id)];
    const [read, ends] = [at.read + 1, at.page >= pagination.pages];
    const last = ends && at.list + 1 === openStatuses.length;
    await estate.see(`${type}s`, documentFigures(rows), { page: read, last, key: round.key });
    if (!ends) return { ...at, read, open, page: at.page + 1 };
    if (!last) return { ...at, read, open, list: at.list + 1, page: 1 };
    const before = Open.parse(await memory.get(type));
    const gone = before.filter((id) => !open.includes(id));
    // Those that are gone are forgotten once they have been read.
    await memory.set(type, [...open, ...gone]);
    return gone.length > 0 ? { ...at, open, gone } : null;
  }

  async function readGone(client: CustomerClient, at: Cursor, gone: string[], round: Round): Promise<Cursor | null> {
    const [id = "", ...others] = gone;
    const found = await readOne(client, id);
    if (found) await sightings.see(`document:${id}`, endSightings(type, found), round);
    await memory.set(type, [...at.open, ...others]);
    return others.length > 0 ? { ...at, gone: others } : null;
  }

  async function readOne(client: CustomerClient, id: string): Promise<Document | null> {
    try {
      return (await documentReads[type](client, id)).document;
    } catch (error) {
      if (error instanceof PlatformRefused && error.status === 404) return null;
      throw error;
    }
  }

  return {
    name: `${type}s`,
    every: paces.usual,
    async step(client, cursor, round) {
      const at: Cursor =
        cursor === "" ? { list: 0, page: 1, read: 0, open: [], gone: null } : Cursor.parse(JSON.parse(cursor));
      const next = at.gone === null ? await readOpen(client, at, round) : await readGone(client, at, at.gone, round);
      return next && JSON.stringify(next);
    },
  };
}

function openSighting(type: DocumentType, row: Document, dueDays: number, now: number): Sighting {
  const due = dueOf(row);
  const stage = (due === null ? null : stageOf(due, { now, days: dueDays })) ?? "new";
  return {
    side: "money",
    state: stage,
    news(before) {
      // A date that was put off is no news.
      if (stage === "new" && before !== null) return null;
      // What a command made is known to who asked for it, however soon it is due; that it is late they may not know.
      const asked = before === null && stage !== "overdue" ? madeHere : null;
      return newsOf(`${type}.${stage}`, row, asked);
    },
  };
}

function endSightings(type: DocumentType, row: Document): Sighting[] {
  const ends = { paid: "paid", converted: "paid", cancelled: "cancelled", unpaid: null, pending: null } as const;
  const end = ends[row.status];
  if (end === null) return [];
  return [{ side: "money", state: end, news: () => newsOf(`${type}.${end}`, row, { by: endedBy[end] }) }];
}

/** Members' commands: whichever made a document, and those that pay it or call off what it was for. */
const madeHere = { by: /./, whenever: true };
const endedBy = { paid: /^billing pay$/, cancelled: /\bcancel\b/ };

function newsOf(event: EventName, row: Document, asked: Pick<News, "by" | "whenever"> | null): News {
  const currency = typeof row.currency === "string" ? row.currency : null;
  return {
    event,
    source: "found",
    ...(asked ?? { by: null }),
    data: {
      ...{ documentId: row.id, documentNumber: numberOf(row), dueAt: dueOf(row), status: row.status },
      ...{ total: row.total, currency },
    },
  };
}
