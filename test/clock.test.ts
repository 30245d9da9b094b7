import { expect, test } from "vitest";
import { systemClock } from "../src/clock.ts";
import { createSandboxClock } from "../src/sandbox/clock.ts";

const month = 30 * 24 * 60 * 60_000;

test.each([
  ["the machine's clock", systemClock],
  ["the sandbox's clock", createSandboxClock()],
])("a wait of a month by %s is not over at once", async (_, clock) => {
  let over = false;
  const cancel = clock.after(month, () => {
    over = true;
  });
  await new Promise((resolve) => systemClock.after(30, () => resolve(null)));
  expect(over).toBe(false);
  cancel();
});

test("time that is skipped runs what falls due in its order, and nothing else", () => {
  const clock = createSandboxClock();
  const ran: string[] = [];
  clock.after(2_000, () => ran.push("second"));
  clock.after(1_000, () => ran.push("first"));
  const cancel = clock.after(1_500, () => ran.push("called off"));
  clock.after(month, () => ran.push("next month"));
  cancel();
  clock.skip(5_000);
  expect(ran).toEqual(["first", "second"]);
  clock.skip(month);
  expect(ran).toEqual(["first", "second", "next month"]);
});

test("a time of day that is set back or forward changes no wait and no duration", () => {
  const clock = createSandboxClock(Date.UTC(2026, 10, 20));
  const ran: string[] = [];
  clock.after(1_000, () => ran.push("waited"));
  const began = clock.monotonic();
  clock.adjust(-60 * 60_000);
  clock.skip(1_000);
  expect(ran).toEqual(["waited"]);
  expect(clock.monotonic() - began).toBeGreaterThanOrEqual(1_000);
  expect(clock.now()).toBeLessThan(Date.UTC(2026, 10, 20));
});
