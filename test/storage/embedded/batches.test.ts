import { beforeEach, expect, test, vi } from "vitest";
import { type Batches, createBatches } from "../../../src/storage/embedded/batches.ts";
import type { ThreadRequest } from "../../../src/storage/embedded/protocol.ts";
import { patience } from "../contract/notebook.ts";

let sent: ThreadRequest[];
let batches: Batches;

beforeEach(() => {
  sent = [];
  batches = createBatches((request) => void sent.push(request));
});

function set(key: string): void {
  void batches.write("setValue", "test", key, "1", null);
}

function note(key: string): void {
  void batches.later("setValue", "test", key, "1", null);
}

/** The keys of each message. */
function keys(): unknown[][] {
  return sent.map(({ writes }) => writes.map(([, [, key]]) => key));
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The thread answers the writes of the last message. */
function answer(): void {
  batches.settle({ of: "writes", results: [], failures: [] });
}

test("calls of one turn go to the store's thread together at the end of the turn", async () => {
  set("a");
  set("b");
  expect(sent).toEqual([]);
  await turn();
  expect(keys()).toEqual([["a", "b"]]);
});

test("calls made while the store's thread works go together after its answer, with those that the answer causes", async () => {
  void batches.write("setValue", "test", "a", "1", null).then(() => set("d"));
  await turn();
  set("b");
  await turn();
  set("c");
  await turn();
  expect(keys()).toEqual([["a"]]);
  answer();
  await turn();
  expect(keys()).toEqual([["a"], ["b", "c", "d"]]);
  answer();
  set("e");
  await turn();
  expect(keys()).toEqual([["a"], ["b", "c", "d"], ["e"]]);
});

test("a batch whose reads are answered still waits for its writes, and the next one for both", async () => {
  set("a");
  const read = batches.read("getValue", "test", "b", 0);
  await turn();
  set("c");
  await turn();
  batches.settle({ of: "reads", results: [null], failures: [] });
  expect(await read).toBe(null);
  await turn();
  expect(keys()).toEqual([["a"]]);
  answer();
  await turn();
  expect(keys()).toEqual([["a"], ["c"]]);
});

test("a call that waited for a thread that has ended is sent without it", async () => {
  const lost = batches.write("setValue", "test", "a", "1", null);
  await turn();
  set("b");
  await turn();
  batches.abandon();
  await expect(lost).rejects.toThrow(/not known whether/);
  await turn();
  expect(keys()).toEqual([["a"], ["b"]]);
});

test("a write that nobody waits for is sent with the next awaited one, in the order of the calls", async () => {
  note("a");
  await turn();
  expect(sent).toEqual([]);
  set("b");
  note("c");
  await turn();
  expect(keys()).toEqual([["a", "b", "c"]]);
});

test("writes that nobody waits for are sent by themselves when no other call comes", async () => {
  note("a");
  note("b");
  await vi.waitFor(() => expect(keys()).toEqual([["a", "b"]]), patience);
  answer();
  note("c");
  await vi.waitFor(() => expect(keys()).toEqual([["a", "b"], ["c"]]), patience);
});

test("a flush sends a write that nobody waits for", () => {
  note("a");
  batches.flush();
  expect(keys()).toEqual([["a"]]);
});

test("a batch has a thousand writes at most, and the next one goes behind it", async () => {
  for (let at = 0; at < 2_500; at += 1) set(`${at}`);
  await turn();
  expect(keys().map(({ length }) => length)).toEqual([1_000, 1_000]);
  answer();
  answer();
  await turn();
  expect(keys().map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(keys().flat()).toEqual(Array.from({ length: 2_500 }, (_, at) => `${at}`));
});

test("a write that nobody waits for leaves by itself when it begins a batch behind a full one", async () => {
  for (let at = 0; at < 1_000; at += 1) set(`${at}`);
  note("last");
  answer();
  await vi.waitFor(() => expect(keys().at(-1)).toEqual(["last"]), patience);
});
