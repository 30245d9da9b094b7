import { relative } from "node:path";
import type { RunnerTask, RunnerTestFile } from "vitest";

interface Proof {
  folder: string;
  missing(file: string): string[];
}

/** One worker runs many files, so a module that several of them import says this once for all of them. */
const proofs: Proof[] = [];

/**
 * Fails a file of `folder` once all its tests have passed, if it has not shown what it is to show: `missing` gives what is left, by the
 * file's name within `folder`, and forgets what that file has shown.
 */
export function proveAtEnd(folder: string, missing: (file: string) => string[]): void {
  proofs.push({ folder, missing });
}

/** A part of a file's tests proves nothing. */
export function prove(file: RunnerTestFile): void {
  for (const { folder, missing } of proofs) {
    const name = relative(folder, file.filepath);
    const left = missing(name);
    if (left.length > 0 && !isIncomplete(file))
      throw new Error(`${name} is to show these and did not have them accepted: ${left.join(", ")}`);
  }
}

function isIncomplete(task: RunnerTask): boolean {
  if (task.mode === "skip" || task.result?.state === "fail") return true;
  return task.type === "suite" && task.tasks.some(isIncomplete);
}
