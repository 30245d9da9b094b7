import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isOpenAt,
  opensAfter,
  overlap,
  type Recurring,
  spanAt,
  spanBetween,
} from "../../../src/policy/maintenance-windows/spans.ts";
import { momentsOf, wallTimeOf } from "../../../src/views/zone.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
const at = (text: string) => Date.parse(text);

const zones = ["Europe/Vienna", "Europe/Madrid", "America/New_York", "America/Nuuk", "Australia/Lord_Howe", "UTC"];

/** 02:30 to 04:00 in Vienna. */
const nightly: Recurring = {
  from: at("2026-03-27T01:30:00Z"),
  until: at("2026-03-27T03:00:00Z"),
  every: "day",
  zone: "Europe/Vienna",
};

describe("a maintenance window", () => {
  test("that is for once is over once it has closed", () => {
    const once: Recurring = { ...nightly, every: null };
    expect(spanAt(once, once.from)).toEqual({ from: once.from, until: once.until });
    expect(isOpenAt([once], once.until - 1)).toBe(true);
    expect(isOpenAt([once], once.until)).toBe(false);
    expect(spanAt(once, once.until)).toBeNull();
  });

  test("opens at the same time of its clocks, whatever they are set by in between", () => {
    expect(spanAt(nightly, at("2026-03-30T00:00:00Z"))?.from).toBe(at("2026-03-30T00:30:00Z"));
    // In this night there is no 02:30.
    expect(spanAt(nightly, at("2026-03-28T12:00:00Z"))?.from).toBe(at("2026-03-29T01:30:00Z"));
    // In this one there are two.
    expect(spanAt(nightly, at("2026-10-24T12:00:00Z"))?.from).toBe(at("2026-10-25T00:30:00Z"));
  });

  test("that opens each week is open on one day of it", () => {
    const weekly: Recurring = { ...nightly, every: "week" };
    expect(opensAfter([weekly], weekly.from)).toBe(at("2026-04-03T00:30:00Z"));
  });

  test("of two that overlap either holds, and that they overlap is found", () => {
    const later = { ...nightly, from: nightly.from + hour, until: nightly.until + hour };
    expect(isOpenAt([nightly, later], nightly.until + hour - 1)).toBe(true);
    expect(overlap(nightly, later, nightly.from)).toBe(true);
    expect(
      overlap(nightly, { ...later, from: later.from + 5 * hour, until: later.until + 5 * hour }, nightly.from),
    ).toBe(false);
  });

  test("is open from its first moment on, and never before it begins for the first time", () => {
    expect(isOpenAt([nightly], nightly.from)).toBe(true);
    expect(isOpenAt([nightly], nightly.from - 1)).toBe(false);
    expect(isOpenAt([], nightly.from)).toBe(false);
    for (const every of ["day", "week"] as const)
      expect(spanAt({ ...nightly, every }, nightly.from - 30 * day)).toEqual({
        from: nightly.from,
        until: nightly.until,
      });
  });

  test("that lasts while the clocks go back ends as long after its beginning each day", () => {
    // From the first 02:30 to the second, and from the first 02:50 to the second 02:10.
    for (const [from, until] of [
      ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"],
      ["2026-10-25T00:50:00Z", "2026-10-25T01:10:00Z"],
    ] as const) {
      const recurring: Recurring = { from: at(from), until: at(until), every: "day", zone: "Europe/Vienna" };
      const length = recurring.until - recurring.from;
      const next = spanAt(recurring, at("2026-10-27T12:00:00Z"));
      expect(next).toEqual({ from: recurring.from + 3 * day + hour, until: recurring.from + 3 * day + hour + length });
    }
  });

  test("that first lasts while the clocks go forward ends at the same time of its clocks each day", () => {
    // From 01:30 to 04:00, which are one hour and a half apart on that day alone.
    const recurring: Recurring = {
      from: at("2026-03-29T00:30:00Z"),
      until: at("2026-03-29T02:00:00Z"),
      every: "day",
      zone: "Europe/Vienna",
    };
    expect(spanAt(recurring, at("2026-03-30T12:00:00Z"))).toEqual({
      from: at("2026-03-30T23:30:00Z"),
      until: at("2026-03-31T02:00:00Z"),
    });
  });

  test("ends at the first time after now at which the clocks show its end", () => {
    const walls = { from: at("2026-10-25T02:00:00Z"), until: at("2026-10-25T02:30:00Z") };
    const [first, second] = momentsOf(walls.until, "Europe/Vienna");
    expect(spanBetween(walls, "Europe/Vienna").until).toBe(first);
    expect(spanBetween(walls, "Europe/Vienna", first).until).toBe(second);
    expect(spanBetween(walls, "Europe/Vienna", (first ?? 0) - 1).until).toBe(first);
    // The clocks skip its beginning, and pass its end with that.
    const skipped = { from: at("2026-03-29T02:30:00Z"), until: at("2026-03-29T03:00:00Z") };
    expect(spanBetween(skipped, "Europe/Vienna")).toEqual({
      from: at("2026-03-29T01:30:00Z"),
      until: at("2026-03-29T02:00:00Z"),
    });
  });

  test("opens next when the first of several opens that are not open, or opens again", () => {
    const once: Recurring = { ...nightly, every: null };
    expect(opensAfter([], nightly.from)).toBe(null);
    expect(opensAfter([once], once.from - 1)).toBe(once.from);
    expect(opensAfter([once], once.from)).toBe(null);
    expect(opensAfter([once], once.until)).toBe(null);
    const later = { ...once, from: once.from + 3 * hour, until: once.until + 3 * hour };
    expect(opensAfter([later, once], once.from - 1)).toBe(once.from);
    expect(opensAfter([once, later], once.from)).toBe(later.from);
    // Of one that is open, its next time.
    expect(opensAfter([nightly], at("2026-03-27T02:00:00Z"))).toBe(at("2026-03-28T01:30:00Z"));
    // One that begins again at the moment at which it ends never closes.
    const always: Recurring = { from: nightly.from, until: nightly.from + day, every: "day", zone: "UTC" };
    expect(opensAfter([always], always.from)).toBe(always.until);
  });

  test("overlaps another one only where both are open at once, within five weeks", () => {
    const once = (from: number, length: number): Recurring => ({
      from,
      until: from + length,
      every: null,
      zone: "UTC",
    });
    const now = at("2026-05-01T00:00:00Z");
    const first = once(now + hour, hour);
    for (const [other, both] of [
      [once(now + 2 * hour, hour), false],
      [once(now, hour), false],
      [once(now + 2 * hour - 1, hour), true],
      [once(now, hour + 1), true],
      [once(now + 1.25 * hour, hour / 4), true],
      [once(now, 5 * hour), true],
    ] as const) {
      expect(overlap(first, other, now)).toBe(both);
      expect(overlap(other, first, now)).toBe(both);
    }
    const weekly: Recurring = { ...first, every: "week" };
    const daily: Recurring = { ...first, every: "day" };
    for (const [later, both] of [
      [28 * day, true],
      [27 * day, false],
      [35 * day, false],
      [42 * day, false],
    ] as const)
      expect(overlap(weekly, once(first.from + later, hour), now)).toBe(both);
    expect(overlap(daily, once(first.from + 27 * day, hour), now)).toBe(true);
    // On its third day, at another hour of the first.
    expect(overlap(once(first.from + 34 * day, hour), once(first.from + 34 * day, hour), now)).toBe(true);
    expect(overlap(once(now + 35 * day, hour), once(now + 35 * day, hour), now)).toBe(false);
    // Both are over.
    expect(overlap(first, first, first.until)).toBe(false);
  });

  test("never misses a moment: what is open is found to be, and what is to come begins later", () => {
    const window = fc.record({
      from: fc.integer({ min: at("2026-01-01"), max: at("2026-12-31") }).map((ms) => ms - (ms % 60_000)),
      length: fc.integer({ min: 1, max: 24 * 60 }),
      every: fc.constantFrom("day" as const, "week" as const, null),
      zone: fc.constantFrom(...zones),
    });
    fc.assert(
      fc.property(window, fc.integer({ min: 0, max: 800 * day }), ({ length, ...rest }, later) => {
        const recurring = { ...rest, until: rest.from + length * 60_000 };
        const span = spanAt(recurring, recurring.from + later);
        if (span === null) {
          expect(recurring.every).toBeNull();
          return;
        }
        expect(span.until).toBeGreaterThan(recurring.from + later);
        expect(span.until).toBeGreaterThan(span.from);
        // Nothing of it lies between: the one before has closed.
        const wall = wallTimeOf(span.from, rest.zone) - wallTimeOf(rest.from, rest.zone);
        expect(Math.abs(wall % (30 * 60_000))).toBe(0);
        if (span.from > recurring.from + later) expect(isOpenAt([recurring], recurring.from + later)).toBe(false);
      }),
    );
  });

  test("opens and closes by its clocks on every later day, on whichever day it was set", () => {
    const typed = fc.record({
      date: fc.integer({ min: 0, max: 800 }).map((days) => at("2026-01-01") + days * day),
      start: fc.integer({ min: 0, max: 24 * 60 - 1 }),
      length: fc.integer({ min: 1, max: 24 * 60 }),
      zone: fc.constantFrom(...zones),
      every: fc.constantFrom("day" as const, "week" as const),
    });
    fc.assert(
      fc.property(typed, fc.integer({ min: 0, max: 400 * day }), ({ date, start, length, zone, every }, later) => {
        const walls = { from: date + start * 60_000, until: date + (start + length) * 60_000 };
        const recurring = { ...spanBetween(walls, zone), every, zone, walls };
        const span = spanAt(recurring, recurring.from + later);
        const turn = every === "day" ? day : 7 * day;
        for (const end of ["from", "until"] as const) {
          const shown = wallTimeOf(span?.[end] ?? 0, zone);
          const offTime = (((shown - walls[end]) % turn) + turn) % turn;
          // Only on a day on which the clocks skip that time does it come later.
          if (offTime !== 0) expect(momentsOf(shown - offTime, zone)).toEqual([]);
        }
      }),
      {
        examples: [[{ date: at("2027-03-28"), start: 150, length: 90, zone: "Europe/Madrid", every: "day" }, 9 * day]],
      },
    );
  });
});
