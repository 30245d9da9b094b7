import * as z from "zod";
import type { EventName } from "../alerts/events.ts";
import { type DocumentDetail, type DocumentType, documentLists, documentReads } from "../platform/customer/billing.ts";
import type { CustomerClient } from "../platform/customer/client.ts";
import { type Document, dueOf, numberOf, openStatuses } from "../platform/customer/documents.ts";
import { isPlatformError, keyRejected, nullIfRefused, PlatformOffContract } from "../platform/http/errors.ts";
import type { UnreadRow } from "../platform/http/unread.ts";
import { readSettings, stageOf } from "../records/settings.ts";
import { addToEstate, documentFigures } from "../resources/estate.ts";
import { type EventCandidate, type Observation, observe } from "./observations.ts";
import { intervals, memoryOf, type PollingRound, type Reader, type ReadersApp } from "./reader.ts";

const Cursor = z.object({
  list: z.number(),
  page: z.number(),
  /** Pages read so far, of all lists. */
  read: z.number().default(0),
  open: z.array(z.string()),
  /** Documents that have left the open lists and are still to be read; null while the open lists are read. */
  gone: z.array(z.string()).nullable(),
});
type Cursor = z.infer<typeof Cursor>;
const Open = z.array(z.string()).catch([]);

/** Reads the open documents, and then those that were open in the round before. The memory has the ids of the open ones. */
export function documentReader(type: DocumentType, app: ReadersApp): Reader<"customer"> {
  const memory = memoryOf(app);

  async function readOpen(client: CustomerClient, at: Cursor, round: PollingRound): Promise<Cursor | null> {
    const status = openStatuses[at.list];
    const unread: UnreadRow[] = [];
    const { rows, pagination } = await documentLists[type](
      client.skipping((row) => unread.push(row)),
      { page: at.page, limit: 200, ...(status ? { status } : {}) },
    );
    const { dueDays } = await readSettings(app);
    const left = await leftOn(client, rows);
    for (const row of rows) {
      const readLeft = async () => left.get(row.id) ?? (await leftOf(client, row.id));
      const observed = openObservation(type, row, { dueDays, readLeft }, app.clock.now());
      await observe(app, `document:${row.id}`, [observed], round);
    }
    // A document whose row cannot be read is still open: it is not looked for among the closed ones.
    const open = [...at.open, ...[...rows, ...unread].flatMap(({ id }) => id ?? [])];
    const read = at.read + 1;
    const ends = at.page >= pagination.pages;
    const last = ends && at.list + 1 === openStatuses.length;
    const figures = documentFigures(rows, left, unread.length);
    await addToEstate(app, `${type}s`, figures, { page: read, last, key: round.key });
    if (!ends) return { ...at, read, open, page: at.page + 1 };
    if (!last) return { ...at, read, open, list: at.list + 1, page: 1 };
    const before = Open.parse(await memory.get(type));
    const gone = before.filter((id) => !open.includes(id));
    // Keep the ids of closed documents until each was read: after a crash they would be missed.
    await memory.set(type, [...open, ...gone]);
    return gone.length > 0 ? { ...at, open, gone } : null;
  }

  async function readGone(
    client: CustomerClient,
    at: Cursor,
    gone: string[],
    round: PollingRound,
  ): Promise<Cursor | null> {
    const [id = "", ...others] = gone;
    const found = await detailOf(client, id);
    if (found) await observe(app, `document:${id}`, endObservations(type, found.document), round);
    await memory.set(type, [...at.open, ...others]);
    return others.length > 0 ? { ...at, gone: others } : null;
  }

  /** The amounts left to pay, by document id, for the documents that are due first. A list names only totals, so each is read. */
  async function leftOn(client: CustomerClient, rows: readonly Document[]): Promise<Map<string, string>> {
    const left = new Map<string, string>();
    for (const { id } of rows.toSorted(byDue).slice(0, mostDetails)) {
      const found = await leftOf(client, id).catch(nullIfUnanswered);
      if (found !== null) left.set(id, found);
    }
    return left;
  }

  /** Null where the document is gone, or its page cannot be read and never will be: the others must not wait for it. */
  async function leftOf(client: CustomerClient, id: string): Promise<string | null> {
    try {
      return (await detailOf(client, id))?.remaining_amount ?? null;
    } catch (error) {
      if (error instanceof PlatformOffContract) return null;
      throw error;
    }
  }

  function detailOf(client: CustomerClient, id: string): Promise<DocumentDetail | null> {
    return documentReads[type](client, id).catch(nullIfRefused(404));
  }

  return {
    name: `${type}s`,
    every: intervals.usual,
    async step(client, cursor, round) {
      const at: Cursor =
        cursor === "" ? { list: 0, page: 1, read: 0, open: [], gone: null } : Cursor.parse(JSON.parse(cursor));
      const next = at.gone === null ? await readOpen(client, at, round) : await readGone(client, at, at.gone, round);
      return next && JSON.stringify(next);
    },
  };
}

/** The weekly report shows a document without this amount. Failing here would keep every other document from being observed. */
function nullIfUnanswered(error: unknown): null {
  if (isPlatformError(error) && !keyRejected(error)) return null;
  throw error;
}

/** As many as the weekly report names, since each costs a call. */
const mostDetails = 10;

function byDue(a: Document, b: Document): number {
  return (dueOf(a) ?? "9").localeCompare(dueOf(b) ?? "9");
}

function openObservation(
  type: DocumentType,
  row: Document,
  { dueDays, readLeft }: { dueDays: number; readLeft: () => Promise<string | null> },
  now: number,
): Observation {
  const due = dueOf(row);
  const stage = (due === null ? null : stageOf(due, { now, days: dueDays })) ?? "new";
  return {
    aspect: "money",
    state: stage,
    async eventFor(before) {
      // A due date that was moved to later needs no alert.
      if (stage === "new" && before !== null) return null;
      // The requester of a new document knows of it and of its due date, but perhaps not that it is overdue.
      const commands = before === null && stage !== "overdue" ? madeHere : null;
      return candidateFor(`${type}.${stage}`, row, commands, await readLeft());
    },
  };
}

function endObservations(type: DocumentType, row: Document): Observation[] {
  const ends = { paid: "paid", converted: "paid", cancelled: "cancelled", unpaid: null, pending: null } as const;
  const end = ends[row.status];
  if (end === null) return [];
  return [{ aspect: "money", state: end, eventFor: () => candidateFor(`${type}.${end}`, row, { by: endedBy[end] }) }];
}

/** The members' commands that make a document, and those that pay it or cancel what it was for. */
const madeHere = { by: /./, whenever: true };
const endedBy = { paid: /^billing pay$/, cancelled: /\bcancel\b/ };

function candidateFor(
  event: EventName,
  row: Document,
  commands: Pick<EventCandidate, "by" | "whenever"> | null,
  remaining: string | null = null,
): EventCandidate {
  const currency = typeof row.currency === "string" ? row.currency : null;
  return {
    event,
    source: "found",
    ...(commands ?? { by: null }),
    data: {
      documentId: row.id,
      documentNumber: numberOf(row),
      dueAt: dueOf(row),
      status: row.status,
      total: row.total,
      remaining,
      currency,
    },
  };
}
