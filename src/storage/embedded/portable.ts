import type { DatabaseSync } from "node:sqlite";
import type { Item, Portable } from "../portable.ts";
import { fencesPerStart } from "./locks.ts";
import { number, numberOrNone, text } from "./worker/columns.ts";
import { openFile } from "./worker/file.ts";
import { idsPerLog } from "./worker/logs.ts";
import { createSubjectIndex, lastOfBlocks } from "./worker/subjects.ts";

const rowsAtOnce = 1_000;

/** The file at `path` for a tool. Throws StorageError if a process has it open, or if it cannot be opened. */
export function openPortableFile(path: string): Portable {
  const db = openFile(path);
  return {
    name: path,
    async *items(now) {
      yield* valuesOf(db, now);
      yield* membersOf(db);
      yield* logsOf(db, now);
      yield* timersOf(db);
      yield { kind: "fence", above: (openingsOf(db) + 1) * fencesPerStart };
    },
    isEmpty: async () =>
      ["keyed_value", "index_member", "log_entry", "log_unique", "wakeup"].every(
        (table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
      ),
    take: (items) => takeAll(db, items),
    close: async () => db.close(),
  };
}

function* valuesOf(db: DatabaseSync, now: number): Generator<Item> {
  const rows = db.prepare("SELECT * FROM keyed_value WHERE expires_at IS NULL OR expires_at > ?");
  for (const row of rows.iterate(now)) {
    const expiresAt = numberOrNone(row.expires_at) ?? null;
    yield { kind: "value", namespace: text(row.namespace), key: text(row.key), text: text(row.value), expiresAt };
  }
}

function* membersOf(db: DatabaseSync): Generator<Item> {
  for (const row of db.prepare("SELECT name, member, score FROM index_member").iterate())
    yield { kind: "member", name: text(row.name), member: text(row.member), score: number(row.score) };
}

function* logsOf(db: DatabaseSync, now: number): Generator<Item> {
  const entries = db.prepare("SELECT * FROM log_entry WHERE id > ? AND id < ? AND expires_at > ? ORDER BY id");
  const last = db.prepare("SELECT max(id) AS id FROM log_entry WHERE id > ? AND id < ?");
  for (const row of db.prepare("SELECT name, number, last_gone FROM log").all()) {
    const log = text(row.name);
    const base = number(row.number) * idsPerLog;
    const there = numberOrNone(last.get(base, base + idsPerLog)?.id) ?? base;
    yield { kind: "log", log, last: Math.max(there - base, number(row.last_gone)) };
    for (const entry of entries.iterate(base, base + idsPerLog, now)) {
      const [id, at, expiresAt] = [number(entry.id) - base, number(entry.at), number(entry.expires_at)];
      yield {
        kind: "entry",
        log,
        id,
        at,
        expiresAt,
        subjects: JSON.parse(text(entry.subjects)),
        data: text(entry.data),
      };
    }
  }
  for (const row of db.prepare("SELECT digest, expires_at FROM log_unique WHERE expires_at > ?").iterate(now)) {
    const digest = row.digest instanceof Uint8Array ? Buffer.from(row.digest).toString("base64url") : "";
    yield { kind: "unique", digest, expiresAt: number(row.expires_at) };
  }
}

function* timersOf(db: DatabaseSync): Generator<Item> {
  for (const row of db.prepare("SELECT lane, id, min(at, ifnull(next_at, at)) AS at FROM wakeup").iterate())
    yield { kind: "timer", lane: text(row.lane), id: text(row.id), at: number(row.at) };
}

function openingsOf(db: DatabaseSync): number {
  return Number(db.prepare("SELECT value FROM meta WHERE name = 'openings'").get()?.value ?? 0);
}

async function takeAll(db: DatabaseSync, items: AsyncIterable<Item>): Promise<void> {
  const take = createTaker(db);
  let taken = 0;
  db.exec("BEGIN");
  for await (const item of items) {
    take.one(item);
    taken += 1;
    if (taken % rowsAtOnce === 0) db.exec("COMMIT; BEGIN");
  }
  take.indexSubjects();
  db.exec("COMMIT");
}

function createTaker(db: DatabaseSync): { one(item: Item): void; indexSubjects(): void } {
  const value = db.prepare("INSERT INTO keyed_value (namespace, key, value, expires_at) VALUES (?, ?, ?, ?)");
  const member = db.prepare("INSERT INTO index_member (name, member, score) VALUES (?, ?, ?)");
  const log = db.prepare("INSERT INTO log (name, last_gone) VALUES (?, ?) RETURNING number");
  const entry = db.prepare("INSERT INTO log_entry (id, at, expires_at, subjects, data) VALUES (?, ?, ?, ?, ?)");
  const unique = db.prepare("INSERT INTO log_unique (digest, expires_at) VALUES (?, ?)");
  const timer = db.prepare("INSERT INTO wakeup (lane, id, at) VALUES (?, ?, ?)");
  const openings = db.prepare(
    "INSERT INTO meta (name, value) VALUES ('openings', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const subjects = createSubjectIndex(db);
  const bases = new Map<string, { base: number; last: number }>();

  const takers: { [K in Item["kind"]]: (item: Extract<Item, { kind: K }>) => void } = {
    value: (item) => void value.run(item.namespace, item.key, item.text, item.expiresAt),
    member: (item) => void member.run(item.name, item.member, item.score),
    log(item) {
      const base = number(log.get(item.log, item.last)?.number) * idsPerLog;
      bases.set(item.log, { base, last: base + item.last });
    },
    entry(item) {
      const id = (bases.get(item.log)?.base ?? 0) + item.id;
      entry.run(id, item.at, item.expiresAt, JSON.stringify(item.subjects), item.data);
    },
    unique: (item) => void unique.run(Buffer.from(item.digest, "base64url"), item.expiresAt),
    timer: (item) => void timer.run(item.lane, item.id, item.at),
    fence: (item) => void openings.run(String(Math.ceil(item.above / fencesPerStart))),
  };

  return {
    one(item) {
      takeBy(takers, item);
    },
    indexSubjects() {
      // Index every full block, as appends would have done.
      for (const { base, last } of bases.values()) for (const id of lastOfBlocks(base, last)) subjects.appended(id);
    },
  };
}

function takeBy<K extends Item["kind"]>(
  takers: { [L in K]: (item: Extract<Item, { kind: L }>) => void },
  item: Extract<Item, { kind: K }>,
): void {
  takers[item.kind](item);
}
