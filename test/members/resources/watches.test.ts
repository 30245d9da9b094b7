import { expect, test } from "vitest";
import { advanceWatch, readWatches } from "../../../src/alerts/watches/watch.ts";
import { startWatch } from "../../../src/alerts/watches/watches.ts";
import { ResellerLink } from "../../../src/members/identities/link.ts";
import { openMemory } from "../../storage/memory.ts";

const day = 24 * 60 * 60_000;
const member = "T1:U1";

/** A resource that a member watches; `during` runs while it is read. */
async function watched() {
  const app = await openMemory();
  const entry = { id: "1", name: "web-1", aliases: [], state: "running", project: "", detail: "" };
  const link = ResellerLink.parse({
    ...{ member, slackUser: "U1", keyId: "k", keyLabel: "ana", api: "reseller", scopes: ["read"], bound: null },
    ...{ rejectedAt: null, linkedAt: 0, checkedAt: 0 },
  });
  const actor = { member, slackUser: "U1", keyLabel: "ana", project: null };
  const operation = { command: "reseller service show" } as const;

  const start = (days: number, during: () => Promise<unknown> = async () => {}) =>
    startWatch(
      app,
      {
        id: "1",
        bound: {
          ...{ link, actor, operation, usage: async () => null },
          async look() {
            await during();
            return entry;
          },
        },
      },
      { days, threshold: null },
    );
  return { ...app, start };
}

test("a watch that is pressed again while a poll stores its step lasts as long as asked, and keeps the poll's result", async () => {
  const { start, store, clock } = await watched();
  await start(1);
  await start(7, async () => {
    const [watch] = await readWatches({ store }, member);
    if (watch) await advanceWatch({ store, clock }, watch, { misses: 3 }, { lookAt: clock.now(), text: null });
  });
  const watches = await readWatches({ store }, member);
  expect(watches).toHaveLength(1);
  expect(watches[0]?.misses).toBe(3);
  expect((watches[0]?.endsAt ?? 0) - clock.now()).toBeGreaterThan(6 * day);
});

test("a watch that has expired leaves no entry in the member's list", async () => {
  const { start, store, clock } = await watched();
  await start(1);
  clock.skip(9 * day);
  expect(await readWatches({ store }, member)).toEqual([]);
  expect(await store.index(`watches-of:${member}`).size()).toBe(0);
});
