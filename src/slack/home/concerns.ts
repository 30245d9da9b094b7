import type { Thing } from "./estate.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
/** A renewal that waits a day for its payment to be booked is not overdue yet. */
const graceMs = day;
/** What was ordered so long ago should be there. */
const stuckAfterMs = 2 * hour;
/** So many of each reason are shown before more of one. */
const leastOfEach = 2;
/** How far the Home tab looks ahead. */
export const aheadDays = 14;

/** Something that needs somebody, and why. */
export interface Concern extends Thing {
  why: "trouble" | "overdue" | "stuck";
}

/** All that needs somebody: what failed, what is suspended, what is overdue, what does not come; of each the first by name. */
export function concernsIn(things: Thing[], now: number): Concern[] {
  const found = things.flatMap((thing): Concern[] => {
    const why = whyOf(thing, now);
    return why ? [{ ...thing, why }] : [];
  });
  return found.sort((a, b) => rankOf(a) - rankOf(b) || a.entry.name.localeCompare(b.entry.name));
}

function whyOf({ entry: { trouble, due, awaitedSince }, sort }: Thing, now: number): Concern["why"] | null {
  if (trouble !== undefined) return "trouble";
  const grace = due?.what === "to be paid" ? 0 : graceMs;
  if (due && due.what !== "ends" && Date.parse(due.at) < now - grace) return "overdue";
  const isStuck = awaitedSince !== undefined && Date.parse(awaitedSince) < now - stuckAfterMs;
  return sort.counted && isStuck ? "stuck" : null;
}

/** As many as there is room for, some of each reason: a hundred failed builds hide no bill. `rest`: those that are left. */
export function spread(concerns: Concern[], most: number): { shown: Concern[]; rest: Concern[] } {
  const first = [...Map.groupBy(concerns, rankOf).values()].flatMap((same) => same.slice(0, leastOfEach));
  const others = concerns.filter((one) => !first.includes(one)).slice(0, Math.max(0, most - first.length));
  const chosen = new Set([...first, ...others]);
  return { shown: concerns.filter((one) => chosen.has(one)), rest: concerns.filter((one) => !chosen.has(one)) };
}

function rankOf({ why, entry }: Concern): number {
  if (why === "trouble") return isSuspended(entry) ? 1 : 0;
  return why === "overdue" ? 2 : 3;
}

/** Held back, and not broken. */
export function isSuspended({ trouble }: Thing["entry"]): boolean {
  return trouble?.startsWith("suspended") ?? false;
}

/** What falls due in the next days, the soonest first; what is overdue is a concern, and not among it. What names no day: an unpaid document is due at any time. */
export function dueIn(things: Thing[], now: number): Thing[] {
  const until = now + aheadDays * day;
  return things
    .filter((thing) => whyOf(thing, now) !== "overdue" && timeOf(thing) <= until)
    .sort((a, b) => timeOf(a) - timeOf(b) || a.entry.name.localeCompare(b.entry.name));
}

function timeOf({ entry: { due }, sort }: Thing): number {
  if (due) return Date.parse(due.at);
  return sort.isBill ? 0 : Number.POSITIVE_INFINITY;
}
