import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/process/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { lockFile } from "../../src/storage/sqlite/file.ts";
import type { Store } from "../../src/storage/store.ts";
import { ownFolder } from "../own-folder.ts";
import { fenceOf } from "./contract/locks.ts";
import { startProcess } from "./process.ts";
import { place, raw } from "./raw.ts";
import { ownRedis } from "./redis/opened.ts";
import { hasRedis } from "./redis/server.ts";

const log = pino({ level: "silent" });
const { now } = systemClock;
const hour = 3_600_000;
const script = fileURLToPath(new URL("../../src/app/tools/store.ts", import.meta.url));
let folder: string;
let own: string;

beforeEach(() => {
  folder = ownFolder();
  own = `sqlite:${join(folder, "store.db")}`;
});

interface Ended {
  code: number | null;
  said: string;
}

/** Runs `npm run store -- …` beside this process, whose own instance goes on to show that it lives. */
function run(...args: string[]): Promise<Ended> {
  return runWith({ STORE_URL: own }, ...args);
}

async function runWith(variables: Record<string, string>, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, ...variables };
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.on("close", resolve);
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await promise, said: said.join("") };
}

async function using<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ url, clock: systemClock, log });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** More than two blocks of the file's index of subjects. */
const entries = 1_100;

/** Something of everything, with names that a backend could stumble over. */
async function fill(store: Store): Promise<number> {
  await store.keyv(raw("a:b%")).set("k:e y*", { text: "ü 😀 \u0000" });
  await store.keyv(raw("a:b%")).set("ends", 1, hour);
  await store.keyv(raw("gone")).set("soon", 1, 1);
  await place(store, "open: 1", "member 1", -2.5);
  await place(store, "open: 1", "", 1e21);
  const events = store.log("events", { retentionMs: hour });
  await Promise.all(
    Array.from({ length: entries }, (_, id) =>
      events.append({ at: now(), subjects: ["team:a", `every ${id % 3}`], data: { id } }, [`unique ${id}`]),
    ),
  );
  await store.log("audit", { retentionMs: hour }).append({ at: now(), subjects: [], data: "one" });
  await store.timers.set("note:later", now() + hour);
  await store.timers.set("note:due", now());
  const fence = await fenceOf(store.locks.lock("thing", "me", hour));
  return fence;
}

async function expectAll(store: Store, fence: number): Promise<void> {
  expect(await store.keyv(raw("a:b%")).get("k:e y*")).toEqual({ text: "ü 😀 \u0000" });
  expect(await store.keyv(raw("a:b%")).get("ends")).toBe(1);
  expect((await store.index("open: 1").range()).entries).toEqual([
    { member: "member 1", score: -2.5 },
    { member: "", score: 1e21 },
  ]);
  const events = store.log("events", { retentionMs: hour });
  const ids = async (subjects: string[]) =>
    (await events.read({ after: "", subjects, limit: 5_000 })).map(({ id }) => Number(id));
  const all = Array.from({ length: entries }, (_, index) => index + 1);
  expect(await ids([])).toEqual(all);
  expect(await ids(["team:a", "every 1"])).toHaveLength(Math.floor(entries / 3) + 1);
  expect(await events.append({ at: now(), subjects: [], data: 1 }, ["unique 7"])).toBeNull();
  expect(Number(await events.append({ at: now(), subjects: ["team:a"], data: 1 }))).toBe(entries + 1);
  const audit = store.log("audit", { retentionMs: hour });
  expect(await audit.append({ at: now(), subjects: [], data: 1 }, ["unique 7"])).not.toBeNull();
  expect(await fenceOf(store.locks.lock("thing", "other", hour))).not.toBe(fence);
  const ran: string[] = [];
  store.timers.handle("note:", async (id) => void ran.push(id));
  await store.timers.start();
  await vi.waitFor(() => expect(ran).toEqual(["note:due"]), { timeout: 20_000 });
}

describe.runIf(hasRedis)("copying a store", () => {
  test("from a file into a Redis and into another file again keeps everything, and says how much", async () => {
    const server = await ownRedis();
    const copy = `sqlite:${join(folder, "copy.db")}`;
    const fence = await using(own, fill);
    const report = /Copied and read back: text 2203, member 3305, counter 2\. .*ENCRYPTION_KEY/;
    expect(await run("copy", own, server.url)).toEqual({ code: 0, said: expect.stringMatching(report) });
    expect(await run("copy", server.url, copy)).toEqual({ code: 0, said: expect.stringMatching(report) });
    expect(await run("check", copy)).toEqual({
      code: 0,
      said: expect.stringMatching(/Everything can be read: .*text 2203/),
    });
    await using(server.url, (store) => expectAll(store, fence));
    await using(copy, (store) => expectAll(store, fence));
  });

  test("into one that is not empty, or while somebody is at work on either, is refused and changes nothing", async () => {
    const server = await ownRedis();
    await using(own, fill);
    await using(server.url, async (store) => {
      expect((await run("copy", own, server.url)).said).toMatch(
        /An instance of Rackbell is at work.*Stop all instances first/,
      );
      await store.keyv(raw("a")).set("mine", 1);
    });
    expect(await run("copy", own, server.url)).toEqual({
      code: 1,
      said: expect.stringMatching(/is not empty. Nothing was changed/),
    });
    await using(server.url, async (store) => expect(await store.keyv(raw("a")).get("mine")).toBe(1));
    await using(own, async () =>
      expect((await run("copy", own, server.url)).said).toMatch(/in use by another process/),
    );
  });
});

describe("a backup", () => {
  test("of a file that a process writes to is whole: every write acknowledged by then is there, with its entry and its unique", async () => {
    const writer = startProcess(own, "write");
    await writer.said(300);
    const acknowledged = (await writer.said(300)).slice(1, 250);
    const file = join(folder, "backup.db");
    expect(await run("backup", file)).toEqual({ code: 0, said: expect.stringMatching(/Backed up to .*backup.db/) });
    const more = await writer.said(1_000);
    expect(more.length).toBeGreaterThanOrEqual(1_000);
    await writer.kill();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await using(`sqlite:${file}`, async (store) => {
      const events = store.log("events", { retentionMs: 24 * hour });
      for (const id of acknowledged) {
        expect(await events.read({ subjects: [id] })).toMatchObject([{ data: { id } }]);
        expect(await events.append({ at: now(), subjects: [], data: 1 }, [id])).toBeNull();
        expect(await store.keyv(raw("kept")).get(id)).toEqual({ id });
      }
    });
    expect(readdirSync(folder).filter((name) => /request|answer|new$/.test(name))).toEqual([]);
  });

  test("of a file that nobody has is made as well, and never over another file", async () => {
    await using(own, fill);
    const file = join(folder, "backup.db");
    expect((await run("backup", file)).code).toBe(0);
    expect(await run("backup", file)).toEqual({ code: 1, said: expect.stringMatching(/there already/) });
    const holder = startProcess(own, "hold");
    await holder.said(1);
    expect(await run("backup", file)).toEqual({ code: 1, said: expect.stringMatching(/there already/) });
    expect((await run("backup", join(folder, "none", "backup.db"))).said).toMatch(/Its folder does not exist/);
  });

  test("is put back, and what was there before is kept beside it", async () => {
    const fence = await using(own, fill);
    const file = join(folder, "backup.db");
    await run("backup", file);
    await using(own, (store) => store.keyv(raw("a:b%")).delete("k:e y*"));
    await using(own, async () =>
      expect((await run("restore", file)).said).toMatch(/Rackbell is at work on .*Stop it first/),
    );
    expect(await run("restore", file)).toEqual({
      code: 0,
      said: expect.stringMatching(/Restored to .*store\.db. The former store is kept as .*before-/),
    });
    await using(own, (store) => expectAll(store, fence));
    const [before = ""] = readdirSync(folder).filter((name) => name.includes("before-"));
    await using(`sqlite:${join(folder, before)}`, async (store) =>
      expect(await store.keyv(raw("a:b%")).get("k:e y*")).toBeUndefined(),
    );
  });

  test("excludes a restore while it reads, and a restore excludes it and the app; the app may begin beside a backup", async () => {
    await using(own, fill);
    const path = join(folder, "store.db");
    const file = join(folder, "backup.db");
    await run("backup", file);
    const read = lockFile(path, "reading");
    expect(await run("restore", file)).toEqual({
      code: 1,
      said: expect.stringMatching(/or a backup reads it. Stop it first/),
    });
    expect((await run("backup", join(folder, "other.db"))).code).toBe(0);
    await using(own, async (store) => expect(await store.ready()).toEqual([]));
    read();
    const replace = lockFile(path, "replacing");
    expect((await run("backup", join(folder, "none.db"))).said).toMatch(
      /A restore of .* is under way. Wait for its end/,
    );
    expect((await run("restore", file)).code).toBe(1);
    await expect(using(own, fill)).rejects.toThrow(/in use by another process/);
    replace();
    expect((await run("restore", file)).code).toBe(0);
  });

  test("replaces a store that is damaged, or that a newer version wrote, and its log does not come back", async () => {
    await using(own, (store) => store.keyv(raw("a")).set("key", "backed up"));
    const file = join(folder, "backup.db");
    await run("backup", file);
    const path = join(folder, "store.db");
    const spoilt: (() => void)[] = [
      () => writeFileSync(path, "no database any more ".repeat(500)),
      () => {
        const db = new DatabaseSync(path);
        db.exec("PRAGMA user_version = 999");
        db.close();
      },
    ];
    for (const spoil of spoilt) {
      spoil();
      for (const ending of ["-wal", "-shm"]) writeFileSync(path + ending, "of the former store");
      const { code, said } = await run("restore", file);
      const [, before = ""] = /^Restored to .*\. The former store is kept as (.*)\.\n$/.exec(said) ?? [];
      expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("Restored") });
      expect(readFileSync(`${before}-wal`, "utf8")).toBe("of the former store");
      expect(existsSync(`${path}-wal`)).toBe(false);
      await using(own, async (store) => expect(await store.keyv(raw("a")).get("key")).toBe("backed up"));
    }
  });

  test("comes back on a new host, whose folder for data does not exist yet, for this user alone to read", async () => {
    await using(own, (store) => store.keyv(raw("a")).set("key", "backed up"));
    const file = join(folder, "backup.db");
    await run("backup", file);
    chmodSync(file, 0o644);
    own = `sqlite:${join(folder, "new", "data", "store.db")}`;
    expect(await run("restore", file)).toEqual({
      code: 0,
      said: `Restored to ${join(folder, "new", "data", "store.db")}.\n`,
    });
    expect(statSync(join(folder, "new", "data", "store.db")).mode & 0o777).toBe(0o600);
    await using(own, async (store) => expect(await store.keyv(raw("a")).get("key")).toBe("backed up"));
  });

  test("that cannot be put in its place leaves the former store there", async () => {
    await using(own, (store) => store.keyv(raw("a")).set("key", "former"));
    const file = join(folder, "backup.db");
    await run("backup", file);
    // A folder of this name stops the copy, as a full disk would.
    mkdirSync(join(folder, "store.db.restoring", "x"), { recursive: true });
    expect(await run("restore", file)).toEqual({ code: 1, said: expect.stringMatching(/could not be put at/) });
    await using(own, async (store) => expect(await store.keyv(raw("a")).get("key")).toBe("former"));
  });

  test("that is none is not put back", async () => {
    await using(own, fill);
    const file = join(folder, "list.txt");
    writeFileSync(file, "a shopping list, long enough to be looked at ".repeat(50));
    expect(await run("restore", file)).toEqual({
      code: 1,
      said: expect.stringMatching(/no backup of a store. Nothing was changed/),
    });
    expect((await run("restore", join(folder, "none"))).said).toMatch(/There is no backup/);
    expect((await run("check")).said).toMatch(/text 2203/);
  });

  test("is not asked of a Redis", async () => {
    own = "redis://:hunter2@127.0.0.1:1";
    expect((await run("backup", join(folder, "b"))).said).toMatch(/names no SQLite file/);
    const nobody = await run("check");
    expect(nobody).toEqual({ code: 1, said: expect.stringMatching(/cannot be used/) });
    expect(nobody.said).not.toContain("hunter2");
    expect(existsSync(join(folder, "b"))).toBe(false);
  });
});

test.each([[], ["bakup", "x"], ["backup"], ["backup", ""], ["restore", ""], ["copy", "sqlite:a"]])(
  "an incomplete line ends with 1 and all that can be typed: %s %s",
  async (...args) => {
    expect(await run(...args)).toEqual({ code: 1, said: expect.stringMatching(/^npm run store -- copy FROM TO/) });
  },
);

test("a mistyped store is not made, and one without records is not copied", async () => {
  const there = `sqlite:${join(folder, "there.db")}`;
  const none = { code: 1, said: `There is no store at ${join(folder, "store.db")}. Nothing was changed.\n` };
  expect(await run("check")).toEqual(none);
  expect(await run("copy", own, there)).toEqual(none);
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, "store.db"), "");
  expect(await run("check")).toEqual({ code: 1, said: expect.stringMatching(/is empty: no Rackbell has used it/) });
  await using(there, async () => {});
  expect(await run("copy", there, own)).toEqual({ code: 1, said: expect.stringMatching(/has no records/) });
});

test("a check leaves a backup as it is", async () => {
  await using(own, fill);
  const file = join(folder, "backup.db");
  await run("backup", file);
  const before = readFileSync(file);
  expect((await run("check", `sqlite:${file}`)).said).toMatch(/^Everything can be read: .*text 2203/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a damaged store is a sentence to a check, a copy and a backup, and the copy is said to be incomplete", async () => {
  await using(own, fill);
  const path = join(folder, "store.db");
  const bytes = readFileSync(path);
  // The first pages have the schema: without it the file would not open at all.
  writeFileSync(path, bytes.fill(0x55, 16 * 4096));
  const damaged = /The store's file is damaged\. Restore it from a backup\./;
  const [checked, backedUp] = [await run("check"), await run("backup", join(folder, "backup.db"))];
  expect(checked).toEqual({ code: 1, said: expect.stringMatching(damaged) });
  expect(backedUp).toEqual({ code: 1, said: expect.stringMatching(damaged) });
  const copied = await run("copy", own, `sqlite:${join(folder, "copy.db")}`);
  expect(copied).toEqual({ code: 1, said: expect.stringMatching(/damaged.*The copy in .* is not complete/) });
  for (const { said } of [checked, backedUp, copied]) expect(said).not.toMatch(/\n +at /);
});

test("a backup that cannot be opened is not called another file", async () => {
  mkdirSync(join(folder, "backup.db"));
  const { code, said } = await run("restore", join(folder, "backup.db"));
  expect(code).toBe(1);
  expect(said).toMatch(/backup\.db was not restored\. The disk did not read/);
});

test("the store's address may be in a file, and both ways at once are refused", async () => {
  await using(own, (store) => store.keyv(raw("a")).set("key", 1));
  const file = join(folder, "store-url");
  writeFileSync(file, `${own}\n`);
  const filed = (STORE_URL: string) => runWith({ STORE_URL, STORE_URL_FILE: file }, "check");
  expect((await filed("")).said).toMatch(/^Everything can be read: text 1/);
  expect(await filed(own)).toEqual({
    code: 1,
    said: "STORE_URL_FILE and STORE_URL are both set: take one out.\n",
  });
});
