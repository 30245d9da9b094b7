import * as z from "zod";
import type { Connection } from "../../identities/connection.ts";
import { moment } from "../../views/format.ts";
import type { Audit } from "../audit/audit.ts";
import type { EventLog } from "../cards/event-log.ts";
import { isLoud } from "../cards/latest.ts";
import { eventLine } from "../cards/view.ts";
import { type Estate, Figures } from "../sweep/estate.ts";

const week = 7 * 24 * 60 * 60_000;
const pageSize = 200;
/** Pages that are read back of each log: what a busier week holds is said to be more. */
const mostPages = 50;
const mostLines = 8;

const Count = z.object({ name: z.string(), count: z.number() });

/** What one week came to, as it was read. */
export const Week = z.object({
  /** Its two ends, in milliseconds. */
  from: z.number(),
  to: z.number(),
  /** Events by their names, the most frequent first, and those that must not be overlooked as lines of mrkdwn. */
  changed: z.object({ counts: z.array(Count), lines: z.array(z.string()), loud: z.number(), more: z.boolean() }),
  /** Acts by member and command, whoever did most first; those whose outcome nobody knows are counted beside. */
  done: z.object({
    people: z.array(z.object({ slackUser: z.string(), counts: z.array(Count) })),
    unknown: z.number(),
    more: z.boolean(),
  }),
  /** What the reading key has shown, and when; else why there is nothing. */
  estate: z.union([Figures.extend({ at: z.number() }), z.enum(["no key", "not read yet"])]),
});
export type Week = z.infer<typeof Week>;

/** Puts together the seven days up to `to`, from what is kept: nothing is asked of the platform. */
export type ReadWeek = (to: number) => Promise<Week>;

export function createReadWeek(deps: {
  events: Pick<EventLog, "newest">;
  audit: Pick<Audit, "newest">;
  estate: Pick<Estate, "read">;
  connection: Pick<Connection, "reader">;
}): ReadWeek {
  const { events, audit, estate, connection } = deps;

  async function changedIn(from: number, to: number): Promise<Week["changed"]> {
    const { entries, more } = await backTo(from, (before) => events.newest({ before, limit: pageSize }));
    const within = entries.filter(({ at, aside }) => at <= to && aside === null);
    const loud = within.filter(isLoud);
    const lines = loud.slice(0, mostLines).map((event) => `${moment(event.at)} ${eventLine(event)}`);
    return { counts: countsOf(within.map(({ event }) => event)), lines, loud: loud.length, more };
  }

  async function doneIn(from: number, to: number): Promise<Week["done"]> {
    const { entries, more } = await backTo(from, (before) =>
      audit.newest({ limit: pageSize, ...(before === undefined ? {} : { before }) }),
    );
    const within = entries.filter(({ at, entry }) => at <= to && entry.request !== null);
    const ran = within.filter(({ entry }) => entry.what === "done");
    const people = [...Map.groupBy(ran, ({ entry }) => entry.slackUser)].map(([slackUser, own]) => ({
      slackUser,
      counts: countsOf(own.map(({ entry }) => entry.command)),
    }));
    const total = (counts: Week["changed"]["counts"]) => counts.reduce((sum, { count }) => sum + count, 0);
    return {
      people: people.toSorted((a, b) => total(b.counts) - total(a.counts)),
      unknown: within.filter(({ entry }) => entry.what === "unknown").length,
      more,
    };
  }

  async function estateNow(): Promise<Week["estate"]> {
    const reading = await connection.reader("customer");
    if (!reading) return "no key";
    const read = await estate.read(reading.keyId);
    return read ? { at: read.at, ...read.figures } : "not read yet";
  }

  return async (to) => {
    const from = to - week;
    const [changed, done, known] = await Promise.all([changedIn(from, to), doneIn(from, to), estateNow()]);
    return { from, to, changed, done, estate: known };
  };
}

/** The entries of a log since then, newest first; `more`: there are so many that the oldest of them are left out. */
async function backTo<T extends { id: string; at: number }>(
  from: number,
  page: (before: string | undefined) => Promise<T[]>,
): Promise<{ entries: T[]; more: boolean }> {
  const entries: T[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const read = await page(before);
    entries.push(...read.filter(({ at }) => at >= from));
    before = read.at(-1)?.id;
    if (before === undefined || (read.at(-1)?.at ?? 0) < from) return { entries, more: false };
  }
  return { entries, more: true };
}

function countsOf(names: string[]): Week["changed"]["counts"] {
  const counted = [...Map.groupBy(names, (name) => name)].map(([name, all]) => ({ name, count: all.length }));
  return counted.toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}
