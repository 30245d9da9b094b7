import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";

export function pacesContract(scene: () => Scene): void {
  /** Long against what the calls themselves take. */
  const every = (): number => 4 * scene().facts.unitMs;

  /** How long each of so many has to wait, by turns in each opening. */
  async function take(stores: Store[], count: number, name = "channel"): Promise<number[]> {
    const waits: number[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      const store = stores[turn % stores.length];
      waits.push((await store?.paces.take(name, { burst: 3, everyMs: every() })) ?? Number.NaN);
    }
    return waits;
  }

  describe("a pace", () => {
    test("is kept by all openings together: so many at once, then one after the other", async () => {
      const stores = await scene().openTwo();
      const [first, second, third, fourth = 0, fifth = 0] = await take(stores, 5);
      expect([first, second, third]).toEqual([0, 0, 0]);
      expect(fourth).toBeGreaterThan(0);
      expect(fourth).toBeLessThanOrEqual(every());
      // A caller that must wait has taken no turn.
      expect(fifth).toBeLessThanOrEqual(fourth);
      await scene().pass(fourth);
      const [next, another] = await take(stores, 2);
      expect(next).toBe(0);
      expect(another).toBeGreaterThan(0);
    });

    test("has its burst back once nothing was asked for long enough, and no more than that", async () => {
      const stores = [await scene().open()];
      await take(stores, 3);
      await scene().pass(4 * every());
      const waits = await take(stores, 4);
      expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
      expect(waits[3]).toBeGreaterThan(0);
    });

    test("of one name is nothing to another", async () => {
      const stores = [await scene().open()];
      await take(stores, 4);
      expect(await take(stores, 3, "another")).toEqual([0, 0, 0]);
    });
  });
}
