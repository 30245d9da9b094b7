import { expect, test } from "vitest";
import { repeat, systemClock } from "../../src/process/clock.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

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

test("repeated work goes on after a failure, waits from each end, and is stopped in the middle", async () => {
  const clock = createSandboxClock();
  const errors: unknown[] = [];
  let gate = Promise.withResolvers<void>();
  let runs = 0;
  let isWanted = (): boolean => false;
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = repeat(
    clock,
    1_000,
    async (goesOn) => {
      runs += 1;
      isWanted = goesOn;
      await gate.promise;
    },
    (error) => errors.push(error),
  );
  clock.skip(5_000);
  expect(runs).toBe(1);
  gate.reject("first");
  gate = Promise.withResolvers();
  await settled();
  expect(errors).toEqual(["first"]);
  clock.skip(1_000);
  expect({ runs, goesOn: isWanted() }).toEqual({ runs: 2, goesOn: true });
  end();
  expect(isWanted()).toBe(false);
  gate.reject("second");
  await settled();
  clock.skip(5_000);
  expect({ runs, errors }).toEqual({ runs: 2, errors: ["first"] });
});
