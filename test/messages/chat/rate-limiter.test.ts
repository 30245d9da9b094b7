import { expect, test } from "vitest";
import { createRateLimiter } from "../../../src/messages/chat/rate-limiter.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { RunLost } from "../../../src/storage/errors.ts";
import { pacesFor } from "./callers.ts";

const timers = { prove: async () => {} };

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function world() {
  const clock = createSandboxClock();
  const stopping = new AbortController();
  const lost = new Set<string>();
  const paces = pacesFor(clock, async ({ run, id }) => {
    if (lost.has(run)) throw new RunLost(id);
  });
  const pace = createRateLimiter({ paces, timers, clock, stopping: stopping.signal });
  const done: string[] = [];
  const work = (name: string) => async () => {
    done.push(name);
    return name;
  };
  return { clock, paces, pace, lost, done, work, stopping };
}

test("a short burst goes at once, then about one a second, and nothing is lost", async () => {
  const { clock, pace, done, work } = world();
  for (let at = 0; at < 6; at += 1) void pace.schedule("C1", { priority: "answer" }, work(String(at)));
  await settle();
  expect(done).toEqual(["0", "1", "2"]);
  for (let second = 0; second < 3; second += 1) {
    clock.skip(1_000);
    await settle();
  }
  expect(done).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(pace.backlog()).toEqual({ waiting: 0, since: null });
});

test("answers go before endings, those before alerts, and those before progress", async () => {
  const { clock, pace, done, work } = world();
  for (let at = 0; at < 3; at += 1) void pace.schedule("C1", { priority: "answer" }, work("burst"));
  void pace.schedule("C1", { priority: "progress" }, work("progress"));
  void pace.schedule("C1", { priority: "alert" }, work("alert"));
  void pace.schedule("C1", { priority: "ending" }, work("ending"));
  void pace.schedule("C1", { priority: "answer" }, work("answer"));
  await settle();
  for (let second = 0; second < 4; second += 1) {
    clock.skip(1_000);
    await settle();
  }
  expect(done.slice(3)).toEqual(["answer", "ending", "alert", "progress"]);
});

test("of edits that wait for one message only the newest is made; one channel does not wait for another", async () => {
  const { clock, pace, done, work } = world();
  for (let at = 0; at < 3; at += 1) void pace.schedule("C1", { priority: "answer" }, work("burst"));
  const first = pace.schedule("C1", { priority: "progress", key: "C1:1" }, work("old"));
  const second = pace.schedule("C1", { priority: "ending", key: "C1:1" }, work("new"));
  void pace.schedule("C2", { priority: "progress" }, work("elsewhere"));
  await settle();
  expect(done.toSorted()).toEqual(["burst", "burst", "burst", "elsewhere"]);
  expect(await first).toBeUndefined();
  clock.skip(1_000);
  expect(await second).toBe("new");
});

test("a failure is its own caller's alone", async () => {
  const { pace, done, work } = world();
  const failed = pace.schedule("C1", { priority: "answer" }, () => Promise.reject(new Error("no")));
  const fine = pace.schedule("C1", { priority: "answer" }, work("fine"));
  await expect(failed).rejects.toThrow("no");
  await fine;
  expect(done).toEqual(["fine"]);
});

test("a clock that is set back an hour silences no channel", async () => {
  const { clock, pace, done, work } = world();
  for (let at = 0; at < 3; at += 1) void pace.schedule("C1", { priority: "answer" }, work(String(at)));
  await settle();
  clock.adjust(-60 * 60_000);
  void pace.schedule("C1", { priority: "answer" }, work("after"));
  await settle();
  clock.skip(1_000);
  await settle();
  expect(done).toEqual(["0", "1", "2", "after"]);
});

test("a clock that is set forward an hour does not let a channel overrun Slack's pace", async () => {
  const { clock, pace, done, work } = world();
  for (let at = 0; at < 6; at += 1) void pace.schedule("C1", { priority: "answer" }, work(String(at)));
  await settle();
  clock.adjust(60 * 60_000);
  clock.skip(1_000);
  await settle();
  expect(done).toEqual(["0", "1", "2", "3"]);
});

test("when the app stops, what waits is refused at once, what runs ends, and nothing new is taken", async () => {
  const { pace, done, work, stopping } = world();
  const going = Promise.withResolvers<string>();
  const running = pace.schedule("C1", { priority: "answer" }, () => going.promise);
  const behind = pace.schedule("C1", { priority: "answer" }, work("behind"));
  for (let at = 0; at < 3; at += 1) void pace.schedule("C2", { priority: "answer" }, work("burst"));
  const outOfPace = pace.schedule("C2", { priority: "answer" }, work("out of pace"));
  await settle();
  stopping.abort(new Error("stopping"));
  await expect(behind).rejects.toThrow("stopping");
  await expect(outOfPace).rejects.toThrow("stopping");
  await expect(pace.schedule("C3", { priority: "answer" }, work("new"))).rejects.toThrow("stopping");
  going.resolve("ran");
  expect(await running).toBe("ran");
  expect(done).toEqual(["burst", "burst", "burst"]);
  expect(pace.backlog()).toEqual({ waiting: 0, since: null });
});

test("two instances keep to the pace together, and both get their turns", async () => {
  const { clock, done, work, paces } = world();
  const stopping = new AbortController().signal;
  const both = [1, 2].map(() => createRateLimiter({ paces, timers, clock, stopping }));
  for (const [which, pace] of both.entries()) {
    for (let at = 0; at < 3; at += 1) void pace.schedule("C1", { priority: "answer" }, work(`${which} ${at}`));
  }
  await settle();
  expect(done).toHaveLength(3);
  for (let second = 1; second <= 3; second += 1) {
    clock.skip(1_000);
    await settle();
    expect(done).toHaveLength(3 + second);
  }
  expect(done.toSorted()).toEqual(["0 0", "0 1", "0 2", "1 0", "1 1", "1 2"]);
});

test("while nobody knows how far the others are, it goes on at one a second", async () => {
  const { clock, done, work } = world();
  const paces = { take: () => Promise.reject(new Error("the store is away")) };
  const pace = createRateLimiter({ paces, timers, clock, stopping: new AbortController().signal });
  for (let at = 0; at < 3; at += 1) void pace.schedule("C1", { priority: "answer" }, work(String(at)));
  await settle();
  for (let second = 1; second <= 3; second += 1) {
    clock.skip(1_000);
    await settle();
    expect(done).toHaveLength(second);
  }
});

test("a call of a run that another instance has taken over is refused, and uses up no turn", async () => {
  const { clock, pace, lost, done, work } = world();
  const run = { lane: "notify:", id: "alert:1", run: "1", repeats: false };
  for (let at = 0; at < 3; at += 1) void pace.schedule("C1", { priority: "answer", run }, work(String(at)));
  const waiting = pace.schedule("C1", { priority: "answer", run }, work("lost"));
  const behind = pace.schedule("C1", { priority: "alert" }, work("behind"));
  await settle();
  lost.add(run.run);
  clock.skip(1_000);
  await expect(waiting).rejects.toThrow(RunLost);
  await behind;
  expect(done).toEqual(["0", "1", "2", "behind"]);
});

test("while nobody knows how far the others are, what is to be proved is not done", async () => {
  const { clock, done, work } = world();
  const paces = { take: () => Promise.reject(new Error("the store is away")) };
  const pace = createRateLimiter({ paces, timers, clock, stopping: new AbortController().signal });
  const run = { lane: "notify:", id: "alert:1", run: "1", repeats: false };
  await expect(pace.schedule("C1", { priority: "answer", run }, work("unproved"))).rejects.toThrow("away");
  expect(done).toEqual([]);
});
