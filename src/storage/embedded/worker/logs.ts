import type { DatabaseSync } from "node:sqlite";
import { number, numberOrNone, text } from "./columns.ts";

/** Each log has a range of row ids of its own, so that its entries lie together. The migrations count with it, too. */
export const idsPerLog = 2 ** 45;

/** What is remembered of a log beside the tables. Row ids are `base` and the entry's own id. */
export interface LogState {
  number: number;
  base: number;
  /** The row id that was last given. */
  last: number;
}

export interface Logs {
  find(name: string): LogState | undefined;
  /** Inside a transaction: makes the log where there is none. */
  findOrAdd(name: string): LogState;
  names(): string[];
  /** Reads everything anew: at the start, and after a transaction was lost. */
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
