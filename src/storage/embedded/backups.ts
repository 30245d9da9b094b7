import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { sleep } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";

const lookEveryMs = 1_000;
const patienceMs = 60_000;

/**
 * Only the process that has the file can read it, so whoever wants a copy asks for it by a file beside it, and the answer comes
 * by another. Looks for what is asked; the returned function ends that.
 */
export function keepBackups(
  calls: Calls,
  { path, clock, log }: { path: string; clock: Clock; log: Logger },
): () => void {
  if (path === ":memory:") return () => {};
  const { request, answer } = besides(path);
  let ended = false;
  let callOff = (): void => {};

  async function look(): Promise<void> {
    if (existsSync(request)) await carryOut();
    if (!ended) callOff = clock.after(lookEveryMs, () => void look());
  }

  async function carryOut(): Promise<void> {
    let told = "";
    try {
      const target = await readFile(request, "utf8");
      await rm(request);
      await calls.read("writeBackup", target);
      log.info({ target }, "a backup of the store was written");
    } catch (error) {
      log.error({ err: error }, "a backup of the store could not be written");
      told =
        error instanceof StorageError
          ? error.message
          : "The backup could not be written; the log of Rackbell has more.";
    }
    await tell(answer, told).catch((error: unknown) => log.error({ err: error }, "a backup's end could not be told"));
  }

  void look();
  return () => {
    ended = true;
    callOff();
  };
}

/** Asks the process that has the file at `path` for a copy at `target` (absolute). Throws StorageError where none came to be. */
export async function askForBackup(path: string, target: string, clock: Clock): Promise<void> {
  const { request, answer } = besides(path);
  await rm(answer, { force: true });
  await tell(request, target);
  for (let waited = 0; waited < patienceMs; waited += lookEveryMs / 4) {
    await sleep(clock, lookEveryMs / 4);
    if (!existsSync(answer)) continue;
    const told = await readFile(answer, "utf8");
    await rm(answer);
    if (told !== "") throw new StorageError(told);
    return;
  }
  await rm(request, { force: true });
  throw new StorageError(
    `The process that has ${path} did not answer. Is it a Rackbell of this version? No backup was made.`,
  );
}

function besides(path: string): { request: string; answer: string } {
  return { request: `${path}.backup-request`, answer: `${path}.backup-answer` };
}

/** Whole or not at all, for whoever looks at any time. */
async function tell(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
