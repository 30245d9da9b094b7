import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Logger } from "pino";
import { type Clock, repeat, sleep } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";

/** Milliseconds between the app's looks for a request. */
const lookEveryMs = 5_000;
/** Milliseconds between the tool's looks for an answer, and the most that it waits. */
const lookForAnswerMs = 250;
const patienceMs = 60_000;

/**
 * Writes a backup when a tool requests one. Only this process can read the file, so request and answer are files beside it. Checks every
 * five seconds; the returned function stops that.
 */
export function keepBackups(
  calls: Calls,
  { path, clock, log }: { path: string; clock: Clock; log: Logger },
): () => void {
  if (path === ":memory:") return () => {};
  const { request, answer } = messageFiles(path);

  async function checkRequest(): Promise<void> {
    if (!existsSync(request)) return;
    let failure = "";
    try {
      const target = await readFile(request, "utf8");
      await rm(request);
      await calls.read("writeBackup", target);
      log.info({ target }, "a backup of the store was written");
    } catch (error) {
      log.error({ err: error }, "a backup of the store could not be written");
      failure =
        error instanceof StorageError
          ? error.message
          : "The backup could not be written; the log of Rackbell has more.";
    }
    await writeWhole(answer, failure);
  }

  return repeat(clock, lookEveryMs, checkRequest, (error) =>
    log.error({ err: error }, "the end of a backup could not be reported"),
  );
}

/** Asks the process that uses the file at `path` for a copy at `target` (absolute). Throws StorageError if no copy was made. */
export async function askForBackup(path: string, target: string, clock: Clock): Promise<void> {
  const { request, answer } = messageFiles(path);
  await rm(answer, { force: true });
  await writeWhole(request, target);
  for (let waited = 0; waited < patienceMs; waited += lookForAnswerMs) {
    await sleep(clock, lookForAnswerMs);
    if (!existsSync(answer)) continue;
    const failure = await readFile(answer, "utf8");
    await rm(answer);
    if (failure !== "") throw new StorageError(failure);
    return;
  }
  await rm(request, { force: true });
  throw new StorageError(
    `The process that has ${path} did not answer. Is it a Rackbell of this version? No backup was made.`,
  );
}

function messageFiles(path: string): { request: string; answer: string } {
  return { request: `${path}.backup-request`, answer: `${path}.backup-answer` };
}

/** Writes to another name first, so that a reader never sees half a file. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
