import fc from "fast-check";
import { expect, test } from "vitest";
import { nextWeekly } from "../../../src/alerts/report/schedule.ts";
import { wallTimeOf } from "../../../src/views/zone.ts";

const day = 24 * 60 * 60_000;
const at = (text: string) => Date.parse(text);
const zones = ["UTC", "Europe/Madrid", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"];

test("Monday at nine is Monday at nine on both sides of a clock change", () => {
  const madrid = { day: 1, minutes: 9 * 60, zone: "Europe/Madrid" };
  expect(nextWeekly(madrid, at("2026-10-20T00:00:00Z"))).toBe(at("2026-10-26T08:00:00Z"));
  expect(nextWeekly(madrid, at("2026-10-19T06:59:59Z"))).toBe(at("2026-10-19T07:00:00Z"));
  expect(nextWeekly(madrid, at("2026-10-26T08:00:00Z"))).toBe(at("2026-11-02T08:00:00Z"));
});

test("a time that the clocks pass over is as long after their change, and of two the first is meant", () => {
  const sunday = { day: 0, minutes: 150, zone: "Europe/Madrid" };
  expect(nextWeekly(sunday, at("2026-03-28T12:00:00Z"))).toBe(at("2026-03-29T01:30:00Z"));
  expect(nextWeekly(sunday, at("2026-10-24T12:00:00Z"))).toBe(at("2026-10-25T00:30:00Z"));
  expect(nextWeekly(sunday, at("2026-10-25T00:30:00Z"))).toBe(at("2026-11-01T01:30:00Z"));
});

test("the next weekly time is later than now, within eight days and on its weekday, in every zone", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 1439 }),
      fc.integer({ min: at("2024-01-01"), max: at("2030-01-01") }),
      (zone, weekday, minutes, now) => {
        const next = nextWeekly({ day: weekday, minutes, zone }, now);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThan(8 * day);
        expect(new Date(wallTimeOf(next, zone)).getUTCDay()).toBe(weekday);
      },
    ),
  );
});
