import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, type DatabaseSync } from "node:sqlite";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { type Connection, createConnection } from "../../../src/storage/embedded/connection.ts";
import { openFile } from "../../../src/storage/embedded/file.ts";
import { createWakeups } from "../../../src/storage/embedded/wakeups.ts";
import { StorageError } from "../../../src/storage/errors.ts";

let folder: string;
let db: DatabaseSync;
let connection: Connection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rackbell-connection-"));
  db = openFile(join(folder, "store.db"));
  db.exec("CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT)");
  connection = createConnection(db);
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

function insert(key: string, value = ""): Promise<unknown> {
  return connection.write(() => db.prepare("INSERT INTO t VALUES (?, ?)").run(key, value));
}

function keys(): unknown[] {
  return connection.read(() => db.prepare("SELECT k FROM t ORDER BY rowid").all()).map((row) => row.k);
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

test("writes that wait together share one commit, in the order they came", async () => {
  const begun = countTransactions();
  const names = Array.from({ length: 100 }, (_, index) => `k${index}`);
  await Promise.all(names.map((name) => insert(name)));
  expect(begun()).toBe(1);
  expect(keys()).toEqual(names);
  await insert("alone");
  expect(begun()).toBe(2);
});

test("a long queue is committed in portions, and whole", async () => {
  const begun = countTransactions();
  await Promise.all(Array.from({ length: 1_200 }, (_, index) => insert(`k${index}`)));
  expect(begun()).toBe(3);
  expect(keys()).toHaveLength(1_200);
});

test("a commit waits for the disk", () => {
  expect(db.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
  const full = 2;
  expect(db.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: full });
});

test("a write that fails half-way fails alone, and leaves nothing behind", async () => {
  const outcomes = await Promise.allSettled([
    insert("first"),
    connection.write(() => {
      db.prepare("INSERT INTO t VALUES ('half', '')").run();
      db.prepare("INSERT INTO t VALUES ('first', '')").run();
    }),
    insert("second"),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[1]).toMatchObject({ reason: expect.any(StorageError) });
  expect(keys()).toEqual(["first", "second"]);
});

test("on a full disk the write that does not fit is refused in words, and those that fit are kept", async () => {
  const pages = Number(db.prepare("PRAGMA page_count").get()?.page_count);
  db.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const outcomes = await Promise.allSettled([insert("small"), insert("big", "x".repeat(1_000_000)), insert("smaller")]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[1]).toMatchObject({
    reason: { message: expect.stringMatching(/disk is full.*Nothing was changed/) },
  });
  expect(keys()).toEqual(["small", "smaller"]);
});

test("when every commit fails, every writer is told, and writing goes on once the cause has gone", async () => {
  db.exec("PRAGMA query_only = ON");
  const outcomes = await Promise.allSettled([insert("a"), insert("b")]);
  expect(outcomes).toMatchObject([
    { status: "rejected", reason: { message: expect.stringMatching(/read-only/) } },
    { status: "rejected", reason: { message: expect.stringMatching(/read-only/) } },
  ]);
  db.exec("PRAGMA query_only = OFF");
  await insert("c");
  expect(keys()).toEqual(["c"]);
});

test("when a whole transaction is lost, what can be kept alone is kept, once", async () => {
  const outcomes = await Promise.allSettled([
    insert("before"),
    connection.write(() => {
      // As SQLite does by itself after some failures of the disk.
      db.exec("ROLLBACK");
      throw new Error("the disk failed");
    }),
    insert("after"),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(keys()).toEqual(["before", "after"]);
});

test("wake-ups rest while the store cannot be written, and the unsettled run comes again", async () => {
  const clock = createSandboxClock();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const wakeups = createWakeups(connection, clock, log);
  let runs = 0;
  wakeups.handle("note:", async () => {
    runs += 1;
    if (runs === 1) db.exec("PRAGMA query_only = ON");
  });
  await wakeups.wake("note:a", clock.now());
  await wakeups.start();
  await vi.waitFor(() => expect(lines.join("")).toContain("wake-ups pause"), { timeout: 10_000, interval: 5 });
  expect(runs).toBe(1);
  db.exec("PRAGMA query_only = OFF");
  clock.skip(60_000);
  await vi.waitFor(() => expect(runs).toBe(2), { timeout: 10_000, interval: 5 });
  await wakeups.stop();
  expect(connection.read(() => db.prepare("SELECT * FROM wakeup").all())).toEqual([]);
});
