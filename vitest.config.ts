import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { skippedReporter } from "./test/skipped.ts";

// The app's threads and processes start three times as fast with it.
process.env.NODE_COMPILE_CACHE ??= "node_modules/.cache/rackbell/compiled";

export default defineConfig({
  test: {
    // The packages of the judges that use the app are installed by `npm run judges` alone.
    include: [process.env.JUDGES ? "test/judges/*.judge.ts" : "test/**/*.test.ts"],
    pool: "forks",
    // A worker imports the app once and not once a file, which halves the suite's time. A module of test/ that keeps something between
    // tests clears it at the end of each file.
    isolate: false,
    setupFiles: ["test/setup.ts"],
    sequence: { sequencer: LongestFirst },
    // Most of them wait, for processes and for timers: one at a time leaves a small machine idle for half of the time. On two cores five
    // take 326 s and four 360 s.
    maxWorkers: Math.max(5, availableParallelism()),
    testTimeout: 90_000,
    hookTimeout: 30_000,
    // What is waited for comes on a busy machine too: only what never comes may take long.
    expect: { poll: { interval: 10, timeout: 15_000 } },
    // Those that mostly wait, as the contract of the store in a Redis does.
    maxConcurrency: 12,
    // .ci/run takes its count of tests from the second.
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/rackbell/tests.json" }], skippedReporter],
  },
});
