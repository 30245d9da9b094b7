import { describe, expect, test, vi } from "vitest";
import { creating, deleting, replacing } from "../../../src/storage/record.ts";
import type { Store } from "../../../src/storage/store.ts";
import { update } from "../../../src/storage/update.ts";
import type { Scene } from "../contract.ts";
import { place, raw } from "../raw.ts";
import { patience } from "./notebook.ts";

/** Races between two openings of one store, as between two processes. */
export function racesContract(scene: () => Scene): void {
  const now = (): number => scene().now();

  /** `act` a hundred times, by turns in the one and in the other. */
  function race<T>(stores: [Store, Store], act: (store: Store, turn: number) => Promise<T>): Promise<T[]> {
    return Promise.all(
      Array.from({ length: 50 }).flatMap((_, pair) => stores.map((store, which) => act(store, 2 * pair + which))),
    );
  }

  describe("two openings of one store: records", () => {
    const kind = raw("test");

    test("of many who create at once, one does, and the other opening sees it", async () => {
      const stores = await scene().openTwo();
      const created = await race(stores, (store, turn) => store.transact({ records: [creating(kind, "key", turn)] }));
      expect(created.filter(Boolean)).toHaveLength(1);
      for (const store of stores) expect(await store.keyv(kind).get("key")).toBe(created.indexOf(true));
    });

    test("of many who delete what they read, one does", async () => {
      const stores = await scene().openTwo();
      await stores[0].keyv(kind).set("key", "it");
      const read = await Promise.all(stores.map((store) => store.read(kind, "key")));
      const taken = await race(stores, (store, turn) => {
        const seen = read[turn % 2];
        return store.transact({ records: seen ? [deleting(seen)] : [] });
      });
      expect(taken.filter(Boolean)).toHaveLength(1);
      for (const store of stores) expect(await store.keyv(kind).get("key")).toBeUndefined();
    });

    test("no update undoes another", async () => {
      const [one, other] = await scene().openTwo();
      const add = (value: unknown): unknown => (typeof value === "number" ? value + 1 : 1);
      const both = [one, other].map((store) =>
        Promise.all(Array.from({ length: 15 }, () => update(store, kind, "count", add))),
      );
      await Promise.all(both);
      expect(await one.keyv(kind).get("count")).toBe(30);
    });
  });

  test("a mark in memory that one opening sets is seen by the other", async () => {
    const [one, other] = await scene().openTwo();
    const marks = raw("marks", "memory");
    await one.keyv(marks).set("key", 1);
    expect(await other.keyv(marks).get("key")).toBe(1);
    await other.keyv(marks).delete("key");
    expect(await one.keyv(marks).has("key")).toBe(false);
  });

  describe("two openings of one store", () => {
    test("know of each other that they live, until one has gone", async () => {
      const [one, other] = await scene().openTwo();
      expect(one.instance).not.toBe(other.instance);
      expect([await one.alive(other.instance), await other.alive(one.instance)]).toEqual([true, true]);
      await other.close();
      expect(await one.alive(other.instance)).toBe(false);
      expect(await one.alive(one.instance)).toBe(true);
      await one.keyv(raw("still")).set("open", true);
    });

    test("keep one of many equal entries that arrive at once, and give each other entry an id of its own", async () => {
      const stores = await scene().openTwo();
      const log = (store: Store) => store.log("events", { retentionMs: 3_600_000 });
      const entry = (data: unknown) => ({ at: now(), subjects: [], data });
      const appended = await race(stores, (store, turn) =>
        log(store).append(entry(turn), [`delivery:${turn}`, "digest"]),
      );
      expect(appended.filter((id) => id !== null)).toHaveLength(1);
      const ids = await race(stores, (store, turn) => log(store).append(entry(turn), [`another:${turn}`]));
      expect(new Set(ids).size).toBe(100);
      expect(await log(stores[0]).read({ limit: 200 })).toHaveLength(101);
      expect(await log(stores[1]).append(entry("late"), ["digest"])).toBeNull();
    });

    test("see each other's members of an index", async () => {
      const stores = await scene().openTwo();
      await race(stores, (store, turn) => place(store, "open", `m${turn}`, turn));
      await race(stores, (store, turn) =>
        turn % 2 === 0 ? place(store, "open", `m${turn}`, null) : Promise.resolve(),
      );
      for (const store of stores) expect(await store.index("open").size()).toBe(50);
    });

    test("give a lock to one of many who ask at once, and each next holder a higher fence", async () => {
      const stores = await scene().openTwo();
      const fences: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const outcomes = await race(stores, (store, turn) => store.locks.lock("thing", turn, 60_000));
        const got = outcomes.flatMap((outcome, turn) => ("fence" in outcome ? [{ turn, fence: outcome.fence }] : []));
        const [winner] = got;
        expect(got).toHaveLength(1);
        const holders = outcomes.flatMap((outcome) => ("holder" in outcome ? [outcome.holder] : []));
        expect(new Set(holders)).toEqual(new Set([winner?.turn]));
        fences.push(winner?.fence ?? 0);
        // Any opening may unlock with the fence: it proves the lock.
        expect(await stores[round % 2 === 0 ? 0 : 1].locks.unlock("thing", winner?.fence ?? 0)).toBe(true);
      }
      expect(new Set(fences).size).toBe(5);
    });

    test("run each timer once between them, whichever of them set it, and never one twice at once", async () => {
      const stores = await scene().openTwo();
      const ran: string[] = [];
      const inside = new Set<string>();
      let beside = false;
      for (const store of stores) {
        store.timers.handle(
          "job:",
          async (id) => {
            beside ||= inside.has(id);
            inside.add(id);
            ran.push(id);
            await new Promise((resolve) => setImmediate(resolve));
            inside.delete(id);
          },
          { atOnce: 4 },
        );
        await store.timers.start();
      }
      await race(stores, (store, turn) => store.timers.set(`job:${turn}`, now()));
      await vi.waitFor(() => expect(ran).toHaveLength(100), patience);
      for (const store of stores) await store.timers.stop();
      expect(new Set(ran).size).toBe(100);
      expect(ran).toHaveLength(100);
      expect(beside).toBe(false);
    });

    test("asked for in one while the other runs it, it runs again", async () => {
      const [one, other] = await scene().openTwo();
      const gate = Promise.withResolvers<void>();
      let runs = 0;
      one.timers.handle("job:", async () => {
        runs += 1;
        await gate.promise;
      });
      await one.timers.start();
      await other.timers.set("job:a", now());
      await vi.waitFor(() => expect(runs).toBe(1), patience);
      await other.timers.set("job:a", now());
      gate.resolve();
      await vi.waitFor(() => expect(runs).toBe(2), patience);
    });

    test("a change of the data of a timer, written as its run begins, is read by a run of it in the end", async () => {
      const stores = await scene().openTwo();
      const retentionMs = 3_600_000;
      const read = new Map<string, unknown>();
      for (const store of stores) {
        store.timers.handle("job:", async (id) => {
          const [newest] = await store.log("events", { retentionMs }).read({ subjects: [id], limit: 1 });
          read.set(id, newest?.data);
        });
        await store.timers.start();
      }
      async function write(store: Store, id: string, value: number): Promise<void> {
        const was = value === 1 ? undefined : String(value - 1);
        const records = [replacing({ kind: raw("jobs"), key: id, was }, value)];
        const log = [{ log: "events", retentionMs, at: now(), subjects: [id], data: value }];
        expect(await store.transact({ records, log, timers: [{ id, at: now() }] })).toBe(true);
      }
      for (let last = 5; last <= 25; last += 5) {
        await race(stores, async (store, turn) => {
          // The run that each of them wakes begins at about the moment at which the next one is written.
          for (let value = last - 4; value <= last; value += 1) await write(store, `job:${turn}`, value);
        });
        await vi.waitFor(() => expect([...read.values()]).toEqual(Array.from({ length: 100 }, () => last)), patience);
      }
      for (const store of stores) await store.timers.stop();
    });
  });
}
