import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { keepRetention } from "../../src/audit/retention.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { handleLanes } from "../../src/storage/timer.ts";
import { recordAt } from "./record.ts";

const day = 24 * 60 * 60_000;
const log = pino({ level: "silent" });

async function open({ sent = null }: { sent?: string | null } = {}) {
  const clock = createSandboxClock();
  const store = await openStore({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => store.close());
  const record = recordAt(store, clock);
  const retention = keepRetention({
    store,
    checkpoints: record.checkpoints,
    retentionMs: 90 * day,
    delivered: async () => sent,
    clock,
  });
  handleLanes(store.wakeups, retention.timers);
  await store.wakeups.start();
  return { clock, ...record, retention };
}

test("what is too old is cut off at a checkpoint, and what is left is whole and verifiable", async () => {
  const { clock, store, note, checkpoints, verify, retention } = await open();
  await retention.start();
  for (const what of ["asked", "approved", "done"] as const) {
    await note(what);
    await checkpoints.take();
    clock.skip(40 * day);
  }
  const entries = store.log("audit", { retentionMs: 1 });
  /** The hours go on, in each of which it is looked. */
  async function left(): Promise<number> {
    clock.skip(3_600_000);
    return (await entries.read()).length;
  }
  await expect.poll(left).toBe(2);
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 2, loose: 0 });
  expect(await verify({ number: 1, digest: "x".repeat(22) })).toMatchObject({ is: "broken" });

  clock.skip(40 * day);
  await expect.poll(left).toBe(1);
  await expect.poll(() => verify(null)).toMatchObject({ is: "whole", fixed: 1 });
  expect(await verify({ number: 1, digest: "x".repeat(22) })).toMatchObject({ is: "whole", compared: false });

  clock.skip(200 * day);
  await expect.poll(left).toBe(0);
  await note("asked");
  await checkpoints.take();
  await expect.poll(() => verify(null)).toMatchObject({ is: "whole", fixed: 1, loose: 0 });
});

test("what is still to be delivered outlives its time, however old it is", async () => {
  const { clock, store, note, checkpoints, verify, retention } = await open({ sent: "0000000000000001" });
  await retention.start();
  for (const what of ["asked", "approved"] as const) {
    await note(what);
    await checkpoints.take();
  }
  const entries = store.log("audit", { retentionMs: 1 });
  clock.skip(400 * day);
  await expect
    .poll(async () => {
      clock.skip(3_600_000);
      return (await entries.read()).length;
    })
    .toBe(1);
  clock.skip(3_600_000);
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 1 });
});
