import * as z from "#zod";
import { newestEntries } from "../../audit/audit.ts";
import type { SupplierConnection } from "../../members/identities/connection.ts";
import { Figures, readEstate } from "../../members/resources/estate.ts";
import type { AdminsApp } from "../../messages/admins.ts";
import type { Registry } from "../../operation/registry.ts";
import { PlainText } from "../../process/plain-text.ts";
import type { LoggedApp } from "../../storage/foundation.ts";
import { moment } from "../../views/format.ts";
import { newestEvents } from "../event-log.ts";
import { wasRepeat } from "../event-router.ts";
import { isLoud, isTest } from "../events.ts";
import { eventLine } from "../view.ts";

const week = 7 * 24 * 60 * 60_000;
/** Older events are no longer in the log. */
const mostWeeks = 4;
const pageSize = 200;
/** The most pages that are read of each log; the report says if a busier week has more. */
const mostPages = 50;
const mostLines = 8;

const Count = z.object({ name: z.string(), count: z.number() });

/** The figures of one week, or of the time since the last report. */
export const Week = z.object({
  /** Start and end, in milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  /** Events by name, the most frequent first; the newest loud ones as lines of mrkdwn; the number of all loud ones. */
  changed: z.object({ counts: z.array(Count), lines: z.array(z.string()), loud: z.number(), more: z.boolean() }),
  /**
   * Completed requests by member and command, the busiest member first; the number of unknown outcomes; and of what nobody took, though all
   * of its steps were made.
   */
  done: z.object({
    people: z.array(z.object({ slackUser: z.string(), counts: z.array(Count) })),
    unknown: z.number(),
    unanswered: z.number(),
    more: z.boolean(),
  }),
  /** The figures of polling, their time, and the one project that the key sees; otherwise why there are none. */
  estate: z.union([
    Figures.extend({ at: z.number(), confinedTo: PlainText.nullable().default(null) }),
    z.enum(["no key", "not read yet"]),
  ]),
});
export type Week = z.infer<typeof Week>;

/** The parts of the app that the weekly report works with. */
export interface ReportApp extends LoggedApp, AdminsApp {
  connection: Pick<SupplierConnection, "reader">;
  registry: Registry;
}

/**
 * Sums up the time from the end of the last report (`since`; null: there was none) to `to`, in milliseconds since the epoch, from stored
 * records; calls no API.
 */
export async function readWeek(app: ReportApp, to: number, since: number | null): Promise<Week> {
  const from = Math.max(since ?? to - week, to - mostWeeks * week);
  const [changed, done, estate] = await Promise.all([changedIn(app, from, to), doneIn(app, from, to), estateNow(app)]);
  return { from, to, changed, done, estate };
}

async function changedIn(app: ReportApp, from: number, to: number): Promise<Week["changed"]> {
  const { entries, more } = await backTo(from, (before) => newestEvents(app, { before, limit: pageSize }));
  const all = entries.filter((event) => event.at <= to && event.aside === null && !isTest(event));
  // Polling found these before their webhooks came: one suspension would be two.
  const repeats = await Promise.all(all.map((event) => wasRepeat(app, event)));
  const within = all.filter((_, at) => !repeats[at]);
  const loud = within.filter(isLoud);
  const lines = loud.slice(0, mostLines).map((event) => `${moment(event.at)} ${eventLine(event)}`);
  return { counts: countsOf(within.map(({ event }) => event)), lines, loud: loud.length, more };
}

async function doneIn(app: ReportApp, from: number, to: number): Promise<Week["done"]> {
  const { entries, more } = await backTo(from, (before) => newestEntries(app, { limit: pageSize, before }));
  const all = entries.filter(({ at }) => at <= to);
  const within = all.filter(({ entry }) => entry.request !== null);
  const ran = within.filter(({ entry }) => entry.what === "done");
  const people = [...Map.groupBy(ran, ({ entry }) => entry.slackUser)].map(([slackUser, own]) => ({
    slackUser,
    counts: countsOf(own.map(({ entry }) => entry.command)),
  }));
  const total = (counts: Week["changed"]["counts"]) => counts.reduce((sum, { count }) => sum + count, 0);
  return {
    people: people.toSorted((a, b) => total(b.counts) - total(a.counts)),
    unknown: within.filter(({ entry }) => entry.what === "unknown").length,
    unanswered: all.filter(({ entry }) => entry.what === "unanswered").length,
    more,
  };
}

async function estateNow(app: ReportApp): Promise<Week["estate"]> {
  const reading = await app.connection.reader("customer");
  if (!reading) return "no key";
  const read = await readEstate(app, reading.keyId);
  return read ? { at: read.at, confinedTo: reading.about.confinedTo, ...read.figures } : "not read yet";
}

/** The entries of a log after `from`, newest first; `more`: the oldest of them are left out, because there are too many. */
async function backTo<T extends { id: string; at: number }>(
  from: number,
  page: (before: string | undefined) => Promise<T[]>,
): Promise<{ entries: T[]; more: boolean }> {
  const entries: T[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const read = await page(before);
    entries.push(...read.filter(({ at }) => at > from));
    before = read.at(-1)?.id;
    if (before === undefined || (read.at(-1)?.at ?? 0) < from) return { entries, more: false };
  }
  return { entries, more: true };
}

function countsOf(names: string[]): Week["changed"]["counts"] {
  const counted = [...Map.groupBy(names, (name) => name)].map(([name, all]) => ({ name, count: all.length }));
  return counted.toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}
