import { expect, test } from "vitest";
import { readPastSpan } from "../../src/operations/kits/past-times.ts";

const here = { now: Date.parse("2026-11-28T06:40:00Z"), zone: "Europe/Madrid" };

test.each([
  ["1d", "2026-11-27T06:40:00.000Z", "2026-11-27T06:40:00.000Z"],
  ["90m", "2026-11-28T05:10:00.000Z", "2026-11-28T05:10:00.000Z"],
  ["today", "2026-11-27T23:00:00.000Z", "2026-11-28T22:59:59.999Z"],
  ["Yesterday", "2026-11-26T23:00:00.000Z", "2026-11-27T22:59:59.999Z"],
  ["yesterday 10:00", "2026-11-27T09:00:00.000Z", "2026-11-27T09:00:00.000Z"],
  ["10:00", "2026-11-28T09:00:00.000Z", "2026-11-28T09:00:00.000Z"],
  ["2026-11-22", "2026-11-21T23:00:00.000Z", "2026-11-22T22:59:59.999Z"],
  ["2026-11-22 02:00", "2026-11-22T01:00:00.000Z", "2026-11-22T01:00:00.000Z"],
  ["2026-11-22T02:00:05Z", "2026-11-22T02:00:05.000Z", "2026-11-22T02:00:05.000Z"],
  ["2026-11-22 02:00 UTC", "2026-11-22T02:00:00.000Z", "2026-11-22T02:00:00.000Z"],
])("%s is read on the reader's clock: a day alone begins the one end and closes the other", (typed, since, until) => {
  const { from } = readPastSpan({ since: typed }, here);
  const { to } = readPastSpan({ until: typed }, here);
  expect([from, to].map((at) => new Date(at ?? 0).toISOString())).toEqual([since, until]);
});

test.each(["", "someday", "2026-02-31", "2026-11-22 25:00", "utc", "12"])("%j is no time", (typed) => {
  expect(() => readPastSpan({ since: typed }, here)).toThrow("Give how long ago");
});
