import { expect, test } from "vitest";
import { settles } from "../../src/process/clock.ts";
import { drain } from "../../src/process/drain.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

const never = () => new Promise<void>(() => {});

/** A stop with 10 seconds of grace; `work` ends when it is interrupted by default. */
function stopping(parts: { finish?: () => Promise<void>; close?: () => Promise<void>; stubborn?: boolean } = {}) {
  const clock = createSandboxClock();
  const seen: string[] = [];
  const work = Promise.withResolvers<void>();
  const { finish = () => work.promise, close = async () => {}, stubborn = false } = parts;
  const stopped = drain({
    clock,
    graceMs: 10_000,
    finish,
    interrupt() {
      seen.push("interrupted");
      if (!stubborn) work.resolve();
    },
    close() {
      seen.push("closed");
      return close();
    },
    onLeft: (part, error) => seen.push(`${part} left${error instanceof Error ? `: ${error.message}` : ""}`),
  });
  const skip = async (ms: number) => {
    clock.skip(ms);
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { stopped, seen, skip, work, clock };
}

test("work that ends by itself is not interrupted, and then everything is closed", async () => {
  const { stopped, seen, work } = stopping();
  work.resolve();
  await stopped;
  expect(seen).toEqual(["closed"]);
});

test("work that runs too long is interrupted before the grace period is over, and the stop waits for its end", async () => {
  const { stopped, seen, skip } = stopping();
  // Half of the time until then: the clock runs on while this machine is busy.
  await skip(4_000);
  expect(seen).toEqual([]);
  await skip(4_000);
  await stopped;
  expect(seen).toEqual(["interrupted", "closed"]);
});

test("work that does not end is left, and everything is closed within the grace period", async () => {
  const { stopped, seen, skip } = stopping({ stubborn: true });
  await skip(8_000);
  await skip(1_500);
  await stopped;
  expect(seen).toEqual(["interrupted", "work left", "closed"]);
});

test("a closing that hangs does not hold the stop up past the grace", async () => {
  const { stopped, seen, skip, clock } = stopping({ stubborn: true, close: never });
  await skip(8_000);
  await skip(1_500);
  await skip(499);
  expect(await settles(stopped, clock, 0)).toBe(true);
  expect(seen).toEqual(["interrupted", "work left", "closed", "closing left"]);
});

test("work and closing that fail are reported, and the stop goes on", async () => {
  const fails = (words: string) => () => Promise.reject(new Error(words));
  const { stopped, seen } = stopping({ finish: fails("queue"), close: fails("disk") });
  await stopped;
  expect(seen).toEqual(["work left: queue", "closed", "closing left: disk"]);
});
