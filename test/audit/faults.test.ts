import { expect, test } from "vitest";
import { takeCheckpoints } from "../../src/audit/checkpoints.ts";
import { auditEntries } from "../../src/audit/entry.ts";
import { prove } from "../../src/audit/proof.ts";
import { keptApart, passkeyWord } from "../../src/audit/registrations.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { createSigner } from "../../src/process/signer.ts";
import type { Store } from "../../src/storage/store.ts";
import { openMemory } from "../storage/memory.ts";
import { raw } from "../storage/raw.ts";
import { aKey, newKey, recordAt } from "./record.ts";
import { added, entry, passkeyOf } from "./signed.ts";

// Faults of a whole store, beside those that somebody makes by hand in a stored one.

const signer = createSigner({ key: aKey }, "audit record");
const forever = { log: "audit", retentionMs: Number.POSITIVE_INFINITY };
const checkpoints = (store: Store) => store.log("audit-checkpoints", forever);

/** A log of so many checkpoints with one entry each. */
async function openLog(count: number) {
  const { store, clock, log } = await openMemory();
  const record = recordAt(store, clock);
  const take = async () => {
    await record.note("asked");
    await record.checkpoints.take();
  };
  for (let at = 0; at < count; at += 1) await take();
  const append = (data: unknown) => checkpoints(store).append({ at: clock.now(), subjects: [], data });
  const beginAfter = (start: number) => takeCheckpoints({ store, signer, clock, log }, start);
  return { ...record, clock, take, append, beginAfter };
}

test("a store that cannot be read ends the verification with its error, which is no fault of the log", async () => {
  const { store } = await openLog(1);
  const failing: Store = {
    ...store,
    log: (...of) => ({ ...store.log(...of), read: () => Promise.reject(new Error("The disk is gone")) }),
  };
  await expect(verifyAudit({ store: failing, signer }, null)).rejects.toThrow("The disk is gone");
});

test("a log whose checkpoints are all gone misses its first one, or the one after which it begins", async () => {
  const { store, verify, beginAfter } = await openLog(1);
  const last = "0000000000000009";
  await checkpoints(store).cut(last);
  expect(await verify(null)).toMatchObject({ is: "broken", fault: { is: "no checkpoint", number: 1 } });
  const later = await openLog(3);
  await later.beginAfter(2);
  await checkpoints(later.store).cut(last);
  expect(await later.verify(null)).toMatchObject({ is: "broken", fault: { is: "no checkpoint", number: 2 } });
  await beginAfter(1);
  expect(await verify(null)).toMatchObject({ is: "broken", fault: { is: "no checkpoint", number: 1 } });
});

test("a value that is no checkpoint is a missing one, before the first, between two, and after the newest", async () => {
  const first = await openLog(0);
  await first.append({ number: 1 });
  await first.take();
  expect(await first.verify(null)).toMatchObject({ is: "broken", fault: { is: "no checkpoint", number: 1 } });
  const between = await openLog(1);
  await between.append({ number: 2 });
  await between.take();
  expect(await between.verify(null)).toMatchObject({ is: "broken", fault: { is: "no checkpoint", number: 2 } });
  const last = await openLog(2);
  await last.append({ number: 3 });
  expect(await last.verify(null)).toMatchObject({ is: "broken", fault: { is: "no checkpoint", number: 3 } });
});

test("a copy of a checkpoint from before the beginning is passed over before it alone, and a fault among the later ones", async () => {
  const { store, verify, take, append, beginAfter } = await openLog(3);
  await beginAfter(2);
  const [oldest] = await checkpoints(store).read({ after: "", limit: 1 });
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 1 });
  await append(oldest?.data);
  await take();
  expect(await verify(null)).toMatchObject({ is: "broken", fault: { is: "no checkpoint", number: 5 } });
});

test("a log whose entries were all cut off is whole, and has none", async () => {
  const { store, verify, beginAfter } = await openLog(2);
  await beginAfter(2);
  await auditEntries({ store }).cut("0000000000000002");
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 0, loose: 0, newest: { number: 3 } });
});

test("a newest checkpoint that the present key did not sign proves nothing", async () => {
  const { store, clock } = await openLog(2);
  expect(await recordAt(store, clock, { key: newKey }).verify(null)).toMatchObject({
    ...{ is: "broken", fault: { is: "wrong checkpoint", number: 2 } },
  });
});

test("an entry in a form of another version is proven, fixed and counted like the others, and found when it was changed", async () => {
  const { store, clock, verify, checkpoints: taken } = await openLog(1);
  const at = clock.now();
  const append = (data: object) => auditEntries({ store }).append({ at, subjects: [], data });
  const proven = prove(signer, { at, subjects: [], data: { happened: "Rackbell was upgraded" } });
  await append(proven);
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 1, loose: 1 });
  await taken.take();
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 2, loose: 0 });
  await append({ ...prove(signer, { at, subjects: [], data: {} }), happened: "Nothing" });
  expect(await verify(null)).toMatchObject({
    ...{ is: "broken", fault: { is: "changed", place: "3", entry: { content: null } } },
  });
});

test("before the first checkpoint nothing is compared with one that somebody noted", async () => {
  const { verify } = await openLog(0);
  expect(await verify({ number: 1, digest: "x".repeat(22) })).toEqual({ is: "not begun" });
});

test("a newest checkpoint that cannot be read is a fault of its own", async () => {
  const { store, verify } = await openLog(1);
  await store.keyv(raw("audit-head")).set("newest", "unreadable");
  expect(await verify(null)).toMatchObject({ is: "broken", fault: { is: "no head" } });
});

/** A log in which a passkey is registered, and decides something. `write` appends an entry as Rackbell does. */
async function openSigned() {
  const log = await openLog(0);
  const ana = "T1:U1";
  const own = await passkeyOf(ana);
  async function write({ at, entry: content }: ReturnType<typeof entry>): Promise<void> {
    const subjects = content.passkeys ? [`about:${passkeyWord}`] : [];
    const stored = { at, subjects, data: prove(signer, { at, subjects, data: content }) };
    await auditEntries(log).append(stored);
    if (content.passkeys) await log.store.transact({ records: [], log: [keptApart({ ...stored, ...forever })] });
  }
  const decided = entry("approved", ana, { assertion: await own.sign() });
  for (const each of [await added(own, ana), decided]) {
    await write(each);
    await log.checkpoints.take();
  }
  return { ...log, write, decided };
}

test("a decision is proven from the entry that registered its passkey, also where the log begins after that one", async () => {
  const { verify, beginAfter } = await openSigned();
  const assertions = { checked: 2, unsigned: 0 };
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 2, assertions });
  await beginAfter(1);
  expect(await verify(null)).toMatchObject({ is: "whole", fixed: 1, assertions });
});

test("an entry whose passkey did not sign it is a fault, with the reason", async () => {
  const { verify, write, decided } = await openSigned();
  await write(decided);
  expect(await verify(null)).toEqual({
    is: "broken",
    fault: { is: "assertion", why: "another's", place: "3", entry: { at: decided.at, content: decided.entry } },
  });
});
