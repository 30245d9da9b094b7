import { afterAll, beforeEach, type RunnerTestFile } from "vitest";
import { prove } from "./prove.ts";

// Before each file, and so after all that the file itself has to do at its end.
let file: RunnerTestFile | undefined;
beforeEach(({ task }) => {
  file = task.file;
});
afterAll(() => {
  if (file) prove(file);
});
