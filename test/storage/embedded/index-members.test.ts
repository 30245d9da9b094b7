import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import type { Calls } from "../../../src/storage/embedded/calls.ts";
import { openChannel, type ThreadChannel } from "../../../src/storage/embedded/channel.ts";
import { createIndex } from "../../../src/storage/embedded/index-members.ts";

let channel: ThreadChannel;
let methods: string[];
let calls: Calls;

beforeEach(async () => {
  channel = await openChannel({ path: ":memory:", clock: createSandboxClock(), log: pino({ level: "silent" }) });
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

test("an index without members is empty without a question to the file, and one that has some is not", async () => {
  await channel.write("putInIndex", "kept", "a", 1);
  const used = new Set(await channel.read("indexNames"));
  const [filled, empty] = ["kept", "empty"].map((name) => createIndex(calls, used, () => {}, name));
  expect((await empty?.range())?.entries).toEqual([]);
  expect(await empty?.size()).toBe(0);
  expect(methods).toEqual([]);
  expect((await filled?.range())?.entries).toEqual([{ member: "a", score: 1 }]);
  await empty?.put("b", 2);
  expect((await empty?.range({ from: 3 }))?.entries).toEqual([]);
  expect((await empty?.range({ after: "2 b" }))?.entries).toEqual([]);
  expect(await empty?.size()).toBe(1);
});

test("an index that has become empty is asked about once more, and then no more", async () => {
  const index = createIndex(calls, new Set(), () => {}, "some");
  await index.put("a", 1);
  await index.remove("a");
  for (let n = 0; n < 3; n += 1) expect((await index.range()).entries).toEqual([]);
  expect(methods).toEqual(["rangeOfIndex"]);
});

test("a member is found once it is put, also where the index was seen empty meanwhile", async () => {
  const index = createIndex(calls, new Set(["some"]), () => {}, "some");
  const [put] = await Promise.all([index.put("a", 1), index.range()]);
  expect(put).toBeUndefined();
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
    await channel.write("putInIndex", name, member, 1);
  await channel.write("removeFromIndex", "c", "1");
  expect(await channel.read("indexNames")).toEqual(["a", "b"]);
});
