import { describe, expect, test, vi } from "vitest";
import { creating, deleting, replacing } from "../../../src/storage/record.ts";
import type { Store, Transaction } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { raw } from "../raw.ts";
import { openNotebook, patience } from "./notebook.ts";

const retentionMs = 30 * 24 * 3_600_000;
const requests = raw("requests");
const others = raw("others");

export function transactContract(scene: () => Scene): void {
  const now = (): number => scene().now();

  /** A request's next state, with all that may go with it. `before`: undefined for none. */
  function step(before: unknown, value: unknown, ttlMs?: number): Transaction {
    const was = before === undefined ? undefined : JSON.stringify(before);
    return {
      records: [replacing({ kind: requests, key: "r", was }, value, ttlMs)],
      log: [
        { log: "audit", retentionMs, at: now(), subjects: ["member:a", "request:r"], data: value },
        { log: "other", retentionMs, at: now(), subjects: [], data: value },
      ],
      index: [
        { name: "open", member: `r ${String(value)}`, score: 5 },
        { name: "open", member: `r ${String(before)}`, score: null },
      ],
      timers: [{ id: `note:${String(value)}`, at: now() }],
    };
  }

  async function contentOf(store: Store): Promise<unknown> {
    const audit = await store.log("audit", { retentionMs }).read({ subjects: ["request:r"] });
    const other = await store.log("other", { retentionMs }).read();
    const { entries } = await store.index("open").range();
    return {
      record: await store.keyv(requests).get("r"),
      audit: audit.map(({ data }) => data),
      other: other.map(({ data }) => data),
      open: entries.map(({ member }) => member),
    };
  }

  describe("a transaction", () => {
    test("is written whole where the record is what was read", async () => {
      const { store, ran } = await openNotebook(scene());
      expect(await store.transact(step(undefined, "one"))).toBe(true);
      expect(await contentOf(store)).toEqual({ record: "one", audit: ["one"], other: ["one"], open: ["r one"] });
      expect(await store.transact(step("one", "two"))).toBe(true);
      const two = { record: "two", audit: ["two", "one"], other: ["two", "one"], open: ["r two"] };
      expect(await contentOf(store)).toEqual(two);
      await vi.waitFor(() => expect(ran.toSorted()).toEqual(["note:one", "note:two"]), patience);
    });

    test("changes nothing where it is not", async () => {
      const { store } = await openNotebook(scene());
      await store.transact(step(undefined, "one"));
      const before = await contentOf(store);
      for (const expected of [undefined, "two", null]) {
        expect(await store.transact(step(expected, "three"))).toBe(false);
        expect(await contentOf(store)).toEqual(before);
      }
      const absent = { kind: requests, key: "none", was: '"x"' };
      expect(await store.transact({ records: [replacing(absent, 1)] })).toBe(false);
      expect(await store.transact({ records: [deleting(absent)] })).toBe(false);
      expect(await store.keyv(requests).get("none")).toBeUndefined();
    });

    test("of several records writes all of them, or none where one has changed", async () => {
      const { store } = await openNotebook(scene());
      const [first, second] = [store.keyv(requests), store.keyv(others)];
      const both = [creating(requests, "a", 1), creating(others, "a", 1)];
      expect(await store.transact({ records: both })).toBe(true);
      expect([await first.get("a"), await second.get("a")]).toEqual([1, 1]);
      const [one, other] = [await store.read(requests, "a"), await store.read(others, "a")];
      await second.set("a", 2);
      const log = [{ log: "audit", retentionMs, at: now(), subjects: [], data: 1 }];
      expect(await store.transact({ records: [replacing(one, 9), deleting(other)], log })).toBe(false);
      expect([await first.get("a"), await second.get("a")]).toEqual([1, 2]);
      expect(await store.log("audit", { retentionMs }).read()).toEqual([]);
      expect(await store.transact({ records: [replacing(one, 9), deleting(await store.read(others, "a"))] })).toBe(
        true,
      );
      expect([await first.get("a"), await second.get("a")]).toEqual([9, undefined]);
    });

    test("without a record is written in any case", async () => {
      const { store, ran } = await openNotebook(scene());
      const { records: _, ...rest } = step(undefined, "one");
      expect(await store.transact({ records: [], ...rest })).toBe(true);
      expect(await contentOf(store)).toEqual({ record: undefined, audit: ["one"], other: ["one"], open: ["r one"] });
      await vi.waitFor(() => expect(ran).toEqual(["note:one"]), patience);
    });

    test("gives its record a time to live, and with none deletes it", async () => {
      const { unitMs } = scene().facts;
      const store = await scene().open();
      await store.transact(step(undefined, "one", unitMs));
      await scene().pass(2 * unitMs);
      expect(await store.keyv(requests).get("r")).toBeUndefined();
      expect(await store.transact(step(undefined, "two"))).toBe(true);
      expect(await store.transact(step("two", "gone", 0))).toBe(true);
      expect(await contentOf(store)).toMatchObject({ record: undefined, audit: ["gone", "two", "one"] });
    });

    test("that sets a timer during its run has it run again", async () => {
      const { timers, store } = { ...(await openNotebook(scene())) };
      const gate = Promise.withResolvers<void>();
      let runs = 0;
      timers.handle("job:", async () => {
        runs += 1;
        await gate.promise;
      });
      await timers.set("job:a", now());
      await vi.waitFor(() => expect(runs).toBe(1), patience);
      await store.transact({ ...step(undefined, "one"), timers: [{ id: "job:a", at: now() }] });
      gate.resolve();
      await vi.waitFor(() => expect(runs).toBe(2), patience);
    });

    test("of many at once in two openings, one is written, and nothing of the others", async () => {
      const stores = await scene().openTwo();
      await stores[0].keyv(requests).set("r", "old");
      const written = await Promise.all(
        Array.from({ length: 60 }, (_, turn) => stores[turn % 2 === 0 ? 0 : 1].transact(step("old", `turn ${turn}`))),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
      const winner = `turn ${written.indexOf(true)}`;
      for (const store of stores) {
        expect(await contentOf(store)).toEqual({
          record: winner,
          audit: [winner],
          other: [winner],
          open: [`r ${winner}`],
        });
      }
    });

    test("with anything in it that cannot be kept is refused, and nothing of it is kept", async () => {
      const store = await scene().open();
      const whole = step(undefined, "one");
      const marks = raw("marks", "memory");
      const broken: (() => Transaction)[] = [
        () => step(undefined, undefined),
        () => step(undefined, "one", Number.NaN),
        () => ({ ...whole, records: [...whole.records, creating(requests, "\ud800", "one")] }),
        () => ({ ...whole, records: [...whole.records, creating(marks, "mark", "one")] }),
        () => ({ ...whole, index: [{ name: "open", member: "m", score: Number.NaN }] }),
        () => ({ ...whole, log: [{ log: "audit", retentionMs, at: now(), subjects: ["\udfff"], data: 1 }] }),
        () => ({ ...whole, timers: [{ id: "no lane", at: now() }] }),
        () => ({ ...whole, timers: [{ id: "note:a", at: Number.NaN }] }),
      ];
      for (const bad of broken) await expect((async () => store.transact(bad()))(), String(bad)).rejects.toThrow();
      expect(await contentOf(store)).toEqual({ record: undefined, audit: [], other: [], open: [] });
    });
  });
}
