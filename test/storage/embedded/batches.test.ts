import { beforeEach, expect, test, vi } from "vitest";
import { type Batches, createBatches } from "../../../src/storage/embedded/batches.ts";
import type { Request } from "../../../src/storage/embedded/protocol.ts";
import { patience } from "../contract/notebook.ts";

let sent: Request[];
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

test("what is asked in one turn leaves together at its end", async () => {
  set("a");
  set("b");
  expect(sent).toEqual([]);
  await turn();
  expect(keys()).toEqual([["a", "b"]]);
});

test("what is asked while the thread works leaves together once it has answered, with what its answer causes", async () => {
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

test("what waited for a thread that has ended leaves without it", async () => {
  const lost = batches.write("setValue", "test", "a", "1", null);
  await turn();
  set("b");
  await turn();
  batches.abandon();
  await expect(lost).rejects.toThrow(/not known whether/);
  await turn();
  expect(keys()).toEqual([["a"], ["b"]]);
});

test("what nobody waits for leaves with the next that somebody does, in the order in which it was asked for", async () => {
  note("a");
  await turn();
  expect(sent).toEqual([]);
  set("b");
  note("c");
  await turn();
  expect(keys()).toEqual([["a", "b", "c"]]);
});

test("what nobody waits for leaves by itself when nothing else comes", async () => {
  note("a");
  note("b");
  await vi.waitFor(() => expect(keys()).toEqual([["a", "b"]]), patience);
  answer();
  note("c");
  await vi.waitFor(() => expect(keys()).toEqual([["a", "b"], ["c"]]), patience);
});

test("what nobody waits for is not left behind when the store is closed", () => {
  note("a");
  batches.flush();
  expect(keys()).toEqual([["a"]]);
});
