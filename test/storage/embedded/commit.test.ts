import { join } from "node:path";
import { constants, type DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commit } from "../../../src/storage/embedded/worker/commit.ts";
import { openFile } from "../../../src/storage/embedded/worker/file.ts";
import { createMethods } from "../../../src/storage/embedded/worker/methods.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import { ownFolder } from "../../own-folder.ts";

let db: DatabaseSync;
let lost: number;

beforeEach(() => {
  db = openFile(join(ownFolder(), "store.db"));
  db.exec("CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT)");
  lost = 0;
});
afterEach(() => db.close());

/** Commits all of them together; the answer to each, or its error. */
function together(...writes: (() => unknown)[]): unknown[] {
  const outcomes = commit(db, writes, () => {
    lost += 1;
  });
  return outcomes.map((outcome) => ("error" in outcome ? outcome.error : outcome.result));
}

function insert(key: string, value = ""): () => unknown {
  return () => db.prepare("INSERT INTO t VALUES (?, ?) RETURNING k").get(key, value)?.k;
}

function keys(): unknown[] {
  const rows = db.prepare("SELECT k FROM t ORDER BY rowid").all();
  return rows.map((row) => row.k);
}

/** Counts the transactions that begin from now on. */
function countTransactions(): () => number {
  let begun = 0;
  db.setAuthorizer((action, operation) => {
    if (action === constants.SQLITE_TRANSACTION && operation === "BEGIN") begun += 1;
    return constants.SQLITE_OK;
  });
  return () => begun;
}

test("writes that wait together share one transaction, in the order they came", () => {
  const begun = countTransactions();
  const names = Array.from({ length: 100 }, (_, index) => `k${index}`);
  expect(together(...names.map((name) => insert(name)))).toEqual(names);
  expect(begun()).toBe(1);
  expect(keys()).toEqual(names);
});

test("a commit waits for the disk", () => {
  expect(db.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
  const full = 2;
  expect(db.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: full });
});

test("a write that fails half-way fails alone, and leaves nothing behind", () => {
  const answers = together(
    insert("first"),
    () => {
      insert("half")();
      insert("first")();
    },
    insert("second"),
  );
  expect(answers).toEqual(["first", expect.any(StorageError), "second"]);
  expect(keys()).toEqual(["first", "second"]);
  expect(lost).toBe(2);
});

test("on a full disk the write that does not fit is refused in words, and those that fit are kept", () => {
  const pages = Number(db.prepare("PRAGMA page_count").get()?.page_count);
  db.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const answers = together(insert("small"), insert("big", "x".repeat(1_000_000)), insert("smaller"));
  const refused = expect.objectContaining({ message: expect.stringMatching(/disk is full.*Nothing was changed/) });
  expect(answers).toEqual(["small", refused, "smaller"]);
  expect(keys()).toEqual(["small", "smaller"]);
});

test("when every commit fails, every writer gets the error, and writing goes on once the cause has gone", () => {
  db.exec("PRAGMA query_only = ON");
  const refused = expect.objectContaining({ message: expect.stringMatching(/read-only/) });
  expect(together(insert("a"), insert("b"))).toEqual([refused, refused]);
  db.exec("PRAGMA query_only = OFF");
  expect(together(insert("c"))).toEqual(["c"]);
  expect(keys()).toEqual(["c"]);
});

test("when a whole transaction is lost, what can be kept alone is kept, once", () => {
  const answers = together(
    insert("before"),
    () => {
      // As SQLite does by itself after some failures of the disk.
      db.exec("ROLLBACK");
      throw new Error("the disk failed");
    },
    insert("after"),
  );
  expect(answers).toEqual(["before", expect.any(StorageError), "after"]);
  expect(keys()).toEqual(["before", "after"]);
});

test("entries whose transaction was lost leave neither a gap that hides one nor an id that comes twice", () => {
  const { reads, writes, recall } = createMethods(db);
  const append = (data: string) => () =>
    writes.appendToLog("events", { at: 1, expiresAt: 10, subjects: `["s"]`, data }, [data], 1);
  const failing = (): never => {
    throw new Error("this one fails");
  };
  const outcomes = commit(db, [append("1"), failing, append("2"), append("1")], recall);
  expect(outcomes).toEqual([{ result: 1 }, { error: expect.any(StorageError) }, { result: 2 }, { result: undefined }]);
  const rows = reads.readLog("events", { after: 0, before: undefined, subjects: ["s"], limit: 10 }, 1);
  expect(rows.map(({ id, data }) => [id, data])).toEqual([
    [1, "1"],
    [2, "2"],
  ]);
});
