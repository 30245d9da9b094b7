import type { DatabaseSync } from "node:sqlite";
import { number, numberOrNone, text } from "./columns.ts";

/** Each log has its own range of row ids, so that its entries lie together. The migrations use this number, too. */
export const idsPerLog = 2 ** 45;

/** The state of a log in memory. A row id is `base` plus the entry's id. */
export interface LogState {
  number: number;
  base: number;
  /** The highest row id given so far. */
  last: number;
}

export interface Logs {
  find(name: string): LogState | undefined;
  /** Creates a missing log. Only inside a transaction. */
  findOrAdd(name: string): LogState;
  names(): string[];
  /** Reads the state again: at the start, and after a rolled back transaction. */
  recall(): void;
}

export function createLogs(db: DatabaseSync): Logs {
  const all = db.prepare("SELECT name, number, last_gone FROM log");
  const add = db.prepare("INSERT INTO log (name) VALUES (?) RETURNING number");
  const lastEntry = db.prepare("SELECT max(id) AS id FROM log_entry WHERE id > ? AND id < ?");
  const logs = new Map<string, LogState>();

  function recall(): void {
    logs.clear();
    for (const row of all.all()) {
      const base = number(row.number) * idsPerLog;
      const last = numberOrNone(lastEntry.get(base, base + idsPerLog)?.id) ?? base;
      logs.set(text(row.name), {
        number: number(row.number),
        base,
        last: Math.max(last, base + number(row.last_gone)),
      });
    }
  }

  recall();
  return {
    recall,
    find: (name) => logs.get(name),
    findOrAdd(name) {
      const found = logs.get(name);
      if (found) return found;
      const added = number(add.get(name)?.number);
      const log = { number: added, base: added * idsPerLog, last: added * idsPerLog };
      logs.set(name, log);
      return log;
    },
    names: () => [...logs.keys()],
  };
}
