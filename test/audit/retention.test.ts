import { pino } from "pino";
import { expect, test } from "vitest";
import * as z from "zod";
import { newestEntries } from "../../src/audit/audit.ts";
import { exportedText, sealForExport } from "../../src/audit/export.ts";
import { checkExported } from "../../src/audit/exported.ts";
import { isWritten, withoutReason } from "../../src/audit/proof.ts";
import { keptApart, passkeyWord, registrationsBefore } from "../../src/audit/registrations.ts";
import { auditTimers } from "../../src/audit/timers.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { createSigner } from "../../src/process/signer.ts";
import type { Store } from "../../src/storage/store.ts";
import { handleLanes } from "../../src/storage/timers.ts";
import { openMemory } from "../storage/memory.ts";
import { raw } from "../storage/raw.ts";
import { aKey, newKey, recordAt } from "./record.ts";

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

test("entries about passkeys outlive the log: all are found, oldest first, and prove the rest also when their key is gone", async () => {
  const { clock, store, audit, note, checkpoints } = await open();
  const member = "T1:U1";
  const credentials = Array.from({ length: 450 }, (_, at) => `c${at}`);
  for (const credential of credentials) {
    const about = { id: null, command: "rackbell passkeys", target: null, decidedBy: "U1", keyLabel: "ana" };
    const entry = audit.entryOf(
      { ...about, member, slackUser: "U1", outcome: "" },
      { what: "passkey removed", made: [passkeyWord], passkeys: [{ is: "removed", member, credential }] },
    );
    await store.transact({ records: [], log: [entry, keptApart(entry)] });
  }
  await checkpoints.take();
  clock.skip(100 * day);
  await note("asked");
  await checkpoints.take();
  const entries = store.log("audit", { retentionMs: 1 });
  await expect
    .poll(async () => {
      clock.skip(3_600_000);
      return (await entries.read()).length;
    })
    .toBe(1);
  const [first] = await entries.read();
  const found = await registrationsBefore({ store }, first?.id ?? "");
  expect(found.map(({ data }) => JSON.stringify(data).match(/"credential":"(c\d+)"/)?.[1])).toEqual(credentials);
  await recordAt(store, clock, { key: newKey, previous: aKey }).checkpoints.take();
  expect(await recordAt(store, clock, { key: newKey }).verify(null)).toMatchObject({ is: "whole", fixed: 1 });
});

test("an entry whose reasons are withheld has neither reason, nor the nonce by which they could be guessed", async () => {
  const { audit, store } = await open();
  const agent = { id: "a1", name: "claude", client: null, why: "The disk is full", digest: "d" };
  const about = { id: "r1", command: "vps cancel", target: null, decidedBy: null, keyLabel: "ana", outcome: "" };
  const entry = audit.entryOf(
    { ...about, member: "T1:U1", slackUser: "U1", reason: "Nobody uses it", agent },
    { what: "asked", alone: true },
  );
  await store.transact({ records: [], log: [entry] });
  const [{ data } = { data: null }] = await store.log("audit", { retentionMs: 1 }).read();
  const nonce = z.object({ proof: z.object({ nonce: z.string() }) }).parse(data).proof.nonce;
  for (const secret of [agent.why, "Nobody uses it", nonce]) {
    expect(JSON.stringify(data)).toContain(secret);
    expect(JSON.stringify(withoutReason(data))).not.toContain(secret);
  }
  expect([data, withoutReason(data)].map(isWritten)).toEqual([true, true]);
});

test("an entry that was written after the file was sealed is left to the next file", async () => {
  const { store, note, checkpoints, clock } = await open();
  const app = { store, clock, log: pino({ level: "silent" }), signer: createSigner({ key: aKey }, "audit record") };
  await note("asked");
  await sealForExport(app);
  await note("approved");
  const exported = async () => {
    const found = await newestEntries(app, { limit: 10, begun: true });
    return checkExported(await exportedText(app, found, { filter: null, registrations: true }));
  };
  expect(await exported()).toMatchObject({ is: "fits", entries: 1 });
  await checkpoints.take();
  expect(await exported()).toMatchObject({ is: "fits", entries: 2 });
});
