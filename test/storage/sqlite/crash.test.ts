import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "../../../src/process/clock.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createStore } from "../../../src/storage/create.ts";
import type { Change, Engine } from "../../../src/storage/engine.ts";
import { creating } from "../../../src/storage/record.ts";
import { createCheckpoints } from "../../../src/storage/sqlite/checkpoints.ts";
import { createSqlite } from "../../../src/storage/sqlite/engine.ts";
import { type File, openFile } from "../../../src/storage/sqlite/file.ts";
import { ownFolder } from "../../own-folder.ts";
import { startProcess } from "../process.ts";
import { raw } from "../raw.ts";

const clock = createSandboxClock();
let path: string;
let lines: string[];
/** The flushes that the disk has not answered. */
let asked: PromiseWithResolvers<void>[];
let file: File;
let engine: Engine;

function open(change: (file: File) => Partial<File> = () => ({}), by: Clock = clock): Engine {
  const opened = openFile(path);
  file = { ...opened, ...change(opened) };
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  return createSqlite(file, { clock: by, log });
}

/** A disk that answers when the test says so. */
function slowly() {
  // An engine of an earlier test may flush its last write only now.
  const own = asked;
  return {
    sync() {
      const flush = Promise.withResolvers<void>();
      own.push(flush);
      return flush.promise;
    },
  };
}

beforeEach(async () => {
  path = join(ownFolder(), "store.db");
  lines = [];
  asked = [];
  engine = open(slowly);
  await settle();
});

/** The disk answers all that it was asked. */
async function answer(error?: Error): Promise<void> {
  for (const { resolve, reject } of asked.splice(0)) error ? reject(error) : resolve();
  await turns();
}

/** The first sweep is on the disk. */
async function settle(): Promise<void> {
  await turns();
  void engine.prove();
  await turns();
  while (asked.length > 0) await answer();
}

/** As long as a commit, a flush's answer and what waits for them take. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** "waits", or what it has come to. */
async function stateOf<T>(work: T | Promise<T>): Promise<T | string> {
  const waits = new Promise<string>((resolve) => void turns().then(() => resolve("waits")));
  return Promise.race([endOf(work), waits]);
}

/** The outcome in the end. */
async function endOf<T>(work: T | Promise<T>): Promise<T | string> {
  return Promise.resolve(work).catch((error: Error) => `failed: ${error.message}`);
}

const put = (key: string, text: string | undefined, was?: string | null): Change => ({
  texts: [was === undefined ? { key, text } : { key, text, was }],
});

async function all<T>(list: AsyncGenerator<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}

const everything: Change = {
  texts: [{ key: "value:a:key", text: "1" }],
  members: [{ index: "~due job:", member: "m", score: 5 }],
  appends: [{ counter: "log events", member: "entry", indexes: ["~log events"] }],
};

describe("a write that the disk has not confirmed", () => {
  const reads: Record<string, [read: () => unknown, found: unknown]> = {
    "a record": [() => engine.get("value:a:key"), "1"],
    "records of a kind": [() => all(engine.scan("value:a:")), [["value:a:key", "1"]]],
    "a page of an index": [() => engine.range("~due job:", { limit: 9 }), [{ member: "m", score: 5 }]],
    "a page of a log": [() => engine.range("~log events", { limit: 9 }), [{ member: "entry", score: 1 }]],
    "a place in an index": [() => engine.score("~due job:", "m"), 5],
    "the size of an index": [() => engine.size("~due job:"), 1],
    "the lanes with timers": [() => engine.named("~due "), [{ index: "~due job:", first: 5 }]],
  };

  test.each(Object.entries(reads))(
    "is read by nobody: %s waits for the flush, however long the write lasts",
    async (_, [read, found]) => {
      for (const lasts of ["disk", "system", "soon"] as const) {
        const stored = engine.apply(everything, { lasts });
        // Once before the commit, and once after it.
        const early = read();
        await turns();
        const late = read();
        expect(await stateOf(stored)).toEqual(lasts === "disk" ? "waits" : [1]);
        expect([await stateOf(early), await stateOf(late)]).toEqual(["waits", "waits"]);
        await answer();
        expect([await early, await late]).toEqual([found, found]);
        await stored;
        await engine.close();
        path = join(ownFolder(), "store.db");
        engine = open(slowly);
        await settle();
      }
    },
  );

  test("tells nobody that they came second, by a record, a place in an index, a lock's record or a delivery, stored soon or not", async () => {
    const { store } = createStore(engine, { clock, log: pino({ level: "silent" }), alone: true });
    const events = store.log("events", { retentionMs: 1_000 });
    const first = [engine.apply(everything), events.append({ at: 0, subjects: [], data: 1 }, ["delivery"])];
    const later: (() => Promise<unknown>)[] = [
      () => engine.apply(put("value:a:key", "2", null)),
      () => engine.apply(put("value:a:key", "2", null), { lasts: "soon" }),
      () => engine.apply({ members: [{ index: "~due job:", member: "m", was: null, score: 7 }] }),
      () => store.transact({ records: [creating(raw("a"), "key", 2)] }),
      () => events.append({ at: 0, subjects: [], data: 1 }, ["delivery"]),
    ];
    const before = later.map((call) => call());
    await turns();
    const after = later.map((call) => call());
    for (const second of [...before, ...after]) expect(await stateOf(second)).toBe("waits");
    await answer();
    await answer();
    expect(await Promise.all(first)).toEqual([[1], "0000000000000002"]);
    const refusals = [undefined, undefined, undefined, false, null];
    expect(await Promise.all(before)).toEqual(refusals);
    expect(await Promise.all(after)).toEqual(refusals);
    await store.close();
  });

  test("holds up nobody who reads something else, and what was confirmed is read at once", async () => {
    const confirmed = engine.apply(put("value:b:key", "old"));
    await turns();
    await answer();
    await confirmed;
    void engine.apply(everything);
    await turns();
    expect(engine.get("value:b:key")).toBe("old");
    expect(await stateOf(engine.apply(put("value:b:key", "new", "other")))).toBeUndefined();
    expect(await stateOf(engine.range("other", { limit: 9 }))).toEqual([]);
    expect(asked).toHaveLength(1);
    await answer();
  });

  test("is confirmed by a flush that began after it: one under way does not count", async () => {
    const first = engine.apply(put("value:a:1", "1"));
    await turns();
    const second = engine.apply(put("value:a:2", "2"));
    await turns();
    expect(asked).toHaveLength(1);
    await answer();
    expect(await stateOf(first)).toEqual([]);
    expect([await stateOf(second), await stateOf(engine.get("value:a:2"))]).toEqual(["waits", "waits"]);
    expect(asked).toHaveLength(1);
    await answer();
    expect(await stateOf(second)).toEqual([]);
  });

  test("is one commit and one flush for all of a turn", async () => {
    const writes = Array.from({ length: 50 }, (_, at) => engine.apply(put(`value:a:${at}`, "1")));
    await turns();
    expect(asked).toHaveLength(1);
    await answer();
    await Promise.all(writes);
    expect(asked).toHaveLength(0);
  });
});

describe("a write that only a power cut can take", () => {
  /** Its timers end when the test says so. */
  let timers: (() => void)[];
  const stopped: Clock = {
    ...clock,
    after(_, action) {
      timers.push(action);
      return () => {
        timers = timers.filter((one) => one !== action);
      };
    },
  };
  const soon = (key: string) => engine.apply(put(key, "1"), { lasts: "soon" });

  beforeEach(async () => {
    await engine.close();
    timers = [];
    engine = open(slowly, stopped);
    await settle();
    timers = [];
  });

  test("goes to the disk with the next one that somebody waits for, which waits for no other flush", async () => {
    expect([await soon("value:a:1"), await soon("value:a:2")]).toEqual([[], []]);
    expect(asked).toHaveLength(0);
    const kept = engine.apply(put("value:b:key", "1"));
    await turns();
    expect(asked).toHaveLength(1);
    expect(timers).toHaveLength(0);
    await answer();
    expect(await stateOf(kept)).toEqual([]);
    expect([engine.get("value:a:1"), engine.get("value:a:2")]).toEqual(["1", "1"]);
  });

  test("joins the commit of a write that comes some turns later, and else is committed by itself", async () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const joined = soon("value:a:1");
    await turns();
    expect(file.db.isTransaction).toBe(true);
    const kept = engine.apply(put("value:b:key", "1"));
    await turn();
    expect(file.db.isTransaction).toBe(false);
    expect(await stateOf(joined)).toEqual([]);
    await answer();
    expect(await stateOf(kept)).toEqual([]);
    expect(await soon("value:a:2")).toEqual([]);
    expect(asked).toHaveLength(0);
  });

  test("is committed in the next turn where somebody waits for the system, or where as many have joined it as a lane runs at once", async () => {
    const joined = soon("value:a:1");
    expect(await stateOf(engine.apply(put("value:b:key", "1"), { lasts: "system" }))).toEqual([]);
    expect(await stateOf(joined)).toEqual([]);
    const many = Array.from({ length: 16 }, (_, at) => soon(`value:a:${at}`));
    expect(await stateOf(Promise.all(many))).toHaveLength(16);
    expect(asked).toHaveLength(0);
  });

  test("goes to the disk by itself if nobody waits", async () => {
    await soon("value:a:key");
    expect([asked.length, timers.length]).toEqual([0, 1]);
    timers[0]?.();
    await turns();
    expect(asked).toHaveLength(1);
    await answer();
    expect(engine.get("value:a:key")).toBe("1");
  });

  test("is confirmed before the store is closed", async () => {
    await soon("value:a:key");
    const closed = engine.close();
    await turns();
    expect([await stateOf(closed), asked.length]).toEqual(["waits", 1]);
    await answer();
    await closed;
    expect(timers).toHaveLength(0);
    engine = open(slowly);
  });
});

describe("a flush that failed", () => {
  test("is never tried again: what waits for it, what is written later and reads of it fail until a restart; the rest is read", async () => {
    const confirmed = engine.apply(put("value:b:key", "old"));
    await turns();
    await answer();
    await confirmed;
    const sizeBefore = statSync(path).size;
    const lost = endOf(engine.apply(everything));
    await turns();
    const waiting = [endOf(engine.get("value:a:key")), endOf(engine.apply(put("value:a:key", "2", null)))];
    await answer(new Error("EIO: i/o error, fdatasync"));
    const failed = expect.stringMatching(/^failed: The disk failed, .* start Rackbell again/);
    for (const call of [lost, ...waiting]) expect(await call).toEqual(failed);
    expect(await stateOf(engine.apply(put("value:c:key", "3")))).toEqual(failed);
    expect(await stateOf(engine.apply(put("value:c:key", "3"), { lasts: "soon" }))).toEqual(failed);
    expect(await stateOf(engine.get("value:a:key"))).toEqual(failed);
    expect(await stateOf(engine.range("~due job:", { limit: 9 }))).toEqual(failed);
    expect(await stateOf(all(engine.scan("value:a:")))).toEqual(failed);
    expect(await stateOf(engine.prove())).toEqual(failed);
    expect(engine.get("value:b:key")).toBe("old");
    expect(asked).toHaveLength(0);
    expect(lines.filter((line) => line.includes("nothing more is stored until a restart"))).toHaveLength(1);
    // The last close of a file would copy its log into it.
    await engine.close();
    expect(statSync(path).size).toBe(sizeBefore);
    expect(existsSync(`${path}-wal`)).toBe(true);
    file.close();
    engine = open();
    expect(engine.get("value:b:key")).toBe("old");
    expect(await engine.apply(put("value:c:key", "3"))).toEqual([]);
    await engine.close();
  });
});

describe("a commit that failed", () => {
  /** As a full disk does. */
  const fill = (isFull: boolean) => {
    const pages = Number(file.db.prepare("PRAGMA page_count").get()?.page_count);
    file.db.exec(`PRAGMA max_page_count = ${isFull ? pages : 1_000_000}`);
  };
  /** From now on SQLite refuses the commit of a turn in which this key is written. */
  const spoil = () =>
    file.db.exec(`CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER spoils AFTER INSERT ON text WHEN new.key = 'value:a:uncommittable' BEGIN INSERT INTO child VALUES (1); END`);
  const large = "x".repeat(100_000);

  test("for want of room fails the change that did not fit alone, with all that belongs to it, stored soon or not", async () => {
    void engine.apply(put("value:a:key", "old"));
    await turns();
    await answer();
    fill(true);
    const fits = engine.apply(put("value:a:key", "new"));
    const marks = [
      { key: "mark:a:run", text: "taken" },
      { key: "value:a:large", text: large },
    ];
    const refused = [engine.apply({ texts: marks }), engine.apply({ texts: marks }, { lasts: "soon" })];
    for (const one of refused) expect(await stateOf(one)).toMatch(/^failed: The disk is full/);
    await turns();
    await answer();
    expect([await fits, await engine.get("value:a:key"), await engine.get("mark:a:run")]).toEqual([
      [],
      "new",
      undefined,
    ]);
    expect(await engine.get("value:a:large")).toBeUndefined();
    fill(false);
    const next = engine.apply(put("value:a:large", large));
    await turns();
    await answer();
    expect(await next).toEqual([]);
  });

  test("as a whole fails all of its turn, those that are stored soon as well, and changes nothing", async () => {
    void engine.apply(put("value:a:key", "old"));
    await turns();
    await answer();
    spoil();
    const calls = [
      engine.apply(
        {
          texts: [
            { key: "value:a:key", text: "new" },
            { key: "mark:a:run", text: "taken" },
          ],
        },
        { lasts: "soon" },
      ),
      engine.apply(put("mark:a:run", "another's")),
      engine.apply(put("value:a:uncommittable", "1")),
    ].map(endOf);
    // By then all were made.
    const reads = [engine.get("value:a:key"), engine.get("mark:a:run")];
    const refused = expect.stringMatching(/^failed: The store could not do what it was asked. Nothing was changed/);
    expect(await Promise.all(calls)).toEqual([refused, refused, refused]);
    expect(await Promise.all(reads)).toEqual(["old", undefined]);
    const next = engine.apply(put("value:a:key", "next"));
    await turns();
    await answer();
    expect([await next, await engine.get("value:a:key")]).toEqual([[], "next"]);
  });

  test("leaves what was written before it unread until that is confirmed", async () => {
    spoil();
    const before = engine.apply(put("value:a:key", "1"));
    await turns();
    const refused = engine.apply({
      texts: [
        { key: "value:a:key", text: "2" },
        { key: "value:a:uncommittable", text: "1" },
      ],
    });
    expect(await stateOf(refused)).toMatch(/could not do what it was asked/);
    const read = engine.get("value:a:key");
    expect(await stateOf(read)).toBe("waits");
    await answer();
    expect([await before, await read]).toEqual([[], "1"]);
  });
});

describe("the log of the file", () => {
  /** Small, so that it is copied often. */
  const copying = (opened: File): Partial<File> => ({
    checkpoints: (options) => createCheckpoints({ path, db: opened.db, after: 20 }, options),
  });

  let written = 0;
  async function write(): Promise<void> {
    written += 1;
    await engine.apply(put(`value:a:${written % 50}`, String(written).repeat(500)));
  }

  /** A number in the log's header that grows by one each time that it begins anew. */
  function begun(): number {
    const header = Buffer.alloc(20);
    const log = openSync(`${path}-wal`, "r");
    readSync(log, header, 0, 20, 0);
    closeSync(log);
    return header.readUInt32BE(16);
  }

  /** Several at once, so that there is always something that was not copied. */
  async function writeUntilBegun(number: number): Promise<void> {
    while (begun() < number) await Promise.all([write(), write(), write()]);
  }

  async function expectAll(): Promise<void> {
    await engine.close();
    engine = open();
    const newest = Array.from({ length: 50 }, (_, at) => written - at);
    expect(new Map(await all(engine.scan("value:a:")))).toEqual(
      new Map(newest.map((one) => [`value:a:${one % 50}`, String(one).repeat(500)])),
    );
    await engine.close();
  }

  test("is copied and begins anew while others write, and stays the one that is flushed; the lock stays too", async () => {
    await engine.close();
    engine = open(copying);
    await write();
    const { ino } = statSync(`${path}-wal`);
    await writeUntilBegun(begun() + 5);
    expect(statSync(`${path}-wal`).ino).toBe(ino);
    const other = startProcess(`sqlite:${path}`, "hold", { stderr: "ignore" });
    await expect(other.said(1)).rejects.toThrow(/ended after 0 lines/);
    await expectAll();
    expect(lines).toEqual([]);
  });

  test("is copied later where a backup reads it, and nobody waits for that", async () => {
    await engine.close();
    engine = open(copying);
    await write();
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN; SELECT count(*) FROM text");
    const before = begun();
    for (let count = 0; count < 200; count += 1) await write();
    expect(begun()).toBe(before);
    reader.close();
    await writeUntilBegun(before + 2);
    await expectAll();
  });
});

test("a long list lets other work have its turns", async () => {
  await engine.close();
  engine = open();
  await Promise.all(Array.from({ length: 5_000 }, (_, at) => engine.apply(put(`value:a:${at}`, "1"))));
  let passed = 0;
  let ended = false;
  const count = (): void => {
    passed += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  expect(await all(engine.scan("value:a:"))).toHaveLength(5_000);
  ended = true;
  expect(passed).toBeGreaterThan(3);
  await engine.close();
});
