import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { createQueue } from "../../src/slack/queue.ts";

test("past its bound, work is refused at once, and there is room again when some has ended", async () => {
  const work = createQueue({ running: 1, waiting: 1 });
  const first = Promise.withResolvers<void>();
  expect(work.tryEnqueue(() => first.promise)).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(work.tryEnqueue(async () => {})).toBe(true);
  expect(work.tryEnqueue(async () => {})).toBe(false);
  first.resolve();
  await work.onIdle();
  expect(work.tryEnqueue(async () => {})).toBe(true);
  await work.onIdle();
});

test("nothing runs before the turn in which it was taken ends, so that an acknowledgement leaves first", async () => {
  const work = createQueue();
  const order: string[] = [];
  work.tryEnqueue(async () => {
    order.push("work");
  });
  order.push("acknowledged");
  await work.onIdle();
  expect(order).toEqual(["acknowledged", "work"]);
});

test("a task that lets out an error is reported, and the next one runs", async () => {
  const faults: unknown[] = [];
  const work = createQueue({ running: 1, waiting: 10 }, undefined, (error) => void faults.push(error));
  const fault = new Error("The task is broken");
  const done: string[] = [];
  work.tryEnqueue(async () => {
    throw fault;
  });
  work.tryEnqueue(async () => void done.push("next"));
  await work.onIdle();
  expect({ faults, done }).toEqual({ faults: [fault], done: ["next"] });
});

test("draining waits for all that was taken, however it ends", async () => {
  const work = createQueue({ running: 2, waiting: 10 });
  const done: number[] = [];
  for (const number of [1, 2, 3, 4, 5]) {
    work.tryEnqueue(async () => {
      done.push(number);
    });
  }
  await work.onIdle();
  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(work.backlog()).toEqual({ waiting: 0, since: null });
});

test("a task that waited works on the act that queued it, and not on the act of the task before", async () => {
  const act = new AsyncLocalStorage<string>();
  const work = createQueue({ running: 1, waiting: 10 });
  const worked: (string | undefined)[] = [];
  for (const name of ["first", "second"])
    act.run(name, () => work.tryEnqueue(async () => void worked.push(act.getStore())));
  await work.onIdle();
  expect(worked).toEqual(["first", "second"]);
});
