import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import type { Member, MemberChange, MemberQuery } from "../engine.ts";

/** The end of a query. SQLite would compile it anew at each run for a parameter of `LIMIT` alone: 19 µs where the whole query takes 3. */
const atMost = (parameter: string): string => `LIMIT ifnull(${parameter}, 0)`;

/** Rows that one step of a sweep visits. */
const portion = 500;

/** Characters of texts in memory: a command reads and writes some 20 records, most of them several times or as the command before it. */
const mostKnown = 500_000;
const mostOfOne = 20_000;

/** A text as the file has it; undefined: none. `ends`: when it expires. */
interface TextRow {
  text: string | undefined;
  ends: number | null;
}

/** An entry of a log may be read to see what the file has, and is seldom read twice. */
const isEntry = (key: string): boolean => key.startsWith("value:~entry:");

/** The texts of a file. Those that were read or written lately are in memory: only this process changes the file. */
export function createTexts(db: DatabaseSync, now: () => number) {
  const one = db.prepare("SELECT text, ends FROM text WHERE key = ?");
  const put = db.prepare(`INSERT INTO text (key, ends, text) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET text = excluded.text, ends = excluded.ends`);
  const remove = db.prepare("DELETE FROM text WHERE key = ?");
  const some = db.prepare(`SELECT key, text FROM text
    WHERE key > ? AND key >= ? AND key < ? AND (ends IS NULL OR ends > ?) ORDER BY key ${atMost("?")}`);
  const portionEnd = db.prepare(
    `SELECT max(id) AS id FROM (SELECT id FROM text WHERE id > ? ORDER BY id LIMIT ${portion})`,
  );
  const removeExpired = db.prepare("DELETE FROM text WHERE id > ? AND id <= ? AND ends <= ?");

  const known = new LRUCache<string, TextRow>({
    maxSize: mostKnown,
    maxEntrySize: mostOfOne,
    sizeCalculation: ({ text = "" }, key) => key.length + text.length,
  });

  function look(key: string): TextRow {
    const row = one.get(key);
    const found = row
      ? { text: String(row.text), ends: row.ends === null ? null : Number(row.ends) }
      : { text: undefined, ends: null };
    if (!isEntry(key)) known.set(key, found);
    return found;
  }

  return {
    get(key: string): string | undefined {
      const { text, ends } = known.get(key) ?? look(key);
      return ends === null || ends > now() ? text : undefined;
    },
    set(key: string, text: string | undefined, ttlMs: number | undefined): void {
      const ends = text === undefined || ttlMs === undefined ? null : Math.ceil(now() + ttlMs);
      if (text === undefined) remove.run(key);
      else put.run(key, ends, text);
      if (!isEntry(key)) known.set(key, { text, ends });
    },
    /** The file may have other texts than were read or written: a transaction came to nothing. */
    forget: () => known.clear(),
    /** The next ones whose keys begin so, in order. */
    page: (prefix: string, after: string, limit: number) =>
      some
        // Prefixes end with a colon, and ";" is the character after it.
        .all(after, prefix, `${prefix.slice(0, -1)};`, now(), limit)
        .map((row): [string, string] => [String(row.key), String(row.text)]),
    /** Deletes what has expired among one portion after the row; returns the row to go on from, undefined at the end. */
    sweep(after: number): number | undefined {
      const end = portionEnd.get(after)?.id;
      if (typeof end !== "number") return undefined;
      removeExpired.run(after, end, now());
      known.clear();
      return end;
    },
  };
}

/**
 * The texts that may be lost with the process: they are in its memory alone. `now`: by the monotonic clock, since a time of day that is set
 * forward must not end a lock.
 */
export function createMarks(now: () => number) {
  const marks = new Map<string, { text: string; ends: number }>();
  return {
    get(key: string): string | undefined {
      const mark = marks.get(key);
      return mark && mark.ends > now() ? mark.text : undefined;
    },
    /** Returns what puts back the former text. */
    set(key: string, text: string | undefined, ttlMs: number | undefined): () => void {
      const before = marks.get(key);
      if (text === undefined) marks.delete(key);
      else marks.set(key, { text, ends: ttlMs === undefined ? Number.POSITIVE_INFINITY : now() + ttlMs });
      return () => void (before ? marks.set(key, before) : marks.delete(key));
    },
    starting: (prefix: string) =>
      [...marks].flatMap(([key, { text, ends }]): [string, string][] =>
        key.startsWith(prefix) && ends > now() ? [[key, text]] : [],
      ),
    /** Forgets those that have expired. */
    sweep(): void {
      for (const [key, { ends }] of marks) if (ends <= now()) marks.delete(key);
    },
  };
}

/** Members of logs come once, in order, and are never looked up by name: they need one tree of the file, others need two. */
export const isLog = (index: string): boolean => index.startsWith("~log ") || index.startsWith("~of ");

/** The members of a file's indexes. */
export function createMembers(db: DatabaseSync) {
  const put = db.prepare(`INSERT INTO member (name, member, score) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET score = excluded.score WHERE score <> excluded.score`);
  const least = db.prepare(`INSERT INTO member (name, member, score) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET score = excluded.score WHERE score > excluded.score`);
  const append = db.prepare("INSERT INTO appended (name, member, score) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM member WHERE name = ? AND member = ?");
  const cut = db.prepare("DELETE FROM appended WHERE name = ? AND score = ?");
  const one = db.prepare("SELECT score FROM member WHERE name = ? AND member = ?");
  const [members, appended] = [readsOf(db, "member"), readsOf(db, "appended")];
  const of = (index: string) => (isLog(index) ? appended : members);
  const rows = (statement: StatementSync, ...args: (string | number)[]) =>
    statement.all(...args).map((row) => ({ member: String(row.member), score: Number(row.score) }));

  return {
    put(index: string, { member, score, was, least: isLeast }: Omit<MemberChange, "index">): void {
      if (score === null) isLog(index) ? cut.run(index, was ?? null) : remove.run(index, member);
      else (isLog(index) ? append : isLeast ? least : put).run(index, member, score);
    },
    score(index: string, member: string): number | undefined {
      const row = one.get(index, member);
      return row && Number(row.score);
    },
    size: (index: string, most: number) =>
      Number(of(index).size.get(index, Math.min(most, Number.MAX_SAFE_INTEGER))?.size),
    range(index: string, { from = -Infinity, to = Infinity, after, limit, reverse = false }: MemberQuery): Member[] {
      const { rest, first, last } = of(index);
      if (after) return rows(rest, index, Math.max(from, after.score), to, limit, after.score, after.member);
      return rows(reverse ? last : first, index, from, to, limit);
    },
    named: (prefix: string) =>
      of(prefix)
        .named.all(prefix, `${prefix.slice(0, -1)}!`)
        .map((row) => ({ index: String(row.name), first: Number(row.first) })),
  };
}

function readsOf(db: DatabaseSync, table: "member" | "appended") {
  const columns = `SELECT member, score FROM ${table} WHERE name = ?1 AND score >= ?2 AND score <= ?3`;
  return {
    size: db.prepare(`SELECT count(*) AS size FROM (SELECT 1 FROM ${table} WHERE name = ? ${atMost("?")})`),
    first: db.prepare(`${columns} ORDER BY score, member ${atMost("?4")}`),
    last: db.prepare(`${columns} ORDER BY score DESC, member DESC ${atMost("?4")}`),
    rest: db.prepare(`${columns} AND (score, member) > (?5, ?6) ORDER BY score, member ${atMost("?4")}`),
    // Steps from name to name, since SQLite would answer DISTINCT by reading every member.
    named: db.prepare(`WITH RECURSIVE used (name) AS (
      SELECT min(name) FROM ${table} WHERE name >= ?1 AND name < ?2
      UNION ALL SELECT (SELECT min(name) FROM ${table} WHERE name > used.name AND name < ?2) FROM used WHERE name IS NOT NULL
    ) SELECT name, (SELECT min(score) FROM ${table} AS m WHERE m.name = used.name) AS first FROM used WHERE name IS NOT NULL`),
  };
}
