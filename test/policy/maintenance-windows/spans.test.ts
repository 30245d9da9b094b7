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
