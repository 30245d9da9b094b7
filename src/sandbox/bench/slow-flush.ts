import { open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";

// Loaded before a program under test, in each of its threads: every flush takes as much longer as on a slow disk.
const flushMs = 5;
const forever = new Int32Array(new SharedArrayBuffer(4));
const exec = DatabaseSync.prototype.exec;

DatabaseSync.prototype.exec = function slowed(this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (sql === "COMMIT") Atomics.wait(forever, 0, 0, flushMs);
};

// The class of a file's handle has no name of its own.
const handle = await open("/dev/null");
const files: { datasync(): Promise<void> } = Object.getPrototypeOf(handle);
await handle.close();
const { datasync } = files;
files.datasync = async function slowed(this: typeof files): Promise<void> {
  await datasync.call(this);
  await new Promise((resolve) => setTimeout(resolve, flushMs));
};
