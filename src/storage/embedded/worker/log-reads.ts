import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { number, numberOrNone, text } from "./columns.ts";
import { idsPerLog, type LogState, type Logs } from "./logs.ts";
import type { SubjectIndex } from "./subjects.ts";

/** An entry's row; `subjects` and `data` are JSON. */
export interface Row {
  id: number;
  at: number;
  subjects: string;
  data: string;
}

export interface RowQuery {
  after: number | undefined;
  before: number | undefined;
  subjects: readonly string[];
  limit: number;
}

export function createLogReads(db: DatabaseSync, logs: Logs, subjectIndex: SubjectIndex) {
  const one = db.prepare("SELECT id, at, subjects, data FROM log_entry WHERE id = ? AND expires_at > ?");
  const range = "SELECT id, at, subjects, data FROM log_entry WHERE id > ? AND id < ? AND expires_at > ?";
  const forwards = db.prepare(`${range} ORDER BY id LIMIT ?`);
  const backwards = db.prepare(`${range} ORDER BY id DESC LIMIT ?`);
  // Two subqueries: SQLite answers each by the index, but min and max together by a full scan.
  const ends = db.prepare(`SELECT (SELECT min(id) FROM log_entry WHERE id > ?1 AND id < ?2) AS low,
    (SELECT max(id) FROM log_entry WHERE id > ?1 AND id < ?2) AS high`);

  function ofSubjects(log: LogState, query: RowQuery, now: number): Row[] {
    const { low, high } = limits(log, query);
    const there = ends.get(low, high);
    const [least, most] = [numberOrNone(there?.low), numberOrNone(there?.high)];
    if (least === undefined || most === undefined) return [];
    const rows: Row[] = [];
    const forward = query.after !== undefined;
    for (const id of subjectIndex.find(query.subjects, { low: least - 1, high: most + 1 }, forward, log.last)) {
      if (rows.length >= query.limit) break;
      const found = one.get(id, now);
      if (found) rows.push(rowOf(log, found));
    }
    return rows;
  }

  return {
    readLog(name: string, query: RowQuery, now: number): Row[] {
      const log = logs.find(name);
      if (!log || query.limit < 1) return [];
      if (query.subjects.length > 0) return ofSubjects(log, query, now);
      const { low, high } = limits(log, query);
      const statement = query.after === undefined ? backwards : forwards;
      return statement.all(low, high, now, query.limit).map((found) => rowOf(log, found));
    },
    logEntry(name: string, id: number, now: number): Row | undefined {
      const log = logs.find(name);
      const found = log && id < idsPerLog ? one.get(log.base + id, now) : undefined;
      return log && found && rowOf(log, found);
    },
    logNames: (): string[] => logs.names(),
  };
}

function rowOf({ base }: LogState, { id, at, subjects, data }: Record<string, SQLOutputValue>): Row {
  return { id: number(id) - base, at: number(at), subjects: text(subjects), data: text(data) };
}

/** The row ids between which the query lies, both exclusive. */
function limits({ base }: LogState, { after = 0, before = idsPerLog }: RowQuery): { low: number; high: number } {
  return { low: base + after, high: base + Math.min(before, idsPerLog) };
}
