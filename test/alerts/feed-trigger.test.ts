import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createFeedTrigger } from "../../src/alerts/feed.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

/** `asked`: the timers that were requested; the test resolves or rejects each of them. */
function arrivals() {
  const clock = createSandboxClock();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const asked: PromiseWithResolvers<void>[] = [];
  const timers = {
    set(): Promise<void> {
      const one = Promise.withResolvers<void>();
      asked.push(one);
      return one.promise;
    },
  };
  return { arrived: createFeedTrigger(timers, { clock, log }), asked, clock, lines };
}

test("an event has the feed look at once, and all that come within a moment of it have it look once more", async () => {
  const { arrived, asked, clock } = arrivals();
  arrived();
  expect(asked).toHaveLength(1);
  for (let count = 0; count < 100; count += 1) arrived();
  asked[0]?.resolve();
  await wait(20);
  expect(asked).toHaveLength(1);
  clock.skip(1_000);
  await expect.poll(() => asked).toHaveLength(2);
  asked[1]?.resolve();
  await wait(20);
  clock.skip(1_000);
  await wait(20);
  expect(asked).toHaveLength(2);
});

test("a feed that could not be triggered is logged, and the next event triggers it again", async () => {
  const { arrived, asked, lines } = arrivals();
  arrived();
  asked[0]?.reject(new Error("the disk failed"));
  await expect.poll(() => lines.join("")).toContain("not handled yet");
  arrived();
  expect(asked).toHaveLength(2);
});
