import type { DatabaseSync } from "node:sqlite";
import { writeBackup } from "./backup.ts";
import { createIndexMethods } from "./index-members.ts";
import { createLogReads } from "./log-reads.ts";
import { createLogWrites } from "./log-writes.ts";
import { createLogs } from "./logs.ts";
import { createSubjectIndex } from "./subjects.ts";
import { createTimerMethods } from "./timers.ts";
import { createTransactionMethod } from "./transaction.ts";
import { createValueMethods } from "./values.ts";

/** Every method of the store's thread, by name. Answers are plain data. Writes report their outcome without throwing. */
export function createMethods(db: DatabaseSync) {
  const values = createValueMethods(db);
  const indexes = createIndexMethods(db);
  const logs = createLogs(db);
  const subjectIndex = createSubjectIndex(db);
  const logWrites = createLogWrites(db, logs, subjectIndex);
  const timers = createTimerMethods(db);
  const keepMeta = db.prepare(
    "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const meta = db.prepare("SELECT value FROM meta WHERE name = ?");
  return {
    /** Call it after a transaction was rolled back. */
    recall: logs.recall,
    reads: {
      ...values.reads,
      ...indexes.reads,
      ...createLogReads(db, logs, subjectIndex),
      ...timers.reads,
      writeBackup: (path: string) => writeBackup(db, path),
    },
    writes: {
      ...values.writes,
      ...logWrites,
      ...timers.writes,
      ...createTransactionMethod({
        values: values.writes,
        getValue: values.reads.getValue,
        indexes: indexes.writes,
        logs: logWrites,
        timers: timers.writes,
      }),
      /** Writes a word to test the disk. */
      proveWrite(word: string): void {
        keepMeta.run("ready", word);
      },
      /** How many times the file has been opened, this time included. */
      countOpening(): number {
        const count = Number(meta.get("openings")?.value ?? 0) + 1;
        keepMeta.run("openings", String(count));
        return count;
      },
    },
  };
}

export type Methods = ReturnType<typeof createMethods>;
export type Reads = Methods["reads"];
export type Writes = Methods["writes"];
