import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// A wait that ends early fails on a busy machine alone: only waiting for something that never comes may be slow.

/** Waits of real time with an end of their own that comes before that of `expect.poll`, or with Vitest's end after a second. */
function hasty(code: string): string[] {
  const short = [...code.matchAll(/^.*\btimeout: ([\d_]+).*$/gm)].filter(
    ([, ms = ""]) => Number(ms.replaceAll("_", "")) < 15_000,
  );
  const unsaid = code.matchAll(/^.*\bvi\.wait(?:For|Until)\((?!.*(?:, \w+\)|\btimeout\b)).*\);$/gm);
  return [...short, ...unsaid].map(([line]) => line.trim());
}

test("no test waits for less long than a busy machine may need", () => {
  const found = globSync("test/**/*.ts", { exclude: ["test/waits.test.ts"] }).flatMap((name) =>
    hasty(readFileSync(name, "utf8")).map((line) => `${name}: ${line}`),
  );
  // A read that was on its way when time was skipped never comes: then time is skipped once more, and the wait for it is a long one.
  expect(found).toEqual(["test/stories/polled.ts: const wait = { timeout: 2_500, interval: 20 };"]);
  expect(hasty("  await vi.waitFor(() => expect(ran).toHaveLength(3));")).toHaveLength(1);
  expect(hasty("  await vi.waitFor(() => expect(ran).toHaveLength(3), patience);")).toEqual([]);
});
