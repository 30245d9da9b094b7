import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import type { Calls } from "../../../src/storage/embedded/calls.ts";
import { openChannel, type ThreadChannel } from "../../../src/storage/embedded/channel.ts";
import { createIndex } from "../../../src/storage/embedded/index-members.ts";
import { createRuns } from "../../../src/storage/embedded/runs.ts";
import { createTimerFile } from "../../../src/storage/embedded/timers.ts";
import { createTransact } from "../../../src/storage/embedded/transact.ts";
import { createValueCache } from "../../../src/storage/embedded/value-cache.ts";
import type { Store } from "../../../src/storage/store.ts";
import { place } from "../raw.ts";

let clock: SandboxClock;
let channel: ThreadChannel;
let methods: string[];
let calls: Calls;

beforeEach(async () => {
  clock = createSandboxClock();
  channel = await openChannel({ path: ":memory:", clock, log: pino({ level: "silent" }) });
  methods = [];
  calls = {
    ...channel,
    async read(method, ...args) {
      methods.push(method);
      return channel.read(method, ...args);
    },
  };
});
afterEach(() => channel.close());

/** A writer of transactions that notes the indexes that it fills in `used`. */
function writer(used = new Set<string>()): Pick<Store, "transact"> {
  const timers = createTimerFile({ calls, clock, runs: createRuns(), instance: "one" });
  return { transact: createTransact({ calls, known: createValueCache(clock), usedIndexes: used, clock, timers }) };
}

test("an index without members is empty without a question to the file, and one that has some is not", async () => {
  await place(writer(), "kept", "a", 1);
  const used = new Set(await channel.read("indexNames"));
  const [filled, empty] = ["kept", "empty"].map((name) => createIndex(calls, used, () => {}, name));
  expect((await empty?.range())?.entries).toEqual([]);
  expect(await empty?.size()).toBe(0);
  expect(methods).toEqual([]);
  expect((await filled?.range())?.entries).toEqual([{ member: "a", score: 1 }]);
  await place(writer(used), "empty", "b", 2);
  expect((await empty?.range({ from: 3 }))?.entries).toEqual([]);
  expect((await empty?.range({ after: "2 b" }))?.entries).toEqual([]);
  expect(await empty?.size()).toBe(1);
});

test("an index that has become empty is asked about once more, and then no more", async () => {
  const used = new Set<string>();
  const index = createIndex(calls, used, () => {}, "some");
  await place(writer(used), "some", "a", 1);
  await place(writer(used), "some", "a", null);
  for (let n = 0; n < 3; n += 1) expect((await index.range()).entries).toEqual([]);
  expect(methods).toEqual(["rangeOfIndex"]);
});

test("a member is found once it is put, also where the index was seen empty meanwhile", async () => {
  const used = new Set(["some"]);
  const index = createIndex(calls, used, () => {}, "some");
  await Promise.all([place(writer(used), "some", "a", 1), index.range()]);
  expect((await index.range()).entries).toEqual([{ member: "a", score: 1 }]);
});

test("the names of the indexes in the file are those that have members", async () => {
  expect(await channel.read("indexNames")).toEqual([]);
  for (const [name, member] of [
    ["b", "1"],
    ["a", "1"],
    ["a", "2"],
    ["c", "1"],
  ] as const)
    await place(writer(), name, member, 1);
  await place(writer(), "c", "1", null);
  expect(await channel.read("indexNames")).toEqual(["a", "b"]);
});
