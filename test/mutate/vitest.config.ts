import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { roomSetting, testsOf } from "./rooms.ts";

/** The first test that fails ends the run of a mutant: those that open a store come later, and those that try thousands of values last. */
class QuickOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => weightOf(one) - weightOf(other));
  }
}

function weightOf({ moduleId }: TestSpecification): number {
  const text = readFileSync(moduleId, "utf8");
  if (text.includes("fc.")) return 2;
  return /\bopen[A-Z]\w+\(/.test(text) ? 1 : 0;
}

export default defineConfig({
  test: {
    ...testsOf(process.env[roomSetting] ?? ""),
    setupFiles: ["test/mutate/draw.ts", "test/mutate/unmutated.ts"],
    // A mutant's tests import the code once and not once a file.
    isolate: false,
    sequence: { sequencer: QuickOnesFirst },
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 30_000,
    expect: { poll: { interval: 10, timeout: 15_000 } },
  },
});
