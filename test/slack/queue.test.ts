import { expect, test } from "vitest";
import { createWork } from "../../src/slack/queue.ts";

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test("past its bound, work is refused at once, and there is room again when some has ended", async () => {
  const work = createWork({ running: 1, waiting: 1 });
  const first = gate();
  expect(work.admit(() => first.opened)).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(work.admit(async () => {})).toBe(true);
  expect(work.admit(async () => {})).toBe(false);
  first.open();
  await work.drained();
  expect(work.admit(async () => {})).toBe(true);
  await work.drained();
});

test("nothing runs before the turn in which it was taken ends, so that an acknowledgement leaves first", async () => {
  const work = createWork();
  const order: string[] = [];
  work.admit(async () => {
    order.push("work");
  });
  order.push("acknowledged");
  await work.drained();
  expect(order).toEqual(["acknowledged", "work"]);
});

test("draining waits for all that was taken, however it ends", async () => {
  const work = createWork({ running: 2, waiting: 10 });
  const done: number[] = [];
  for (const number of [1, 2, 3, 4, 5]) {
    work.admit(async () => {
      done.push(number);
    });
  }
  await work.drained();
  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(work.depth()).toBe(0);
});
