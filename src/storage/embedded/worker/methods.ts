import type { DatabaseSync } from "node:sqlite";
import { writeBackup } from "./backup.ts";
import { createBatchMethod } from "./batch.ts";
import { createIndexMethods } from "./index-members.ts";
import { createLogReads } from "./log-reads.ts";
import { createLogWrites } from "./log-writes.ts";
import { createLogs } from "./logs.ts";
import { createSubjectIndex } from "./subjects.ts";
import { createValueMethods } from "./values.ts";
import { createWakeupMethods } from "./wakeups.ts";

/** All that can be asked of the file, by name. Every answer is plain data. A write decides without throwing. */
export function createMethods(db: DatabaseSync) {
  const values = createValueMethods(db);
  const indexes = createIndexMethods(db);
  const logs = createLogs(db);
  const subjectIndex = createSubjectIndex(db);
  const logWrites = createLogWrites(db, logs, subjectIndex);
  const wakeups = createWakeupMethods(db);
  const keepMeta = db.prepare(
    "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const meta = db.prepare("SELECT value FROM meta WHERE name = ?");
  return {
    /** To be called when a transaction was lost. */
    recall: logs.recall,
    reads: {
      ...values.reads,
      ...indexes.reads,
      ...createLogReads(db, logs, subjectIndex),
      ...wakeups.reads,
      writeBackup: (path: string) => writeBackup(db, path),
    },
    writes: {
      ...values.writes,
      ...indexes.writes,
      ...logWrites,
      ...wakeups.writes,
      ...createBatchMethod({
        values: values.writes,
        indexes: indexes.writes,
        logs: logWrites,
        wakeups: wakeups.writes,
      }),
      /** Writes something, to show that it can. */
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
