import { expect, test } from "vitest";
import { createClockSkew } from "../../src/process/clock-skew.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

function world() {
  const clock = createSandboxClock(Date.UTC(2026, 10, 20, 12));
  const skew = createClockSkew(clock);
  const dated = (aheadMs: number) => new Date(clock.now() + aheadMs).toUTCString();
  return { clock, skew, dated };
}

test("no skew is reported of a server that sent no answer", () => {
  const { skew } = world();
  expect(skew.clockSkew()).toEqual({});
  expect(skew.problems()).toEqual([]);
});

test("clocks that fit are no line, and their difference can be shown", () => {
  const { skew, dated } = world();
  skew.addSample("slack", dated(0), 80);
  skew.addSample("platform", dated(-20_000), 80);
  expect(Math.abs(skew.clockSkew().slack ?? Number.NaN)).toBeLessThan(1_500);
  expect(skew.clockSkew().platform).toBeGreaterThan(18_500);
  expect(skew.problems()).toEqual([]);
});

test.each([
  [45_000, "45 s behind Slack's"],
  [-90_000, "90 s ahead of Slack's"],
])("a Slack that is %i ms ahead is a line", (ahead, words) => {
  const { skew, dated } = world();
  skew.addSample("slack", dated(ahead), 80);
  const off = Number(/\d+/.exec(skew.problems().join())?.[0]);
  expect(Math.abs(off - Math.abs(ahead) / 1_000)).toBeLessThanOrEqual(2);
  expect(skew.problems().join()).toContain(words.replace(/\d+ s /, ""));
});

test("a clock that is set while nobody answers is seen at once, and set right again is well", () => {
  const { clock, skew, dated } = world();
  skew.addSample("slack", dated(0), 80);
  clock.skip(60 * 60_000);
  expect(skew.problems()).toEqual([]);
  clock.adjust(-60 * 60_000);
  expect(skew.problems()).toEqual([expect.stringMatching(/clock is 3[56]\d\d s behind Slack's/)]);
  clock.adjust(60 * 60_000);
  expect(skew.problems()).toEqual([]);
});

test("a date that is none, and one of an answer that took long, give no skew", () => {
  const { skew, dated } = world();
  skew.addSample("slack", "yesterday", 80);
  skew.addSample("slack", dated(90_000), 9_000);
  expect(skew.clockSkew()).toEqual({});
});
