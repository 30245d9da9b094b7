import { DatabaseSync } from "node:sqlite";

// Loaded before a program under test, in each of its threads: every commit takes as much longer as a flush does on a slow disk.
const flushMs = 5;
const forever = new Int32Array(new SharedArrayBuffer(4));
const exec = DatabaseSync.prototype.exec;

DatabaseSync.prototype.exec = function slowed(this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (sql === "COMMIT") Atomics.wait(forever, 0, 0, flushMs);
};
