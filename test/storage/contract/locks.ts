import { describe, expect, test } from "vitest";
import type { Locks } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";

export function locksContract(scene: () => Scene): void {
  async function locks(): Promise<Locks> {
    return (await scene().open()).locks;
  }

  describe("a lock", () => {
    test("is one caller's until it is unlocked; the others get its holder", async () => {
      const { lock, unlock } = await locks();
      const fence = await fenceOf(lock("thing", { who: "ana" }, 100 * scene().facts.unitMs));
      expect(await lock("thing", { who: "ben" }, 1_000)).toEqual({ holder: { who: "ana" } });
      expect(await lock("another thing", null, 1_000)).toEqual({ fence: expect.any(Number) });
      expect(await unlock("thing", fence)).toBe(true);
      expect(await unlock("thing", fence)).toBe(false);
      expect(await fenceOf(lock("thing", { who: "ben" }, 1_000))).not.toBe(fence);
    });

    test("ends after its time, and its former holder can then not unlock the next one's", async () => {
      const { unitMs } = scene().facts;
      const { lock, unlock } = await locks();
      const first = await fenceOf(lock("thing", "ana", unitMs));
      await scene().pass(2 * unitMs);
      const second = await fenceOf(lock("thing", "ben", 100 * unitMs));
      expect(second).not.toBe(first);
      expect(await unlock("thing", first)).toBe(false);
      expect(await lock("thing", "cem", 1_000)).toEqual({ holder: "ben" });
    });

    test("needs a time", async () => {
      const { lock } = await locks();
      for (const ttlMs of [Number.NaN, Number.POSITIVE_INFINITY])
        await expect(lock("thing", "ana", ttlMs)).rejects.toThrow(RangeError);
      expect(await lock("thing", "ben", 1_000)).toEqual({ fence: expect.any(Number) });
    });

    test("does not outlive the opening that took it, and the next one has another fence", async () => {
      const first = await scene().open();
      const before = await fenceOf(first.locks.lock("thing", "ana", 100 * scene().facts.unitMs));
      await first.close();
      const after = await fenceOf((await locks()).lock("thing", "ben", 1_000));
      expect(after).not.toBe(before);
    });
  });
}

export async function fenceOf(attempt: ReturnType<Locks["lock"]>): Promise<number> {
  const outcome = await attempt;
  if (!("fence" in outcome)) throw new Error(`Somebody else has it: ${JSON.stringify(outcome.holder)}`);
  return outcome.fence;
}
