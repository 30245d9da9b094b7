import { byCharacters } from "../../process/plain-text.ts";
import type { Downs, HomeResource } from "./home-kinds.ts";

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
  why: "trouble" | "down" | "overdue" | "stuck";
  /** Since when, in milliseconds since the epoch; null if it is unknown. */
  since: number | null;
}

/** Resources that need attention: broken, down, failed, suspended, overdue or stuck, in this order; then the newest first, then by name. */
export function findConcerns(resources: HomeResource[], downs: Downs, now: number): Concern[] {
  const found = resources.flatMap((resource): Concern[] => {
    const { id } = resource.entry;
    const why = whyOf(resource, now) ?? (downs.has(id) ? "down" : null);
    return why ? [{ ...resource, why, since: downs.get(id) ?? null }] : [];
  });
  return found.sort(
    (a, b) => rankOf(a) - rankOf(b) || (b.since ?? 0) - (a.since ?? 0) || byCharacters(a.entry.name, b.entry.name),
  );
}

function whyOf(
  { entry: { trouble, due, awaitedSince }, kind }: HomeResource,
  now: number,
): Exclude<Concern["why"], "down"> | null {
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

/** The worst first: a machine that broke, one that is down, what never ran, and then what money can mend. */
function rankOf({ why, entry, kind }: Concern): number {
  if (why === "trouble" && kind.power && brokenStates.includes(entry.state)) return 0;
  if (why === "trouble") return isSuspended(entry) ? 3 : 2;
  return { down: 1, overdue: 4, stuck: 5 }[why];
}

const brokenStates: readonly string[] = ["error", "orphaned"];

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
    .sort((a, b) => timeOf(a) - timeOf(b) || byCharacters(a.entry.name, b.entry.name));
}

function timeOf({ entry: { due }, kind }: HomeResource): number {
  if (due) return Date.parse(due.at);
  return kind.isBill ? 0 : Number.POSITIVE_INFINITY;
}
