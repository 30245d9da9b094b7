import fs from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

// Loaded before a program under test, in each of its threads: every flush takes as much longer as on a slow disk.
const flushMs = 5;
const { fdatasync } = fs;
Object.assign(fs, {
  fdatasync: (file: number, done: (error: NodeJS.ErrnoException | null) => void) =>
    fdatasync(file, (error) => setTimeout(() => done(error), flushMs)),
});
syncBuiltinESMExports();

// The class of a file's handle has no name of its own.
const handle = await open("/dev/null");
const files: { datasync(): Promise<void> } = Object.getPrototypeOf(handle);
await handle.close();
const { datasync } = files;
files.datasync = async function slowed(this: typeof files): Promise<void> {
  await datasync.call(this);
  await new Promise((resolve) => setTimeout(resolve, flushMs));
};
