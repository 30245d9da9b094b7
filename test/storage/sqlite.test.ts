import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { StorageError } from "../../src/storage/errors.ts";
import { openStore } from "../../src/storage/open.ts";
import type { Store } from "../../src/storage/store.ts";
import { ownFolder } from "../own-folder.ts";
import { storeContract } from "./contract.ts";
import { startProcess } from "./process.ts";
import { raw } from "./raw.ts";
import { prepareSqlite } from "./sqlite/place.ts";

storeContract({ name: "SQLite", facts: { unitMs: 60_000, skipsTime: true }, prepare: prepareSqlite });

describe("the SQLite file", () => {
  let folder: string;
  let path: string;
  let opened: Store[];
  const log = pino({ level: "silent" });
  const clock = createSandboxClock();

  beforeEach(() => {
    folder = ownFolder();
    path = join(folder, "store.db");
    opened = [];
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
  });

  async function open(url = `sqlite:${path}`): Promise<Store> {
    const store = await openStore({ url, clock, log });
    opened.push(store);
    return store;
  }

  test("admits one process: a second one is refused until the first is gone, even if that was killed", async () => {
    const other = startProcess(`sqlite:${path}`, "hold");
    await other.said(1);
    await expect(open()).rejects.toThrow(/store\.db .*in use by another process.*Nothing was changed/);
    await other.kill();
    const store = await open();
    expect(await store.ready()).toEqual([]);
  });

  test("stays with the process that has it when that same process tries to open it twice", async () => {
    const store = await open();
    await expect(open()).rejects.toThrow(/in use/);
    await store.keyv(raw("a")).set("key", 1);
    const other = startProcess(`sqlite:${path}`, "hold", { stderr: "ignore" });
    await expect(other.said(1)).rejects.toThrow(/ended after 0 lines/);
    expect(await store.keyv(raw("a")).get("key")).toBe(1);
  });

  test("holds a lock for its time, whatever becomes of the time of day", async () => {
    const { locks } = await open();
    await locks.lock("thing", "ana", 60_000);
    clock.adjust(10 * 60_000);
    expect(await locks.lock("thing", "ben", 60_000)).toEqual({ holder: "ana" });
    clock.adjust(-20 * 60_000);
    clock.skip(61_000);
    expect(await locks.lock("thing", "ben", 60_000)).toEqual({ fence: expect.any(Number) });
  });

  test("is one file after it was closed, and no one else may read it", async () => {
    const store = await open(`sqlite:${join(folder, "deep", "er", "store.db")}`);
    await store.keyv(raw("a")).set("key", 1);
    await store.close();
    const inside = join(folder, "deep", "er");
    expect(readdirSync(inside)).toEqual(["store.db", "store.db-lock"]);
    expect(statSync(join(inside, "store.db")).mode & 0o777).toBe(0o600);
    expect(statSync(inside).mode & 0o777).toBe(0o700);
  });

  test("written by a newer version is refused and left as it was", async () => {
    await (await open()).close();
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 99");
    db.close();
    await expect(open()).rejects.toThrow(/newer version of Rackbell \(format 99/);
    const after = new DatabaseSync(path);
    expect(after.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 99 });
    after.close();
  });

  test("of another program is refused and left as it was", async () => {
    const db = new DatabaseSync(path);
    db.exec("CREATE TABLE theirs (x)");
    db.close();
    await expect(open()).rejects.toThrow(/belongs to another program/);
    const after = new DatabaseSync(path);
    expect(after.prepare("SELECT name FROM sqlite_schema").all()).toMatchObject([{ name: "theirs" }]);
    after.close();
  });

  test("that is no database is refused and left as it was", async () => {
    writeFileSync(path, "a shopping list, long enough to be looked at ".repeat(50));
    await expect(open()).rejects.toThrow(/not a Rackbell store/);
    expect(statSync(path).size).toBe(45 * 50);
  });

  test("that cannot be made is refused in words", async () => {
    writeFileSync(path, "");
    await expect(open(`sqlite:${path}/inside/store.db`)).rejects.toThrow(/cannot be made/);
    await expect(open(`sqlite:${folder}`)).rejects.toThrow(/cannot be opened/);
  });

  test("is none at all in memory", async () => {
    const store = await open("sqlite::memory:");
    await store.keyv(raw("a")).set("key", 1);
    expect(await store.keyv(raw("a")).get("key")).toBe(1);
    expect(existsSync(":memory:")).toBe(false);
  });

  test("loses what has expired at the hourly cleanup and at the start", async () => {
    const store = await open();
    const events = store.log("events", { retentionMs: 1_000 });
    await store.keyv(raw("a")).set("at the sweep", 1, 1_000);
    await events.append({ at: clock.now(), subjects: ["s"], data: 1 }, ["u"]);
    await turns(store);
    clock.skip(3_600_000);
    await store.keyv(raw("a")).set("at the start", 1, 1_000);
    await turns(store);
    await store.close();
    expect(rows()).toEqual({ text: 2, member: 0 });
    clock.skip(1_000);
    const next = await open();
    await turns(next);
    await next.close();
    expect(rows()).toEqual({ text: 1, member: 0 });
  });

  /** The cleanup takes turns with these writes, and needs fewer. */
  async function turns(store: Store): Promise<void> {
    for (let turn = 0; turn < 30; turn += 1) await store.ready();
  }

  function rows(): Record<string, unknown> {
    const db = new DatabaseSync(path);
    const count = (table: string): unknown => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    const tables = ["text", "member"];
    const counts = Object.fromEntries(tables.map((table) => [table, count(table)]));
    db.close();
    return counts;
  }

  test.each(["", "sqlite:", "data/rackbell.db", "postgres://user:hunter2@localhost"])(
    "cannot be at an address that is not understood: %j",
    async (url) => {
      const refusal: unknown = await open(url).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StorageError);
      expect(String(refusal)).toMatch(/STORE_URL is not understood/);
      expect(String(refusal)).not.toContain("hunter2");
    },
  );
});
