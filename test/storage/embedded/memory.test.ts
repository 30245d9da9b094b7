import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createMarks } from "../../../src/storage/embedded/memory.ts";

test("marks that have expired are let go of while new ones come, without anybody sweeping", () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const used = (): number => {
    if (typeof collect === "function") collect();
    return process.memoryUsage().heapUsed;
  };
  const clock = createSandboxClock();
  const marks = createMarks(clock);
  marks.set("stays", "for good", undefined);
  const before = used();
  for (let round = 0; round < 100; round += 1) {
    for (let count = 0; count < 500; count += 1) marks.set(`${round} ${count}`, "x".repeat(1_000) + count, 60_000);
    clock.skip(60_000);
  }
  // 50,000 of them would be 50 MB.
  expect(used() - before).toBeLessThan(10_000_000);
  expect(marks.get("stays")).toBe("for good");
});
