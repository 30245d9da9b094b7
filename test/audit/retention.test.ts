import { expect, test } from "vitest";
import { auditTimers } from "../../src/audit/timers.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { createSigner } from "../../src/storage/signer.ts";
import type { Store } from "../../src/storage/store.ts";
import { handleLanes } from "../../src/storage/timer.ts";
import { openMemory } from "../storage/memory.ts";
import { raw } from "../storage/raw.ts";
import { aKey, recordAt } from "./record.ts";

const lane = "audit-cut:";
const day = 24 * 60 * 60_000;

async function open({ sent = null }: { sent?: string | null } = {}) {
  const { store, clock, log } = await openMemory();
  const record = recordAt(store, clock);
  if (sent !== null) await store.keyv(raw("audit-stream")).set("cursor", { after: sent, failures: 0, failing: null });
  const { [lane]: cut } = auditTimers({
    store,
    clock,
    log,
    signer: createSigner({ key: aKey }, "audit record"),
    auditRetentionMs: 90 * day,
    deliverEntry: sent === null ? null : async () => {},
  });
  if (!cut) throw new Error("No timer cuts");
  handleLanes(store.timers, { [lane]: cut });
  await store.timers.start();
  await store.timers.set(`${lane}hour`, clock.now());
  return { clock, ...record };
}

test("audit entries past their time are cut off at a checkpoint, and the rest is whole and verifiable", async () => {
  const { clock, store, note, checkpoints, verify } = await open();
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

test("an audit entry that is still to be delivered is kept past its time, however old it is", async () => {
  const { clock, store, note, checkpoints, verify } = await open({ sent: "0000000000000001" });
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

test("a verification during which old entries are cut off starts over, and finds the rest whole", async () => {
  const { clock, store, note, checkpoints } = await open();
  await note("asked");
  await checkpoints.take();
  clock.skip(40 * day);
  await note("approved");
  await checkpoints.take();
  const entries = store.log("audit", { retentionMs: 1 });
  let isCut = false;
  /** After the verification has read the head, and before it reads the rest. */
  async function cut(): Promise<void> {
    if (isCut) return;
    isCut = true;
    clock.skip(60 * day);
    await expect
      .poll(async () => {
        clock.skip(3_600_000);
        return (await entries.read()).length;
      })
      .toBe(1);
  }
  const meanwhile: Store = {
    ...store,
    log(...of) {
      const log = store.log(...of);
      return {
        ...log,
        async read(query) {
          await cut();
          return log.read(query);
        },
      };
    },
  };
  const signer = createSigner({ key: aKey }, "audit record");
  expect(await verifyAudit({ store: meanwhile, signer }, null)).toMatchObject({ is: "whole", fixed: 1 });
});
