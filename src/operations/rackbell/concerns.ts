import type { HomeResource } from "./home-kinds.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
/** Milliseconds. A renewal waits up to a day for its payment to be booked. */
const graceMs = day;
/** Milliseconds after which an ordered service should exist. */
const stuckAfterMs = 2 * hour;
/** Concerns of each reason that are shown before more of one reason. */
const leastOfEach = 2;
/** Days that the Home tab looks ahead. */
export const aheadDays = 14;

/** A resource that needs attention, and the reason. */
export interface Concern extends HomeResource {
  why: "trouble" | "overdue" | "stuck";
}

/** Resources that need attention: failed, suspended, overdue or stuck, in this order, then by name. */
export function findConcerns(resources: HomeResource[], now: number): Concern[] {
  const found = resources.flatMap((resource): Concern[] => {
    const why = whyOf(resource, now);
    return why ? [{ ...resource, why }] : [];
  });
  return found.sort((a, b) => rankOf(a) - rankOf(b) || a.entry.name.localeCompare(b.entry.name));
}

function whyOf({ entry: { trouble, due, awaitedSince }, kind }: HomeResource, now: number): Concern["why"] | null {
  if (trouble !== undefined) return "trouble";
  const grace = due?.what === "to be paid" ? 0 : graceMs;
  if (due && due.what !== "ends" && Date.parse(due.at) < now - grace) return "overdue";
  const isStuck = awaitedSince !== undefined && Date.parse(awaitedSince) < now - stuckAfterMs;
  return kind.counted && isStuck ? "stuck" : null;
}

/** Picks `most` concerns, with some of each reason, so that a hundred failed builds hide no bill. `rest`: the others. */
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

/** True if it is suspended and not broken. */
export function isSuspended({ trouble }: HomeResource["entry"]): boolean {
  return trouble?.startsWith("suspended") ?? false;
}

/**
 * Resources that fall due in the next days, the soonest first. Overdue ones are concerns, so they are left out. An unpaid document
 * without a date counts as due now.
 */
export function dueIn(resources: HomeResource[], now: number): HomeResource[] {
  const until = now + aheadDays * day;
  return resources
    .filter((resource) => whyOf(resource, now) !== "overdue" && timeOf(resource) <= until)
    .sort((a, b) => timeOf(a) - timeOf(b) || a.entry.name.localeCompare(b.entry.name));
}

function timeOf({ entry: { due }, kind }: HomeResource): number {
  if (due) return Date.parse(due.at);
  return kind.isBill ? 0 : Number.POSITIVE_INFINITY;
}
