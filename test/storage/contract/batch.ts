import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { createRecords } from "../../../src/storage/records.ts";
import type { Store, Transaction } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { openNotebook, patience } from "./notebook.ts";

const retentionMs = 30 * 24 * 3_600_000;

export function batchContract(scene: () => Scene): void {
  const now = (): number => scene().now();

  /** A request's next state, with all that may go with it. */
  function batch(expected: unknown, value: unknown, more: Partial<Transaction["record"]> = {}): Transaction {
    return {
      record: { namespace: "requests", key: "r", expected, value, ...more },
      append: [
        { log: "audit", retentionMs, at: now(), subjects: ["member:a", "request:r"], data: value },
        { log: "other", retentionMs, at: now(), subjects: [], data: value },
      ],
      index: [
        { name: "open", member: `r ${String(value)}`, score: 5 },
        { name: "open", member: `r ${String(expected)}`, score: null },
      ],
      wake: [{ id: `note:${String(value)}`, at: now() }],
    };
  }

  async function told(store: Store): Promise<unknown> {
    const audit = await store.log("audit", { retentionMs }).read({ subjects: ["request:r"] });
    const other = await store.log("other", { retentionMs }).read();
    const { entries } = await store.index("open").range();
    return {
      record: await store.values("requests").get("r"),
      audit: audit.map(({ data }) => data),
      other: other.map(({ data }) => data),
      open: entries.map(({ member }) => member),
    };
  }

  describe("a batch", () => {
    test("is written whole where the record is what was read", async () => {
      const { store, ran } = await openNotebook(scene());
      expect(await store.commit(batch(undefined, "one"))).toBe(true);
      expect(await told(store)).toEqual({ record: "one", audit: ["one"], other: ["one"], open: ["r one"] });
      expect(await store.commit(batch("one", "two"))).toBe(true);
      const two = { record: "two", audit: ["two", "one"], other: ["two", "one"], open: ["r two"] };
      expect(await told(store)).toEqual(two);
      await vi.waitFor(() => expect(ran.toSorted()).toEqual(["note:one", "note:two"]), patience);
    });

    test("goes on from a record that was kept before a field of it was known, once that was read", async () => {
      const { store } = await openNotebook(scene());
      const schema = z.object({ v: z.literal(1), added: z.string().default("none"), title: z.string() });
      const log = pino({ level: "silent" });
      const kind = { name: "request", schema, version: 1, log };
      const records = createRecords(store.values("requests"), kind);
      await store.values("requests").set("r", { v: 1, title: "one" });
      const read = await records.get("r");
      expect(read).toEqual({ v: 1, added: "none", title: "one" });
      expect(await store.commit(batch(read, "two"))).toBe(true);
      expect(await store.commit(batch(read, "three"))).toBe(false);
    });

    test("changes nothing where it is not", async () => {
      const { store } = await openNotebook(scene());
      await store.commit(batch(undefined, "one"));
      const before = await told(store);
      for (const expected of [undefined, "two", null]) {
        expect(await store.commit(batch(expected, "three"))).toBe(false);
        expect(await told(store)).toEqual(before);
      }
      expect(await store.commit({ record: { namespace: "requests", key: "none", expected: "x", value: 1 } })).toBe(
        false,
      );
      expect(await store.values("requests").get("none")).toBeUndefined();
    });

    test("gives its record a time to live, and with none deletes it", async () => {
      const { unitMs } = scene().facts;
      const store = await scene().open();
      await store.commit(batch(undefined, "one", { ttlMs: unitMs }));
      await scene().pass(2 * unitMs);
      expect(await store.values("requests").get("r")).toBeUndefined();
      expect(await store.commit(batch(undefined, "two"))).toBe(true);
      expect(await store.commit(batch("two", "gone", { ttlMs: 0 }))).toBe(true);
      expect(await told(store)).toMatchObject({ record: undefined, audit: ["gone", "two", "one"] });
    });

    test("that asks for a wake-up during its run has it run again", async () => {
      const { wakeups, store } = { ...(await openNotebook(scene())) };
      const gate = Promise.withResolvers<void>();
      let runs = 0;
      wakeups.handle("job:", async () => {
        runs += 1;
        await gate.promise;
      });
      await wakeups.wake("job:a", now());
      await vi.waitFor(() => expect(runs).toBe(1), patience);
      await store.commit({ ...batch(undefined, "one"), wake: [{ id: "job:a", at: now() }] });
      gate.resolve();
      await vi.waitFor(() => expect(runs).toBe(2), patience);
    });

    test("of many at once in two openings, one is written, and nothing of the others", async () => {
      const stores = [await scene().open(), await scene().open()] as const;
      await stores[0].values("requests").set("r", "old");
      const written = await Promise.all(
        Array.from({ length: 60 }, (_, turn) => stores[turn % 2 === 0 ? 0 : 1].commit(batch("old", `turn ${turn}`))),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
      const winner = `turn ${written.indexOf(true)}`;
      for (const store of stores) {
        expect(await told(store)).toEqual({ record: winner, audit: [winner], other: [winner], open: [`r ${winner}`] });
      }
    });

    test("with anything in it that cannot be kept is refused, and nothing of it is kept", async () => {
      const store = await scene().open();
      const whole = batch(undefined, "one");
      const broken: Transaction[] = [
        batch(undefined, undefined),
        batch(undefined, "one", { key: "\ud800" }),
        batch(undefined, "one", { ttlMs: Number.NaN }),
        { ...whole, index: [{ name: "open", member: "m", score: Number.NaN }] },
        { ...whole, append: [{ log: "audit", retentionMs, at: now(), subjects: ["\udfff"], data: 1 }] },
        { ...whole, wake: [{ id: "no lane", at: now() }] },
        { ...whole, wake: [{ id: "note:a", at: Number.NaN }] },
      ];
      for (const bad of broken) await expect(store.commit(bad), JSON.stringify(bad)).rejects.toThrow();
      expect(await told(store)).toEqual({ record: undefined, audit: [], other: [], open: [] });
    });
  });
}
