import type { DatabaseSync } from "node:sqlite";
import { number, text } from "./columns.ts";

/** All ordered indexes, in one table. */
export function createIndexMethods(db: DatabaseSync) {
  const put = db.prepare(`INSERT INTO index_member (name, member, score) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET score = excluded.score WHERE score <> excluded.score`);
  const remove = db.prepare("DELETE FROM index_member WHERE name = ? AND member = ?");
  const count = db.prepare("SELECT count(*) AS size FROM index_member WHERE name = ?");
  const some = db.prepare(`SELECT member, score FROM index_member
    WHERE name = ?1 AND score <= ?2 AND (score, member) > (?3, ?4) ORDER BY score, member LIMIT ?5`);
  const first = db.prepare(`SELECT member, score FROM index_member
    WHERE name = ?1 AND score <= ?2 AND score >= ?3 ORDER BY score, member LIMIT ?4`);

  // Steps from name to name, since SQLite would answer DISTINCT by reading every member.
  const names = db.prepare(`WITH RECURSIVE used (name) AS (
    SELECT min(name) FROM index_member
    UNION ALL SELECT (SELECT min(name) FROM index_member WHERE name > used.name) FROM used WHERE name IS NOT NULL
  ) SELECT name FROM used WHERE name IS NOT NULL`);

  return {
    reads: {
      /** The names of the indexes that have members. */
      indexNames: (): string[] => names.all().map(({ name }) => text(name)),
      rangeOfIndex(
        name: string,
        query: { from: number; to: number; after: { score: number; member: string } | undefined; limit: number },
      ): { member: string; score: number }[] {
        const { from, to, after, limit } = query;
        const rows = after ? some.all(name, to, after.score, after.member, limit) : first.all(name, to, from, limit);
        return rows.map((row) => ({ member: text(row.member), score: number(row.score) }));
      },
      sizeOfIndex: (name: string): number => number(count.get(name)?.size),
    },
    writes: {
      putInIndex(name: string, member: string, score: number): void {
        put.run(name, member, score);
      },
      removeFromIndex(name: string, member: string): void {
        remove.run(name, member);
      },
    },
  };
}
