import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { median, percentile, spread } from "../../../src/sandbox/bench/figures.ts";
import { limitMemory } from "../../../src/sandbox/bench/memory-group.ts";
import { cpuMsOf, residentMemory } from "../../../src/sandbox/bench/process-figures.ts";
import { comparedRow, plainRow, table } from "../../../src/sandbox/bench/report.ts";
import { compare, inTurns, pooled } from "../../../src/sandbox/bench/rounds.ts";
import { openSink } from "../../../src/sandbox/bench/sink.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createClient, peopleFor } from "../../messages/chat/callers.ts";

const figures = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 300 });

test("the 99th percentile of a hundred values is the 99th of them, in whatever order they came", () => {
  const values = Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1);
  expect(percentile(values, 0.99)).toBe(99);
  expect(percentile(values, 0.5)).toBe(50);
  expect(percentile(values, 1)).toBe(100);
  expect(percentile([7], 0.99)).toBe(7);
});

test("a percentile is one of the values, and at least its share of them is not above it", () => {
  fc.assert(
    fc.property(figures, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const found = percentile(values, share);
      expect(values).toContain(found);
      expect(values.filter((value) => value <= found).length).toBeGreaterThanOrEqual(Math.floor(values.length * share));
    }),
  );
});

test("a median lies between the least and the most, and changes nothing in the values", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  fc.assert(
    fc.property(figures, (values) => {
      const before = [...values];
      const { median: middle, min, max } = spread(values);
      expect(values).toEqual(before);
      expect(middle).toBeGreaterThanOrEqual(min);
      expect(middle).toBeLessThanOrEqual(max);
    }),
  );
});

test("no values have no percentile and no median", () => {
  expect(percentile([], 0.99)).toBeNaN();
  expect(median([])).toBeNaN();
});

test("rounds go from side to side, each time the other first, and each ratio is of one round", async () => {
  const order: string[] = [];
  const app = [10, 40, 90];
  const bare = [10, 20, 30];
  const side = (name: string, given: number[]) => async () => {
    order.push(name);
    return given.shift() ?? Number.NaN;
  };
  const compared = await compare(3, { app: side("app", app), other: side("bare", bare) });
  expect(order).toEqual(["app", "bare", "bare", "app", "app", "bare"]);
  expect(compared).toEqual({ app: 40, other: 20, ratio: { median: 2, min: 1, max: 3 } });
});

test("each of three programs comes first in one of three rounds, and its figures stay its own", async () => {
  const order: string[] = [];
  const side = (name: string) => async () => {
    order.push(name);
    return `${name}${order.length}`;
  };
  const found = await inTurns(3, [side("a"), side("b"), side("c")]);
  expect(order.join("")).toBe("abcbcacab");
  expect(found).toEqual([
    ["a1", "a6", "a8"],
    ["b2", "b4", "b9"],
    ["c3", "c5", "c7"],
  ]);
});

test("the percentiles of rounds are of all their samples together, and the spread is of each round's own", () => {
  const found = {
    app: [
      [1, 1, 1, 9],
      [1, 1, 1, 1],
    ],
    other: [
      [1, 1, 1, 1],
      [1, 1, 1, 3],
    ],
  };
  expect(pooled(found, 0.99)).toEqual({ app: 9, other: 3, ratio: { median: 3, min: 1 / 3, max: 9 } });
  expect(pooled(found, 0.5).ratio.median).toBe(1);
});

test("a missed goal reads as missed, also when nothing could be measured", () => {
  const ratio = (middle: number) => ({ app: 1, other: 1, ratio: { median: middle, min: 0, max: 9 } });
  expect(comparedRow("start", ratio(3), { most: 3 }, String).met).toBe(true);
  expect(comparedRow("start", ratio(3.01), { most: 3 }, String).met).toBe(false);
  expect(comparedRow("done", ratio(0.4), { least: 0.4 }, String).met).toBe(true);
  expect(comparedRow("done", ratio(0.39), { least: 0.4 }, String).met).toBe(false);
  expect(comparedRow("done", ratio(Number.NaN), { least: 0.4 }, String).met).toBe(false);
  expect(comparedRow("told", ratio(9), null, String)).toMatchObject({ goal: "", met: null });
  expect(plainRow("calls", Number.NaN, 2).met).toBe(false);
  expect(plainRow("calls", 1, null).met).toBeNull();
});

test("the table lines its columns up and says which goals are met", () => {
  const shown = table("Calls", [plainRow("a list", 1, 1), plainRow("a longer name", 51, 2), plainRow("told", 3, null)]);
  expect(shown.split("\n")).toEqual([
    "Calls",
    "  a list         1   at most 1  met",
    "  a longer name  51  at most 2  MISSED",
    "  told           3",
  ]);
});

test("a process has figures, and a process that ended has none", async () => {
  const before = await cpuMsOf(process.pid);
  const until = process.cpuUsage().user + 60_000;
  while (process.cpuUsage().user < until);
  expect((await cpuMsOf(process.pid)) - before).toBeGreaterThan(50);
  expect(await residentMemory(process.pid)).toBeGreaterThan(10 * 1024 * 1024);
  expect(await residentMemory(0)).toBeNaN();
  expect(await cpuMsOf(0)).toBeNaN();
  expect(await cpuMsOf(process.pid, process.pid)).toBeGreaterThan(1.9 * before);
  expect(await cpuMsOf(process.pid, 0)).toBeNaN();
});

test("a process that needs more memory than its group has is killed, and one that needs less is not", (context) => {
  const group = limitMemory(80 * 1024 * 1024);
  if (!group) return context.skip("no cgroup of memory can be made here");
  const needs = (megabytes: number) =>
    spawnSync("sh", [
      "-c",
      'echo $$ > "$0" && exec "$@"',
      group.processes,
      process.execPath,
      "--eval",
      `Buffer.alloc(${megabytes} * 1024 * 1024, 1)`,
    ]);
  const [little, much] = [needs(1), needs(200)];
  group.remove();
  expect(little).toMatchObject({ status: 0, signal: null });
  expect(much).toMatchObject({ status: null, signal: "SIGKILL" });
});

test("the Slack of the bench leaves out nothing without which the app serves nobody", async () => {
  const { url } = await openSink(() => {}, 0);
  const clock = createSandboxClock();
  const client = createClient({ apiUrl: `${url}/api/`, clock, token: "xoxb-1" });
  const people = await peopleFor(client, { clock, team: "T0BENCH" });
  expect(await people.person("U1")).toMatchObject({ id: "U1", admin: true, outsider: null });
  expect(await people.channel("C1")).toMatchObject({ id: "C1", known: true, shared: false, member: true });
});
