// policy/maintenance-windows/: maintenance windows of machines: stores them, and computes when they are open.

import { momentPassedOver, momentsOf, type WallTime, wallTimeOf } from "../../views/zone.ts";

/** A span of time without its end moment: milliseconds since the epoch. */
export interface Span {
  from: number;
  until: number;
}

/** A span as clocks on a wall show it. */
export interface WallSpan {
  from: WallTime;
  until: WallTime;
}

/** Once, or again each day or week at the same times of the clocks in its zone. */
export interface Recurring extends Span {
  every: "day" | "week" | null;
  /** An IANA time zone. */
  zone: string;
  /** The first span as it was typed: on the day of a clock change, its moments can show other times. Left out: as they show it. */
  walls?: WallSpan | undefined;
}

const day = 24 * 60 * 60_000;
const periods = { day, week: 7 * day };

/** The span that contains a moment, or the next one after it; null when none follows. */
export function spanAt(window: Recurring, at: number): Span | null {
  const { from, until, every, zone } = window;
  if (every === null) return at < until ? { from, until } : null;
  const walls = window.walls ?? wallsOf(window);
  const passed = Math.floor((wallTimeOf(at, zone) - walls.from) / periods[every]) - 2;
  for (let turn = Math.max(0, passed); ; turn += 1) {
    const later = turn * periods[every];
    const span = spanBetween({ from: walls.from + later, until: walls.until + later }, zone);
    if (at < span.until) return span;
  }
}

function wallsOf({ from, until, zone }: Recurring): WallSpan {
  const walls = { from: wallTimeOf(from, zone), until: wallTimeOf(until, zone) };
  // The clocks can go back within a short span, which then ends at an earlier time than it begins at.
  return walls.until > walls.from ? walls : { ...walls, until: walls.from + until - from };
}

/**
 * The span between two wall times of a zone that ends after a moment, the first of them if the clocks show its end twice. Both ends go by
 * the clocks: one real length would make a window that is set before a clock change an hour too long or too short for good.
 */
export function spanBetween(walls: WallSpan, zone: string, after = 0): Span {
  const from = momentsAt(walls.from, zone)[0] ?? walls.from;
  const until = momentsAt(walls.until, zone).find((end) => end > Math.max(from, after));
  // A start that the clocks skip can come later than the end.
  return { from, until: until ?? from + walls.until - walls.from };
}

function momentsAt(wall: WallTime, zone: string): number[] {
  const moments = momentsOf(wall, zone);
  return moments.length > 0 ? moments : [momentPassedOver(wall, zone)];
}

/** True when one of the windows is open at the moment. */
export function isOpenAt(windows: readonly Recurring[], at: number): boolean {
  return windows.some((window) => (spanAt(window, at)?.from ?? Number.POSITIVE_INFINITY) <= at);
}

/** When the first of them opens after a moment; null where none does. */
export function opensAfter(windows: readonly Recurring[], at: number): number | null {
  const starts = windows.flatMap((window) => {
    const span = spanAt(window, at);
    const next = span && span.from <= at ? spanAt(window, span.until) : span;
    return next ? [next.from] : [];
  });
  return starts.length > 0 ? Math.min(...starts) : null;
}

/** True when the two windows overlap within the next five weeks. */
export function overlap(one: Recurring, other: Recurring, now: number): boolean {
  const [mine, theirs] = [spansWithin(one, now), spansWithin(other, now)];
  return mine.some((a) => theirs.some((b) => a.from < b.until && b.from < a.until));
}

/** The spans of the next five weeks: nothing is scheduled further ahead. */
function spansWithin(window: Recurring, now: number): Span[] {
  const found: Span[] = [];
  let next = spanAt(window, now);
  while (next && next.from < now + 35 * day) {
    found.push(next);
    next = spanAt(window, next.until);
  }
  return found;
}
