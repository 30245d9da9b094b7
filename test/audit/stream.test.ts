import { expect, test } from "vitest";
import { lastDelivered } from "../../src/audit/stream.ts";
import { auditTimers, startAudit } from "../../src/audit/timers.ts";
import { createSigner } from "../../src/process/signer.ts";
import { handleLanes } from "../../src/storage/timers.ts";
import { openMemory } from "../storage/memory.ts";
import { raw } from "../storage/raw.ts";
import { aKey, recordAt } from "./record.ts";

test("an instance that stood still while another one sent the entries does not take the stream back to where it was", async () => {
  const { store, clock, log } = await openMemory();
  for (const what of ["asked", "approved", "done"] as const) await recordAt(store, clock).note(what);
  const [last] = await store.log("audit", { retentionMs: Number.POSITIVE_INFINITY }).read({ limit: 1 });
  const ahead = { after: last?.id, failures: 0, failing: null };
  const sent: string[] = [];
  const app = {
    store,
    clock,
    log,
    signer: createSigner({ key: aKey }, "audit record"),
    auditRetentionMs: 1e12,
    async deliverEntry(id: string) {
      sent.push(id);
      // The other instance has sent all of them meanwhile.
      await store.keyv(raw("audit-stream")).set("cursor", ahead);
    },
  };
  handleLanes(store.timers, auditTimers(app));
  await store.timers.start();
  startAudit(app);
  await expect.poll(() => sent).toHaveLength(1);
  await store.timers.stop();
  expect(await lastDelivered(app)).toBe(last?.id);
  expect(sent).toHaveLength(1);
});
