import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChangeAuthor, compareReading, seenIn } from "../../src/alerts/watches/changes.ts";
import type { Watch } from "../../src/alerts/watches/watch.ts";
import type { Entry } from "../../src/operation/target.ts";

const minute = 60_000;
const nobody: ChangeAuthor = { is: "nobody" };

function entryOf(facts: Partial<Entry> = {}): Entry {
  return { id: "1", name: "web-1", aliases: [], state: "running", project: "", detail: "", ...facts };
}

function watchOf(): Watch {
  const threshold = { figure: "cpu", label: "CPU", above: 90 };
  return {
    id: "w",
    member: "T:U",
    slackUser: "U",
    api: "customer",
    card: "vps show",
    project: null,
    target: { id: "1", name: "web-1" },
    viewer: "customer u own all",
    startedAt: 0,
    endsAt: 1e12,
    threshold,
    seen: seenIn({ entry: entryOf(), used: 10 }, { threshold }, 0),
    quiet: { until: 0, changes: 0, notified: [] },
    misses: 0,
    messages: [],
    ended: null,
  };
}

/** Compares observations that are five minutes apart, and returns the messages to the member. */
function textsOf(sights: { entry: Entry; used: number | null }[], author: ChangeAuthor = nobody): string[] {
  let watch = watchOf();
  return sights.flatMap((sight, at) => {
    const { text, ...change } = compareReading(watch, sight, { now: (at + 1) * 5 * minute, author });
    watch = { ...watch, ...change };
    return text === null ? [] : [text];
  });
}

test("a resource that stays as it is causes no message, however often it is read", () => {
  expect(textsOf(Array.from({ length: 50 }, () => ({ entry: entryOf(), used: 10 })))).toEqual([]);
});

test("of a state that changes at every look, one message comes in a quarter of an hour", () => {
  const states = Array.from({ length: 60 }, (_, at) => entryOf({ state: at % 2 === 0 ? "stopped" : "running" }));
  const texts = textsOf(states.map((entry) => ({ entry, used: null })));
  expect(texts[0]).toContain("it was running");
  expect(texts.length).toBeLessThanOrEqual(21);
  expect(texts.length).toBeGreaterThan(10);
});

test("a failure sends a message at once, also while changes to and fro send none", () => {
  const sights = [entryOf({ state: "stopped" }), entryOf({ state: "error", trouble: "its machine is in error" })];
  expect(textsOf(sights.map((entry) => ({ entry, used: null })))[1]).toContain("its machine is in error");
});

test("a failure that comes and goes causes one message in a quarter of an hour", () => {
  const failed = entryOf({ state: "error", trouble: "its machine is in error" });
  const texts = textsOf([failed, entryOf(), failed, entryOf()].map((entry) => ({ entry, used: null })));
  expect(texts.filter((text) => text.includes("its machine is in error"))).toHaveLength(1);
});

test("a change by the watcher causes no message, and a failure by the watcher causes one", () => {
  const watcher: ChangeAuthor = { is: "watcher" };
  expect(textsOf([{ entry: entryOf({ state: "stopped" }), used: null }], watcher)).toEqual([]);
  const failed = entryOf({ state: "error", trouble: "its machine is in error" });
  expect(textsOf([{ entry: failed, used: null }], watcher)).toHaveLength(1);
});

test("a figure that wavers about its threshold causes one message", () => {
  const texts = textsOf([91, 89, 92, 88, 90, 87].map((used) => ({ entry: entryOf(), used })));
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain("*CPU 91 %*, over your limit of 90 %");
});

test("a figure that cannot be read has not changed", () => {
  expect(textsOf([95, null, null, 96].map((used) => ({ entry: entryOf(), used })))).toHaveLength(1);
});

test("a figure that falls far below a threshold of a few percent is under it again", () => {
  const watch = { ...watchOf(), threshold: { figure: "cpu", label: "CPU", above: 1 } };
  const over = { ...watch, seen: { ...watch.seen, over: true } };
  const { text } = compareReading(over, { entry: entryOf(), used: 0 }, { now: 5 * minute, author: nobody });
  expect(text).toContain("under 1 % again");
});

test("a clock that is set back does not hold up the messages that a quiet time collects", () => {
  const hour = 60 * minute;
  const watch = { ...watchOf(), quiet: { until: 3 * hour, changes: 1, notified: [] } };
  const reading = { entry: entryOf({ state: "stopped" }), used: null };
  expect(compareReading(watch, reading, { now: hour, author: nobody }).text).toContain("It changed 2 times");
});

test("a date sends a message when it is near, and again when it is past", () => {
  const day = 24 * 60 * minute;
  const texts = textsOf([
    { entry: entryOf({ due: { at: new Date(2 * day).toISOString(), what: "due for payment" } }), used: null },
    { entry: entryOf({ due: { at: new Date(2 * day).toISOString(), what: "due for payment" } }), used: null },
    { entry: entryOf({ due: { at: new Date(-day).toISOString(), what: "due for payment" } }), used: null },
  ]);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain("is due for payment");
  expect(texts[1]).toContain("is overdue for payment since");
});

test("the messages of a watch mention nobody but the member who changed the resource and are never empty, whatever the platform sends", () => {
  const wild = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("<!channel>", "<@U1>", ""));
  const sight = fc.record({
    entry: fc.record({ name: wild, state: wild, trouble: wild }).map((facts) => entryOf(facts)),
    used: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(sight, { maxLength: 20 }), (sights) => {
      for (const text of textsOf(sights)) {
        expect(text.trim()).not.toBe("");
        expect(text).not.toMatch(/<[!@#]/);
      }
      const other: ChangeAuthor = { is: "other", slackUser: "U2", command: "vps stop" };
      for (const text of textsOf(sights, other)) expect(text.match(/<[!@#][^>]*>/g)).toEqual(["<@U2>"]);
    }),
  );
});
