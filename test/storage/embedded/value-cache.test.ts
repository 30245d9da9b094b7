import { beforeEach, expect, test } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import { createValueCache, type ValueCache } from "../../../src/storage/embedded/value-cache.ts";
import type { StoredValue } from "../../../src/storage/embedded/worker/values.ts";

let clock: SandboxClock;
let cache: ValueCache;
let reads: number;

beforeEach(() => {
  clock = createSandboxClock();
  cache = createValueCache(clock);
  reads = 0;
});

async function read(key: string, onDisk: StoredValue | Promise<StoredValue>): Promise<string | undefined> {
  return cache.read("test", key, async () => {
    reads += 1;
    return onDisk;
  });
}

function set(key: string, text: string, write: Promise<void> = Promise.resolve()): Promise<void> {
  return cache.change([{ namespace: "test", key, text, expiresAt: null }], () => write);
}

const stored = (text: string): StoredValue => ({ text, expiresAt: null });

test("a value that was read, or found missing, is not read from the file again", async () => {
  expect([await read("a", stored("1")), await read("a", null)]).toEqual(["1", "1"]);
  expect([await read("b", null), await read("b", stored("2"))]).toEqual([undefined, undefined]);
  expect(reads).toBe(2);
});

test("a written value is known once it is on disk, and not before", async () => {
  const onDisk = Promise.withResolvers<void>();
  const writing = set("a", "2", onDisk.promise);
  expect(await read("a", stored("1"))).toBe("1");
  onDisk.resolve();
  await writing;
  expect(await read("a", stored("1"))).toBe("2");
  expect(reads).toBe(1);
});

test("a read that a write has overtaken leaves nothing behind", async () => {
  const found = Promise.withResolvers<StoredValue>();
  const reading = read("a", found.promise);
  await set("a", "2");
  found.resolve(stored("1"));
  expect(await reading).toBe("1");
  expect(await read("a", stored("never asked"))).toBe("2");
});

test("of two writes the later one counts, in either order", async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = [set("a", "1", first.promise), set("a", "2", second.promise)];
  second.resolve();
  await both[1];
  first.resolve();
  await both[0];
  expect(await read("a", stored("never asked"))).toBe("2");
});

test("of two changes of one key in one write the last counts, as in the file", async () => {
  const change = (text: string) => ({ namespace: "test", key: "a", text, expiresAt: null });
  await cache.change([change("1"), change("2")], async () => {});
  expect(await read("a", stored("never asked"))).toBe("2");
});

test("of what a failed write left behind nothing is believed", async () => {
  await set("a", "1");
  await expect(set("a", "2", Promise.reject(new Error("The disk is full.")))).rejects.toThrow("disk is full");
  expect(await read("a", stored("1"))).toBe("1");
  expect(reads).toBe(1);
});

test("a value that was read during a write is read again once the outcome of the write is unknown", async () => {
  const onDisk = Promise.withResolvers<void>();
  const writing = set("a", "2", onDisk.promise);
  expect(await read("a", stored("1"))).toBe("1");
  onDisk.reject(new Error("The store did not answer."));
  await expect(writing).rejects.toThrow("did not answer");
  expect(await read("a", stored("2"))).toBe("2");
});

test("a known value that has expired is not there any more", async () => {
  expect(await read("a", { text: "1", expiresAt: clock.now() + 1_000 })).toBe("1");
  clock.skip(1_000);
  expect(await read("a", null)).toBeUndefined();
  expect(reads).toBe(1);
});

test("two names never run together into one", async () => {
  await cache.read("a", "bc", async () => stored("1"));
  expect(await cache.read("ab", "c", async () => null)).toBeUndefined();
});

test("after a change that was not made the file is asked", async () => {
  await set("a", "1");
  const change = { namespace: "test", key: "a", text: "2", expiresAt: null };
  await cache.change(
    [change],
    async () => false,
    (done) => done,
  );
  expect(await read("a", stored("theirs"))).toBe("theirs");
});
