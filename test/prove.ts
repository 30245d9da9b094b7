import { relative } from "node:path";
import { afterAll, beforeEach, type RunnerTask, type RunnerTestFile } from "vitest";

/**
 * Fails the file that imports this once all its tests have passed, if it has not shown what it is to show: `missing` gives what is left, by
 * the file's name within `folder`. A part of its tests proves nothing.
 */
export function proveAtEnd(folder: string, missing: (file: string) => string[]): void {
  let file: RunnerTestFile | undefined;
  beforeEach(({ task }) => {
    file = task.file;
  });
  afterAll(() => {
    if (file === undefined || isIncomplete(file)) return;
    const name = relative(folder, file.filepath);
    const left = missing(name);
    if (left.length > 0) throw new Error(`${name} is to show these and did not have them accepted: ${left.join(", ")}`);
  });
}

function isIncomplete(task: RunnerTask): boolean {
  if (task.mode === "skip" || task.result?.state === "fail") return true;
  return task.type === "suite" && task.tasks.some(isIncomplete);
}
