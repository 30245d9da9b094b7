// policy/maintenance-windows/: maintenance windows of machines: stores them, and computes when they are open.
// May import: operation/, views/, storage/.

import { momentPassedOver, momentsOf, wallTimeOf } from "../../operation/zone.ts";

/** A span of time without its end moment: milliseconds since the epoch. */
export interface Span {
  from: number;
  until: number;
}

/** Once, or again each day or week at the same time of the clocks in its zone. */
export interface Recurring extends Span {
  every: "day" | "week" | null;
  /** An IANA time zone. */
  zone: string;
}

const day = 24 * 60 * 60_000;
const periods = { day, week: 7 * day };

/** The span that contains a moment, or the next one after it; null when none follows. Every repetition has the same length. */
export function spanAt({ from, until, every, zone }: Recurring, at: number): Span | null {
  if (every === null) return at < until ? { from, until } : null;
  const wall = wallTimeOf(from, zone);
  const passed = Math.floor((wallTimeOf(at, zone) - wall) / periods[every]) - 2;
  for (let turn = Math.max(0, passed); ; turn += 1) {
    const shown = wall + turn * periods[every];
    const start = momentsOf(shown, zone)[0] ?? momentPassedOver(shown, zone);
    if (at < start + until - from) return { from: start, until: start + until - from };
  }
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
    return next && next.from > at ? [next.from] : [];
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
    next = window.every === null ? null : spanAt(window, next.until);
  }
  return found;
}
