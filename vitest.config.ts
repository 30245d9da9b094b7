import { defineConfig } from "vitest/config";
import { skippedReporter } from "./test/skipped.ts";

// The app's threads and processes start three times as fast with it.
process.env.NODE_COMPILE_CACHE ??= "node_modules/.cache/rackbell/compiled";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // .ci/run takes its count of tests from the second.
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/rackbell/tests.json" }], skippedReporter],
  },
});
