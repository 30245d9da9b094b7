import * as z from "#zod";
import { addToEstate, documentFigures } from "../../members/resources/estate.ts";
import { dueStage, readSettings } from "../../members/settings/settings.ts";
import {
  type DocumentDetail,
  type DocumentType,
  documentLists,
  documentReads,
} from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { Document, dueOf, numberOf, openStatuses } from "../../platform/customer/documents.ts";
import { nullIfRefused, PlatformOffContract } from "../../platform/http/errors.ts";
import type { UnreadRow } from "../../platform/http/unread.ts";
import { newestEvents } from "../event-log.ts";
import type { EventName } from "../events.ts";
import { storeGone } from "./gone.ts";
import { type EventCandidate, type Observation, observe } from "./observations.ts";
import {
  intervals,
  isLastPage,
  type PollingRound,
  type Reader,
  type ReadersApp,
  readerMemory,
  type SkippedPart,
  skipPage,
} from "./reader.ts";

/** A page of the open list while amounts left to pay are read for it: a list names only totals, and each amount costs a call. */
const OpenPage = z.object({
  rows: z.array(Document),
  unread: z.number(),
  ends: z.boolean(),
  /** Documents whose amount is still to be read. */
  ids: z.array(z.string()),
  /** Those of them that raise an event once their amount is known. */
  changed: z.array(z.string()),
  /** The amounts left to pay, by document id. */
  left: z.record(z.string(), z.string()),
});
type OpenPage = z.infer<typeof OpenPage>;

const Cursor = z.object({
  list: z.number(),
  page: z.number(),
  /** The number of the list's pages; null before one of them is read. */
  pages: z.number().nullable(),
  /** Pages read so far, of all lists. */
  read: z.number(),
  /** A page was skipped: a document that no page showed may be on that one. */
  lost: z.boolean(),
  open: z.array(z.string()),
  /** Null before a page is read. */
  present: OpenPage.nullable(),
  /** Documents that have left the open lists and are still to be read; null while the open lists are read. */
  gone: z.array(z.string()).nullable(),
});
type Cursor = z.infer<typeof Cursor>;
const begin: Cursor = { list: 0, page: 1, pages: null, read: 0, lost: false, open: [], present: null, gone: null };
const Open = z.array(z.string()).catch([]);

/** Reads the open documents, and then those that were open in the round before. The memory has the ids of the open ones. */
export function documentReader(type: DocumentType, app: ReadersApp): Reader<"customer"> {
  const memory = readerMemory(app);

  async function readOpen(client: CustomerClient, at: Cursor, round: PollingRound): Promise<Cursor | null> {
    const status = openStatuses[at.list];
    const unread: UnreadRow[] = [];
    const { rows, pagination } = await documentLists[type](
      client.skipping((row) => unread.push(row)),
      { page: at.page, limit: 200, ...(status ? { status } : {}) },
    );
    const changed: string[] = [];
    await observeOpen(rows, round, ({ id }) => {
      changed.push(id);
      return "later";
    });
    const shown = rows.toSorted(byDue).slice(0, mostDetails);
    // A document whose row cannot be read is still open: it is not looked for among the closed ones.
    const open = [...at.open, ...[...rows, ...unread].flatMap(({ id }) => id ?? [])];
    const present: OpenPage = {
      rows: rows.map((row) => factsOf(type, row)),
      unread: unread.length,
      ends: isLastPage(at.page, pagination.pages),
      ids: [...new Set([...changed, ...shown.map(({ id }) => id)])],
      changed,
      left: {},
    };
    return readAmounts({ ...at, open, pages: pagination.pages, read: at.read + 1 }, present, round);
  }

  /** Reads the next amount that is left to pay. */
  async function readAmount(
    client: CustomerClient,
    at: Cursor,
    { ids: [id = "", ...ids], ...page }: OpenPage,
    round: PollingRound,
  ): Promise<Cursor | null> {
    const remaining = await readLeft(client, id);
    const left = remaining === null ? page.left : { ...page.left, [id]: remaining };
    const rows = page.changed.includes(id) ? page.rows.filter((row) => row.id === id) : [];
    await observeOpen(rows, round, () => remaining);
    return readAmounts(at, { ...page, ids, left }, round);
  }

  /** Goes on with the amounts, or with the next page once all of them are read. */
  async function readAmounts(at: Cursor, present: OpenPage, round: PollingRound): Promise<Cursor | null> {
    const { rows, unread, ends, ids, left } = present;
    if (ids.length > 0) return { ...at, present };
    const last = ends && at.list + 1 === openStatuses.length;
    const figures = documentFigures(type, rows, new Map(Object.entries(left)), unread);
    await addToEstate(app, `${type}s`, figures, { page: at.read, last, key: round.key });
    return afterPage(at, ends);
  }

  async function afterPage(at: Cursor, ends: boolean): Promise<Cursor | null> {
    if (!ends) return { ...at, present: null, page: at.page + 1 };
    if (at.list + 1 < openStatuses.length) return { ...at, present: null, list: at.list + 1, page: 1, pages: null };
    const before = Open.parse(await memory.get(type));
    const gone = before.filter((id) => !at.open.includes(id));
    // Keep the ids of closed documents until each was read: after a crash they would be missed.
    await memory.set(type, [...at.open, ...gone]);
    return gone.length > 0 && !at.lost ? { ...at, present: null, gone } : null;
  }

  async function observeOpen(rows: Document[], round: PollingRound, amountOf: AmountOf): Promise<void> {
    const { dueDays } = await readSettings(app);
    const now = app.clock.now();
    for (const row of rows)
      await observe(app, `document:${row.id}`, [openObservation(type, row, { dueDays, amountOf, now })], round);
  }

  async function readGone(
    client: CustomerClient,
    at: Cursor,
    gone: string[],
    round: PollingRound,
  ): Promise<Cursor | null> {
    const [id = ""] = gone;
    const found = await readDetail(client, id);
    const [newest] = found ? [] : await newestEvents(app, { about: id, limit: 1 });
    if (found) await observe(app, `document:${id}`, endObservations(type, found.document), round);
    else if (newest) await storeGone(app, id, newest);
    await memory.set(
      type,
      Open.parse(await memory.get(type)).filter((one) => one !== id),
    );
    return afterGone(at, gone);
  }

  /** Null where the document is gone, or its page cannot be read and never will be: its event is raised without the amount. */
  async function readLeft(client: CustomerClient, id: string): Promise<string | null> {
    try {
      return (await readDetail(client, id))?.remaining_amount ?? null;
    } catch (error) {
      if (error instanceof PlatformOffContract) return null;
      throw error;
    }
  }

  function readDetail(client: CustomerClient, id: string): Promise<DocumentDetail | null> {
    return documentReads[type](client, id).catch(nullIfRefused(404));
  }

  function readOne(client: CustomerClient, at: Cursor, round: PollingRound): Promise<Cursor | null> {
    if (at.gone !== null) return readGone(client, at, at.gone, round);
    return at.present ? readAmount(client, at, at.present, round) : readOpen(client, at, round);
  }

  async function skipOne(at: Cursor, tries: number, round: PollingRound): Promise<SkippedPart | null> {
    // Its change stays unobserved, and its id in the memory, so the next round finds it again.
    if (at.gone !== null) return { cursor: pack(afterGone(at, at.gone)), left: "resource" };
    const { page, pages, read, present } = at;
    if (present)
      return {
        cursor: pack(await readAmounts(at, { ...present, ids: present.ids.slice(1) }, round)),
        left: "resource",
      };
    const lost = { ...at, read: read + 1, lost: true };
    return skipPage(tries, async () => pack(await afterPage(lost, isLastPage(page, pages))));
  }

  return {
    name: `${type}s`,
    every: intervals.usual,
    step: async (client, cursor, round) => pack(await readOne(client, placeOf(cursor), round)),
    skip: (cursor, tries, round) => skipOne(placeOf(cursor), tries, round),
  };
}

/** A round that an earlier version began begins anew. */
function placeOf(cursor: string): Cursor {
  return cursor === "" ? begin : Cursor.catch(begin).parse(JSON.parse(cursor));
}

function pack(at: Cursor | null): string | null {
  return at && JSON.stringify(at);
}

function afterGone(at: Cursor, gone: string[]): Cursor | null {
  const others = gone.slice(1);
  return others.length > 0 ? { ...at, gone: others } : null;
}

/** As many as the weekly report names, since each costs a call. */
const mostDetails = 10;

function byDue(a: Document, b: Document): number {
  return (dueOf(a) ?? "9").localeCompare(dueOf(b) ?? "9");
}

/** The facts of a row that an event and the weekly report need, under names that `numberOf` and `dueOf` find. */
function factsOf(type: DocumentType, { id, status, total, currency, ...row }: Document): Document {
  return {
    id,
    status,
    total,
    number: numberOf(row, type),
    due: dueOf(row),
    ...(typeof currency === "string" ? { currency } : {}),
  };
}

/** The amount left to pay, null without one; "later" where it is still to be read. */
type AmountOf = (row: Document) => string | null | "later";

function openObservation(
  type: DocumentType,
  row: Document,
  { dueDays, amountOf, now }: { dueDays: number; amountOf: AmountOf; now: number },
): Observation {
  const due = dueOf(row);
  const stage = (due === null ? null : dueStage(due, { now, days: dueDays })) ?? "new";
  const day = due?.slice(0, 10);
  return {
    aspect: "payment",
    state: stage === "new" ? stage : `${stage} ${day}`,
    eventFor(before) {
      const change = changeTo(stage, day, before);
      if (change === null) return null;
      // The requester of a new document knows of it and of its due date, but perhaps not that it is overdue.
      const led = before === null && stage !== "overdue" ? madeHere : null;
      const remaining = amountOf(row);
      return remaining === "later" ? "later" : candidateFor(type, `${type}.${change}`, row, led, remaining);
    },
  };
}

type DocumentStage = "new" | NonNullable<ReturnType<typeof dueStage>>;

/** The change to this stage; null where only a setting changed, or an earlier version stored the stage without its date. */
function changeTo(
  stage: DocumentStage,
  day: string | undefined,
  before: string | null,
): DocumentStage | "postponed" | null {
  if (stage !== "new" || before === null) return before === stage ? null : stage;
  const [stageBefore, dayBefore] = before.split(" ");
  const wasNear = stageBefore === "due_soon" || stageBefore === "overdue";
  if (!wasNear || dayBefore === day) return null;
  return day === undefined ? stage : "postponed";
}

function endObservations(type: DocumentType, row: Document): Observation[] {
  const ends = { paid: "paid", converted: "paid", cancelled: "cancelled", unpaid: null, pending: null } as const;
  const end = ends[row.status];
  if (end === null) return [];
  return [
    {
      aspect: "payment",
      state: end,
      eventFor: () => candidateFor(type, `${type}.${end}`, row, { aspect: "payment", state: end }),
    },
  ];
}

const madeHere = { aspect: "payment", state: "new" } as const;

function candidateFor(
  type: DocumentType,
  event: EventName,
  row: Document,
  led: EventCandidate["led"],
  remaining: string | null = null,
): EventCandidate {
  const currency = typeof row.currency === "string" ? row.currency : null;
  return {
    event,
    source: "polling",
    led,
    data: {
      documentId: row.id,
      documentNumber: numberOf(row, type),
      dueAt: dueOf(row),
      status: row.status,
      total: row.total,
      remaining,
      currency,
    },
  };
}
