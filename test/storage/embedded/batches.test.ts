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

test("what is asked in one turn leaves together at its end", async () => {
  set("a");
  set("b");
  expect(sent).toEqual([]);
  await turn();
  set("c");
  await turn();
  expect(keys()).toEqual([["a", "b"], ["c"]]);
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
  note("c");
  await vi.waitFor(() => expect(keys()).toEqual([["a", "b"], ["c"]]), patience);
});

test("what nobody waits for is not left behind when the store is closed", () => {
  note("a");
  batches.flush();
  expect(keys()).toEqual([["a"]]);
});
