import { describe, expect, test, vi } from "vitest";
import type { Store } from "../../../src/storage/store.ts";
import { update } from "../../../src/storage/update.ts";
import { kindsOfValues, type Scene } from "../contract.ts";
import { patience } from "./notebook.ts";

/** Races between two openings of one store, as between two processes. */
export function racesContract(scene: () => Scene): void {
  const now = (): number => scene().now();

  async function openTwo(): Promise<[Store, Store]> {
    return [await scene().open(), await scene().open()];
  }

  /** `act` a hundred times, by turns in the one and in the other. */
  function race<T>(stores: [Store, Store], act: (store: Store, turn: number) => Promise<T>): Promise<T[]> {
    return Promise.all(
      Array.from({ length: 50 }).flatMap((_, pair) => stores.map((store, which) => act(store, 2 * pair + which))),
    );
  }

  describe.each(kindsOfValues)("two openings of one store: %s", (_, of) => {
    test("of many who claim at once, one gets it, and the other opening sees it", async () => {
      const stores = await openTwo();
      const claims = await race(stores, (store, turn) => of(store, "test").claim("key", turn));
      expect(claims.filter(Boolean)).toHaveLength(1);
      for (const store of stores) expect(await of(store, "test").get("key")).toBe(claims.indexOf(true));
    });

    test("of many who take at once, one gets it", async () => {
      const stores = await openTwo();
      await of(stores[0], "test").set("key", "it");
      const taken = await race(stores, (store) => of(store, "test").take("key"));
      expect(taken.filter((value) => value !== undefined)).toEqual(["it"]);
      for (const store of stores) expect(await of(store, "test").get("key")).toBeUndefined();
    });

    test("of many who replace the same, one does", async () => {
      const stores = await openTwo();
      await of(stores[1], "test").set("key", "old");
      const replaced = await race(stores, (store, turn) => of(store, "test").replace("key", "old", turn));
      expect(replaced.filter(Boolean)).toHaveLength(1);
      expect(await of(stores[0], "test").get("key")).toBe(replaced.indexOf(true));
    });

    test("no update undoes another", async () => {
      const [one, other] = await openTwo();
      const add = (value: unknown): unknown => (typeof value === "number" ? value + 1 : 1);
      const both = [one, other].map((store) =>
        Promise.all(Array.from({ length: 15 }, () => update(of(store, "test"), "count", add))),
      );
      await Promise.all(both);
      expect(await of(one, "test").get("count")).toBe(30);
    });
  });

  describe("two openings of one store", () => {
    test("know of each other that they live, until one has gone", async () => {
      const [one, other] = await openTwo();
      expect(one.instance).not.toBe(other.instance);
      expect([await one.alive(other.instance), await other.alive(one.instance)]).toEqual([true, true]);
      await other.close();
      expect(await one.alive(other.instance)).toBe(false);
      expect(await one.alive(one.instance)).toBe(true);
      await one.values("still").set("open", true);
    });

    test("keep one of many equal entries that arrive at once, and give each other entry an id of its own", async () => {
      const stores = await openTwo();
      const log = (store: Store) => store.log("events", { retentionMs: 3_600_000 });
      const entry = (data: unknown) => ({ at: now(), subjects: [], data });
      const kept = await race(stores, (store, turn) => log(store).append(entry(turn), [`delivery:${turn}`, "digest"]));
      expect(kept.filter((id) => id !== null)).toHaveLength(1);
      const ids = await race(stores, (store, turn) => log(store).append(entry(turn), [`another:${turn}`]));
      expect(new Set(ids).size).toBe(100);
      expect(await log(stores[0]).read({ limit: 200 })).toHaveLength(101);
      expect(await log(stores[1]).uniqueKnown("digest")).toBe(true);
    });

    test("see each other's members of an index", async () => {
      const stores = await openTwo();
      await race(stores, (store, turn) => store.index("open").put(`m${turn}`, turn));
      await race(stores, (store, turn) =>
        turn % 2 === 0 ? store.index("open").remove(`m${turn}`) : Promise.resolve(),
      );
      for (const store of stores) expect(await store.index("open").size()).toBe(50);
    });

    test("give a lock to one of many who ask at once, and each next holder a higher fence", async () => {
      const stores = await openTwo();
      const fences: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const asked = await race(stores, (store, turn) => store.locks.lock("thing", turn, 60_000));
        const got = asked.flatMap((outcome, turn) => ("fence" in outcome ? [{ turn, fence: outcome.fence }] : []));
        const [winner] = got;
        expect(got).toHaveLength(1);
        const told = asked.flatMap((outcome) => ("holder" in outcome ? [outcome.holder] : []));
        expect(new Set(told)).toEqual(new Set([winner?.turn]));
        fences.push(winner?.fence ?? 0);
        // Any opening may unlock with the fence: it proves the lock.
        expect(await stores[round % 2 === 0 ? 0 : 1].locks.unlock("thing", winner?.fence ?? 0)).toBe(true);
      }
      expect(fences.toSorted((a, b) => a - b)).toEqual(fences);
      expect(new Set(fences).size).toBe(5);
    });

    test("run each wake-up once between them, whichever asked for it, and never one twice at once", async () => {
      const stores = await openTwo();
      const ran: string[] = [];
      const inside = new Set<string>();
      let beside = false;
      for (const store of stores) {
        store.wakeups.handle(
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
        await store.wakeups.start();
      }
      await race(stores, (store, turn) => store.wakeups.wake(`job:${turn}`, now()));
      await vi.waitFor(() => expect(ran).toHaveLength(100), patience);
      for (const store of stores) await store.wakeups.stop();
      expect(new Set(ran).size).toBe(100);
      expect(ran).toHaveLength(100);
      expect(beside).toBe(false);
    });

    test("asked for in one while the other runs it, it runs again", async () => {
      const [one, other] = await openTwo();
      const gate = Promise.withResolvers<void>();
      let runs = 0;
      one.wakeups.handle("job:", async () => {
        runs += 1;
        await gate.promise;
      });
      await one.wakeups.start();
      await other.wakeups.wake("job:a", now());
      await vi.waitFor(() => expect(runs).toBe(1), patience);
      await other.wakeups.wake("job:a", now());
      gate.resolve();
      await vi.waitFor(() => expect(runs).toBe(2), patience);
    });

    test("a change of what a wake-up reads, written as its run begins, is read by a run of it in the end", async () => {
      const stores = await openTwo();
      const retentionMs = 3_600_000;
      const read = new Map<string, unknown>();
      for (const store of stores) {
        store.wakeups.handle("job:", async (id) => {
          const [newest] = await store.log("events", { retentionMs }).read({ subjects: [id], limit: 1 });
          read.set(id, newest?.data);
        });
        await store.wakeups.start();
      }
      async function write(store: Store, id: string, value: number): Promise<void> {
        const record = { namespace: "jobs", key: id, expected: value === 1 ? undefined : value - 1, value };
        const append = [{ log: "events", retentionMs, at: now(), subjects: [id], data: value }];
        expect(await store.commit({ record, append, wake: [{ id, at: now() }] })).toBe(true);
      }
      for (let last = 5; last <= 25; last += 5) {
        await race(stores, async (store, turn) => {
          // The run that each of them wakes begins at about the moment at which the next one is written.
          for (let value = last - 4; value <= last; value += 1) await write(store, `job:${turn}`, value);
        });
        await vi.waitFor(() => expect([...read.values()]).toEqual(Array.from({ length: 100 }, () => last)), patience);
      }
      for (const store of stores) await store.wakeups.stop();
    });
  });
}
