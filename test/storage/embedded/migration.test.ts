import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pino } from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { migrate, migrations } from "../../../src/storage/embedded/worker/schema.ts";
import { openStore } from "../../../src/storage/open.ts";
import { ownFolder } from "../../own-folder.ts";
import { patience } from "../contract/notebook.ts";
import { raw } from "../raw.ts";

const day = 24 * 3_600_000;
const clock = createSandboxClock();
let path: string;

beforeEach(() => {
  path = join(ownFolder(), "store.db");
});

/** More than two blocks of the index of subjects, which counts the entries of all logs here: their ids were shared. */
const entries = 1_200;

function logOf(id: number): string {
  return id % 3 === 0 ? "events" : "audit";
}

/** A file as the first format kept it, with something in every table. */
function writeFirstFormat(): void {
  const db = new DatabaseSync(path);
  migrate(db, migrations.slice(0, 1));
  const now = clock.now();
  const keyed = db.prepare("INSERT INTO keyed (namespace, key, value, expires_at) VALUES (?, ?, ?, ?)");
  keyed.run("settings", "workspace", '{"a":1}', null);
  keyed.run("drafts", "lives", '"draft"', now + day);
  keyed.run("drafts", "expired", '"old"', now - 1);
  const entry = db.prepare("INSERT INTO log_entry (log, at, subjects, data, expires_at) VALUES (?, ?, ?, ?, ?)");
  const subject = db.prepare("INSERT INTO log_subject (log, subject, entry) VALUES (?, ?, ?)");
  db.exec("BEGIN");
  for (let id = 1; id <= entries; id += 1) {
    const log = logOf(id);
    const subjects = ["member:a", `about:${id}`];
    entry.run(log, now + id, JSON.stringify(subjects), JSON.stringify({ id }), now + day);
    for (const one of subjects) subject.run(log, one, id);
  }
  db.exec("COMMIT");
  // The last entry has gone, and its id must not come again.
  db.prepare("DELETE FROM log_entry WHERE id = ?").run(entries);
  const unique = db.prepare("INSERT INTO log_unique (log, name, expires_at) VALUES (?, ?, ?)");
  unique.run("events", "delivery:1", now + day);
  unique.run("audit", "expired", now - 1);
  const wakeup = db.prepare("INSERT INTO wakeup (id, at, next_at, failures) VALUES (?, ?, ?, ?)");
  wakeup.run("request:a:b", now - 1_000, null, 0);
  wakeup.run("follow:under way", now - 1_000, now + 3_600_000, 2);
  db.close();
}

test("a file of the first format opens, and everything in it is found", async () => {
  writeFirstFormat();
  const store = await openStore({ url: `sqlite:${path}`, clock, log: pino({ level: "silent" }) });
  expect(await store.keyv(raw("settings")).get("workspace")).toEqual({ a: 1 });
  const drafts = [];
  for await (const { key, value } of store.scan(raw("drafts"))) drafts.push([key, value]);
  expect(drafts).toEqual([["lives", "draft"]]);

  const audit = store.log("audit", { retentionMs: day });
  const events = store.log("events", { retentionMs: day });
  const [newest] = await audit.read();
  expect(newest).toEqual({
    id: "0000000000001199",
    at: expect.any(Number),
    subjects: ["member:a", "about:1199"],
    data: { id: 1_199 },
  });
  const ids = Array.from({ length: entries - 1 }, (_, at) => at + 1);
  for (const [name, log] of [
    ["audit", audit],
    ["events", events],
  ] as const) {
    const wanted = ids.filter((id) => logOf(id) === name).map((id) => ({ id }));
    const all = await log.read({ after: "", limit: entries });
    const byMember = await log.read({ after: "", subjects: ["member:a"], limit: entries });
    expect(all.map(({ data }) => data)).toEqual(wanted);
    expect(byMember.map(({ data }) => data)).toEqual(wanted);
  }
  expect(await audit.read({ subjects: ["member:a", "about:7"] })).toMatchObject([{ data: { id: 7 } }]);
  expect(await audit.append({ at: clock.now(), subjects: ["member:a"], data: "new" })).toBe("0000000000001201");
  for (let more = 0; more < 400; more += 1) void audit.append({ at: clock.now(), subjects: ["member:a"], data: "new" });
  const now = ids.filter((id) => logOf(id) === "audit").length + 401;
  expect(await audit.append({ at: clock.now(), subjects: [], data: "last" })).toBe("0000000000001602");
  expect(await audit.read({ subjects: ["member:a"], limit: 5_000 })).toHaveLength(now);
  expect(await events.append({ at: clock.now(), subjects: [], data: "again" }, ["delivery:1"])).toBeNull();
  for (const unique of ["delivery:1", "expired"])
    expect(await audit.append({ at: clock.now(), subjects: [], data: unique }, [unique])).not.toBeNull();

  const ran: string[] = [];
  for (const lane of ["request:", "follow:"]) store.timers.handle(lane, async (id) => void ran.push(id));
  await store.timers.start();
  await vi.waitFor(() => expect(ran.toSorted()).toEqual(["follow:under way", "request:a:b"]), patience);
  clock.skip(3_700_000);
  await vi.waitFor(() => expect(ran).toHaveLength(3), patience);
  expect(ran.at(-1)).toBe("follow:under way");
  await store.close();

  const again = await openStore({ url: `sqlite:${path}`, clock, log: pino({ level: "silent" }) });
  expect(await again.keyv(raw("settings")).get("workspace")).toEqual({ a: 1 });
  await again.close();
});

test("each step is taken once and whole, and an older app refuses what a newer one wrote", () => {
  const db = new DatabaseSync(":memory:");
  const first = "CREATE TABLE a (x)";
  migrate(db, [first]);
  db.exec("INSERT INTO a VALUES (1)");
  migrate(db, [first, "ALTER TABLE a ADD COLUMN y DEFAULT 2"]);
  migrate(db, [first, "ALTER TABLE a ADD COLUMN y DEFAULT 2"]);
  expect(db.prepare("SELECT x, y FROM a").all()).toMatchObject([{ x: 1, y: 2 }]);
  expect(() => migrate(db, [first])).toThrow(/newer version/);
  db.close();
});
