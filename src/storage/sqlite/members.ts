import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Member, MemberChange, MemberQuery } from "../engine.ts";

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
    size: db.prepare(`SELECT count(*) AS size FROM (SELECT 1 FROM ${table} WHERE name = ? LIMIT ?)`),
    first: db.prepare(`${columns} ORDER BY score, member LIMIT ?4`),
    last: db.prepare(`${columns} ORDER BY score DESC, member DESC LIMIT ?4`),
    rest: db.prepare(`${columns} AND (score, member) > (?5, ?6) ORDER BY score, member LIMIT ?4`),
    // Steps from name to name, since SQLite would answer DISTINCT by reading every member.
    named: db.prepare(`WITH RECURSIVE used (name) AS (
      SELECT min(name) FROM ${table} WHERE name >= ?1 AND name < ?2
      UNION ALL SELECT (SELECT min(name) FROM ${table} WHERE name > used.name AND name < ?2) FROM used WHERE name IS NOT NULL
    ) SELECT name, (SELECT min(score) FROM ${table} AS m WHERE m.name = used.name) AS first FROM used WHERE name IS NOT NULL`),
  };
}
