import { expect, test } from "vitest";
import { newestEntries } from "../../src/audit/audit.ts";
import { openMemory } from "../storage/memory.ts";
import { recordAt } from "./record.ts";

const minute = 60_000;

test("a span of time has each of its entries, over several pages and from two instances whose clocks are minutes apart", async () => {
  const { store, clock } = await openMemory();
  const behind = { ...clock, now: () => clock.now() - 9 * minute };
  const instances = [clock, behind].map((own) => recordAt(store, own));
  for (let count = 0; count < 225; count += 1)
    for (const { note } of instances) {
      await note("asked");
      clock.skip(10_000);
    }
  // The oldest entry of the first page is then one of the instance behind.
  await instances[0]?.note("asked");
  const all = await newestEntries({ store }, { limit: 1_000 });
  expect(all).toHaveLength(451);
  const end = clock.now();
  for (const [from, to] of [
    [end - 70 * minute, null],
    [end - 38 * minute, null],
    [end - 12 * minute, null],
    [end - 50 * minute, end - 20 * minute],
    [null, end - 60 * minute],
  ] as const) {
    const found = await newestEntries({ store }, { from, to, limit: 1_000 });
    expect(found).toEqual(all.filter(({ at }) => (from === null || at >= from) && (to === null || at <= to)));
    expect(found.length).toBeGreaterThan(20);
  }
});

test("the newest entries are found with a read of no more than are asked for, where nothing sorts them out", async () => {
  const { store, clock } = await openMemory();
  const { note } = recordAt(store, clock);
  for (let count = 0; count < 20; count += 1) await note("asked");
  const limits: (number | undefined)[] = [];
  const counting: typeof store = {
    ...store,
    log(...args) {
      const log = store.log(...args);
      return {
        ...log,
        read(query) {
          limits.push(query?.limit);
          return log.read(query);
        },
      };
    },
  };
  expect(await newestEntries({ store: counting }, { limit: 5, begun: true })).toHaveLength(5);
  expect(limits).toEqual([5]);
});
