import type { Reporter } from "vitest/node";

/** Says in the last lines which tests were skipped, and why: what nobody reads of may be taken for passed. */
export const skippedReporter: Reporter = {
  onTestRunEnd(modules) {
    const reasons = new Map<string, number>();
    for (const test of modules.flatMap((module) => [...module.children.allTests("skipped")])) {
      const result = test.result();
      const why = result.state === "skipped" ? result.note : undefined;
      if (why) reasons.set(why, (reasons.get(why) ?? 0) + 1);
    }
    for (const [why, count] of reasons)
      process.stdout.write(`\nSkipped ${count} ${count === 1 ? "test" : "tests"}: ${why}.\n`);
  },
};
