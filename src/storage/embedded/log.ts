import type { Clock } from "../../clock.ts";
import { checkText } from "../checks.ts";
import { expiryOf, idOf } from "../log-entry.ts";
import type { Log, LogEntry } from "../store.ts";
import type { Calls } from "./calls.ts";
import type { Row } from "./worker/log-reads.ts";
import type { EntryRow } from "./worker/log-writes.ts";

const usualLimit = 50;

/** One log in the file. Retention goes by `clock`. */
export function createLog(calls: Calls, clock: Clock, name: string, retentionMs: number): Log {
  checkText(name);
  return {
    async append({ at, subjects, data }, uniques = []) {
      uniques.forEach(checkText);
      const now = clock.now();
      const id = await calls.write(
        "appendToLog",
        name,
        entryRow({ at, subjects, data }, retentionMs, now),
        uniques,
        now,
      );
      return id === undefined ? null : idOf(id);
    },
    async read({ after, before, subjects = [], limit = usualLimit } = {}) {
      const [low, high] = [after, before].map((id) => (id === undefined ? undefined : Number(id)));
      if (Number.isNaN(low) || Number.isNaN(high)) return [];
      const query = { after: low, before: high, subjects: subjects.map(checkText), limit: Math.floor(limit) };
      return (await calls.read("readLog", name, query, clock.now())).map(entry);
    },
    async entry(id) {
      const row = /^\d+$/.test(id) ? await calls.read("logEntry", name, Number(id), clock.now()) : undefined;
      return row && entry(row);
    },
    async cut(through) {
      const last = Number(through);
      if (Number.isNaN(last)) return;
      // In portions, so that other calls do not wait for long.
      while (await calls.write("cutLog", name, last));
    },
  };
}

/** An entry as a row. */
export function entryRow(
  { at, subjects, data }: { at: number; subjects: readonly string[]; data: unknown },
  retentionMs: number,
  now: number,
): EntryRow {
  subjects.forEach(checkText);
  return {
    at: Math.trunc(at),
    expiresAt: expiryOf(at, retentionMs, now),
    subjects: JSON.stringify(subjects),
    data: JSON.stringify(data ?? null),
  };
}

function entry({ id, at, subjects, data }: Row): LogEntry {
  return { id: idOf(id), at, subjects: JSON.parse(subjects), data: JSON.parse(data) };
}
