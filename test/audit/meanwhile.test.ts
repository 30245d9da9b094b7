import { expect, test } from "vitest";
import { cutBeforeStart, takeCheckpoints } from "../../src/audit/checkpoints.ts";
import { type VerifyResult, verifyAudit } from "../../src/audit/verify.ts";
import { createSigner } from "../../src/process/signer.ts";
import type { Store } from "../../src/storage/store.ts";
import { openMemory } from "../storage/memory.ts";
import { aKey, recordAt } from "./record.ts";

/** A record of five checkpoints with one entry each, and its verification, in which something happens after each read of the head. */
async function openRecord() {
  const { store, clock, log } = await openMemory();
  const record = recordAt(store, clock);
  const app = { store, clock, log, signer: createSigner({ key: aKey }, "audit record") };
  for (let at = 0; at < 5; at += 1) {
    await record.note("asked");
    await record.checkpoints.take();
  }
  /** `happens` gets the number of the try. */
  async function verifyWhile(happens: (tries: number) => Promise<void>): Promise<VerifyResult> {
    let tries = 0;
    let wasHead = false;
    const watched: Store = {
      ...store,
      keyv(kind) {
        wasHead ||= kind.namespace === "audit-head";
        return store.keyv(kind);
      },
      log(...of) {
        const entries = store.log(...of);
        return {
          ...entries,
          async read(query) {
            if (wasHead) {
              wasHead = false;
              tries += 1;
              await happens(tries);
            }
            return entries.read(query);
          },
        };
      },
    };
    return verifyAudit({ ...app, store: watched }, null);
  }
  /** Entries up to a checkpoint are too old. */
  async function cut(start: number): Promise<void> {
    await takeCheckpoints(app, start);
    await cutBeforeStart(app);
  }
  return { ...record, app, cut, verifyWhile };
}

test("entries that are cut off during a verification let it start over, up to three times", async () => {
  const once = await openRecord();
  expect(await once.verifyWhile(async (tries) => (tries === 1 ? once.cut(2) : undefined))).toMatchObject({
    ...{ is: "whole", fixed: 3, loose: 0 },
  });
  const twice = await openRecord();
  expect(await twice.verifyWhile(async (tries) => (tries < 3 ? twice.cut(tries + 1) : undefined))).toMatchObject({
    ...{ is: "whole", fixed: 2 },
  });
  const always = await openRecord();
  let tries = 0;
  const cutAgain = (at: number) => {
    tries = at;
    return always.cut(at + 1);
  };
  expect(await always.verifyWhile(cutAgain)).toMatchObject({ is: "broken" });
  expect(tries).toBe(3);
});

test("a fault is found at the first try, where nothing is cut off meanwhile", async () => {
  const { store, cut, verifyWhile } = await openRecord();
  await cut(1);
  await store.log("audit", { retentionMs: 1 }).cut("0000000000000002");
  let tries = 0;
  expect(
    await verifyWhile(async () => {
      tries += 1;
    }),
  ).toMatchObject({ is: "broken", fault: { is: "removed", place: "2", entry: null } });
  expect(tries).toBe(1);
});

test("a checkpoint that another instance takes during a verification is no fault, and its entries count as loose", async () => {
  const { note, checkpoints, verifyWhile } = await openRecord();
  const found = await verifyWhile(async () => {
    await note("approved");
    await checkpoints.take();
    await note("denied");
    await checkpoints.take();
  });
  expect(found).toMatchObject({ is: "whole", fixed: 5, loose: 2, newest: { number: 5 } });
});

test("checkpoints that are older than the beginning, and not deleted yet, are passed over", async () => {
  const { app, verify } = await openRecord();
  await takeCheckpoints(app, 3);
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 2, compared: null, newest: { number: 6 } });
  expect(await verify({ number: 2, digest: "x".repeat(22) })).toMatchObject({ is: "whole", compared: false });
  expect(await verify({ number: 3, digest: "x".repeat(22) })).toMatchObject({
    fault: { is: "not the posted one", number: 3 },
  });
  expect(await verify({ number: 7, digest: "x".repeat(22) })).toMatchObject({
    fault: { is: "not the posted one", number: 7 },
  });
});

test("a record without a checkpoint has not begun, and each of many entries since the last one is counted", async () => {
  const { store, clock } = await openMemory();
  const { audit, note, verify, checkpoints } = recordAt(store, clock);
  expect(await verify(null)).toEqual({ is: "not begun" });
  await note("asked");
  expect(await verify(null)).toEqual({ is: "not begun" });
  const before = clock.now();
  await checkpoints.take();
  const about = { id: null, member: "T1:U1", slackUser: "U1", decidedBy: "U1", keyLabel: "ana", command: "vps cancel" };
  for (let at = 0; at < 501; at += 1) {
    const entry = audit.entryOf({ ...about, target: null, outcome: "" }, { what: "asked" });
    await store.transact({ records: [], log: [entry] });
  }
  const found = await verify(null);
  expect(found).toMatchObject({ is: "whole", fixed: 1, loose: 501, newest: { number: 1 }, compared: null });
  if (found.is !== "whole") throw new Error("It is whole");
  expect(found.since).toBeGreaterThanOrEqual(before);
  expect(found.since).toBeLessThanOrEqual(clock.now());
  expect(found.newest).toEqual({ number: 1, at: found.since, digest: expect.stringMatching(/^[\w-]{43}$/) });
});
