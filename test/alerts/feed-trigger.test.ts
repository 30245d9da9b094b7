import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createFeedTrigger } from "../../src/alerts/feed.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

/** `timerRequests`: the timers that were requested; the test resolves or rejects each of them. */
function arrivals() {
  const clock = createSandboxClock();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const timerRequests: PromiseWithResolvers<void>[] = [];
  const timers = {
    set(): Promise<void> {
      const one = Promise.withResolvers<void>();
      timerRequests.push(one);
      return one.promise;
    },
  };
  return { arrived: createFeedTrigger(timers, { clock, log }), timerRequests, clock, lines };
}

test("an event has the feed look at once, and all that come within a moment of it have it look once more", async () => {
  const { arrived, timerRequests, clock } = arrivals();
  arrived();
  expect(timerRequests).toHaveLength(1);
  for (let count = 0; count < 100; count += 1) arrived();
  timerRequests[0]?.resolve();
  await wait(20);
  expect(timerRequests).toHaveLength(1);
  clock.skip(1_000);
  await expect.poll(() => timerRequests).toHaveLength(2);
  timerRequests[1]?.resolve();
  await wait(20);
  clock.skip(1_000);
  await wait(20);
  expect(timerRequests).toHaveLength(2);
});

test("a feed that could not be triggered is logged, and the next event triggers it again", async () => {
  const { arrived, timerRequests, lines } = arrivals();
  arrived();
  timerRequests[0]?.reject(new Error("the disk failed"));
  await expect.poll(() => lines.join("")).toContain("not handled yet");
  arrived();
  expect(timerRequests).toHaveLength(2);
});
