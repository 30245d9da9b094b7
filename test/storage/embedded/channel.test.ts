import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import { openChannel, type ThreadChannel } from "../../../src/storage/embedded/channel.ts";
import { startWorker } from "../../../src/storage/embedded/thread.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import { ownFolder } from "../../own-folder.ts";
import { patience } from "../contract/notebook.ts";
import { startProcess } from "../process.ts";

let folder: string;
let path: string;
let clock: SandboxClock;
let lines: string[];
let workers: Worker[];
let opened: ThreadChannel[];

beforeEach(() => {
  folder = ownFolder();
  path = join(folder, "store.db");
  clock = createSandboxClock();
  lines = [];
  workers = [];
  opened = [];
});
afterEach(async () => {
  for (const channel of opened) await channel.close();
});

async function open(at = path): Promise<ThreadChannel> {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const start = (file: string): Worker => {
    const worker = startWorker(file);
    workers.push(worker);
    return worker;
  };
  const channel = await openChannel({ path: at, clock, log, start });
  opened.push(channel);
  return channel;
}

function set(channel: ThreadChannel, key: string): Promise<void> {
  return channel.write("setValue", "test", key, "1", null);
}

async function get(channel: ThreadChannel, key: string): Promise<string | undefined> {
  return (await channel.read("getValue", "test", key, 0))?.text;
}

/** The one that was started last. */
function thread(): Worker {
  const worker = workers.at(-1);
  if (!worker) throw new Error("There is no thread.");
  return worker;
}

/** Kills the thread in the middle of its work; resolves when it has ended. */
async function die(): Promise<void> {
  await thread().terminate();
}

test("a call fails in words when the store's thread dies, and the values kept before are there after its restart", async () => {
  const channel = await open();
  await set(channel, "before");
  // It dies before it comes to them.
  const posted = vi.spyOn(thread(), "postMessage").mockReturnValue();
  const outcomes = Promise.allSettled([set(channel, "unknown"), get(channel, "before"), set(channel, "also unknown")]);
  await vi.waitFor(() => expect(posted).toHaveBeenCalledOnce(), patience);
  await die();
  expect((await outcomes).map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : "kept"))).toEqual([
    "StorageError: The store did not answer. It is not known whether this was kept.",
    "StorageError: The store did not answer.",
    "StorageError: The store did not answer. It is not known whether this was kept.",
  ]);
  await vi.waitFor(async () => expect(await get(channel, "before")).toBe("1"), patience);
  await set(channel, "after");
  expect(await get(channel, "after")).toBe("1");
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    "the store's thread ended, and is started again",
    "the store is open again",
  ]);
});

test("the file stays with the process whose thread was started again", async () => {
  const channel = await open();
  await die();
  await vi.waitFor(() => set(channel, "again"), patience);
  const other = startProcess(`sqlite:${path}`, "hold", { stderr: "ignore" });
  await expect(other.said(1)).rejects.toThrow(/ended after 0 lines/);
  expect(await get(channel, "again")).toBe("1");
});

test("a thread that does not come to stay is started again after a pause, in which everything is refused in words", async () => {
  const channel = await open();
  await die();
  await vi.waitFor(() => set(channel, "again"), patience);
  await die();
  await vi.waitFor(() => expect(lines).toHaveLength(3), patience);
  await expect(set(channel, "in the pause")).rejects.toThrow(/does not answer, and is being started again. Nothing/);
  await expect(get(channel, "again")).rejects.toThrow(StorageError);
  clock.skip(1_000);
  await vi.waitFor(() => set(channel, "after the pause"), patience);
  expect(await get(channel, "in the pause")).toBeUndefined();
  await die();
  await vi.waitFor(() => expect(lines).toHaveLength(5), patience);
  expect(lines.map((line) => JSON.parse(line).pauseMs).filter((ms) => ms !== undefined)).toEqual([0, 1_000, 2_000]);
  clock.skip(120_000);
  await vi.waitFor(() => set(channel, "much later"), patience);
  clock.skip(60_000);
  await die();
  await vi.waitFor(() => set(channel, "at once again"), patience);
});

test("a file that cannot be had again is tried again until it can", async () => {
  const channel = await open();
  await set(channel, "before");
  // Files with the store's name and a suffix belong to it.
  const files = (): string[] => readdirSync(folder).filter((name) => name.startsWith("store.db"));
  thread().once("exit", () => {
    for (const name of files()) renameSync(join(folder, name), join(folder, `aside ${name}`));
    writeFileSync(path, "a shopping list, long enough to be looked at ".repeat(50));
  });
  await die();
  await vi.waitFor(() => expect(lines.join("")).toContain("could not be opened again"), patience);
  await expect(get(channel, "before")).rejects.toThrow(StorageError);
  for (const name of files()) rmSync(join(folder, name));
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(folder, name.replace("aside ", "")));
  clock.skip(60_000);
  await vi.waitFor(async () => expect(await get(channel, "before")).toBe("1"), patience);
});

test("a store in memory whose thread died refuses every call, and does not start anew with nothing", async () => {
  const channel = await open(":memory:");
  await set(channel, "key");
  await die();
  await vi.waitFor(() => expect(lines).toHaveLength(1), patience);
  await expect(get(channel, "key")).rejects.toThrow(/was in memory, and was lost/);
  clock.skip(3_600_000);
  await expect(set(channel, "key")).rejects.toThrow(/was in memory, and was lost/);
  expect(workers).toHaveLength(1);
});

test("calls of one turn travel in one message each way, and are answered in their order", async () => {
  const channel = await open();
  const messages = vi.spyOn(thread(), "postMessage");
  let answers = 0;
  thread().on("message", () => {
    answers += 1;
  });
  const order: number[] = [];
  await Promise.all(Array.from({ length: 100 }, (_, turn) => set(channel, `k${turn}`).then(() => order.push(turn))));
  expect(messages).toHaveBeenCalledTimes(1);
  expect(answers).toBe(1);
  expect(order).toEqual(Array.from({ length: 100 }, (_, turn) => turn));
});

test("a call that the file refuses fails in words with its cause, and the others of its turn do not", async () => {
  const channel = await open();
  const nowhere = channel.write("setTimer", "note:", "a", Number.NaN);
  const outcomes = await Promise.allSettled([set(channel, "one"), nowhere, set(channel, "other")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const error: unknown = await nowhere.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StorageError);
  expect(error).toMatchObject({
    message: "The store could not do what it was asked. Nothing was changed.",
    cause: { message: expect.stringMatching(/NOT NULL constraint/) },
  });
  expect([await get(channel, "one"), await get(channel, "other")]).toEqual(["1", "1"]);
});

test("a channel that is closed has kept what was asked, and refuses everything after", async () => {
  const channel = await open();
  const writing = set(channel, "last");
  await channel.close();
  await writing;
  await expect(set(channel, "late")).rejects.toThrow(/closed. Nothing was changed/);
  await channel.close();
  expect(lines).toEqual([]);
  expect(await get(await open(), "last")).toBe("1");
});

test("a thread that dies while it is closed leaves nobody waiting", async () => {
  const channel = await open();
  const writing = set(channel, "last").catch((error: unknown) => error);
  const closed = channel.close();
  await die();
  await closed;
  expect([undefined, expect.any(StorageError)]).toContainEqual(await writing);
});
