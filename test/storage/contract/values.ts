import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Store, Values } from "../../../src/storage/store.ts";
import { update } from "../../../src/storage/update.ts";
import type { Scene } from "../contract.ts";
import { listed } from "./listed.ts";

export function valuesContract(
  scene: () => Scene,
  kind: string,
  of: (store: Store, namespace: string) => Values,
): void {
  async function values(namespace = "test"): Promise<Values> {
    return of(await scene().open(), namespace);
  }

  describe(kind, () => {
    test.each([[null], [false], [0], [""], [":colon"], [":base64:aGk="], ["\u0000"], [[]], [{ a: [{ b: null }] }]])(
      "%j comes back as it went in",
      async (value) => {
        const kept = await values();
        await kept.set("set", value);
        await kept.claim("claimed", value);
        expect(await kept.replace("replaced", undefined, value)).toBe(true);
        expect(await kept.get("set")).toEqual(value);
        expect(await kept.get("claimed")).toEqual(value);
        expect(await kept.take("replaced")).toEqual(value);
        expect(await kept.take("set")).toEqual(value);
        expect(await listed(kept)).toEqual(new Map([["claimed", value]]));
      },
    );

    test("what is noted is there once that has resolved, and expires like what is set", async () => {
      const kept = await values();
      await kept.note("noted", { a: 1 });
      await kept.note("gone", 1, 0);
      expect(await kept.get("noted")).toEqual({ a: 1 });
      expect(await kept.get("gone")).toBeUndefined();
      await kept.note("noted", 2);
      expect(await kept.get("noted")).toBe(2);
    });

    test("a key that was just made has nothing, and takes what is set like any other", async () => {
      const kept = await values();
      kept.fresh("new");
      expect(await kept.get("new")).toBeUndefined();
      expect(await kept.claim("new", 1)).toBe(true);
      expect(await kept.get("new")).toBe(1);
    });

    test("a value of several megabytes comes back whole", async () => {
      const kept = await values();
      const machines = Array.from({ length: 20_000 }, (_, index) => ({ id: index, name: "machine ✓".repeat(20) }));
      await kept.set("directory", machines);
      expect(await kept.get("directory")).toEqual(machines);
    });

    test.each([[undefined], [() => 1], [1n]])("what JSON cannot say is refused: %s", async (value) => {
      const kept = await values();
      await expect(kept.set("key", value)).rejects.toThrow(TypeError);
      await expect(kept.claim("key", value)).rejects.toThrow(TypeError);
      await expect(kept.replace("key", undefined, value)).rejects.toThrow(TypeError);
      expect(await kept.get("key")).toBeUndefined();
    });

    test("a key that is broken text is refused, since two of them could become one", async () => {
      const kept = await values();
      await expect(kept.set("\ud800", 1)).rejects.toThrow(TypeError);
      await expect(kept.claim("\udfff", 1)).rejects.toThrow(TypeError);
      await expect(kept.get("\ud800")).rejects.toThrow(TypeError);
    });

    test("one namespace never sees into another", async () => {
      const store = await scene().open();
      await of(store, "a:b").set("c", 1);
      await of(store, "a").set("b:c", 2);
      await of(store, "A").set("b:c", 3);
      await of(store, "a").set("a:c", 4);
      await of(store, "a").set("c", 5);
      expect(await listed(of(store, "a:b"))).toEqual(new Map([["c", 1]]));
      expect(await of(store, "a").get("b:c")).toBe(2);
      expect(await of(store, "a").get("a:c")).toBe(4);
      expect(await of(store, "a").get("c")).toBe(5);
    });

    test("a time to live of nothing leaves nothing, and one that is no number is refused", async () => {
      const kept = await values();
      await kept.set("key", 1);
      await kept.set("key", 2, 0);
      expect(await kept.get("key")).toBeUndefined();
      await kept.set("key", 3, -5);
      expect(await kept.get("key")).toBeUndefined();
      expect(await kept.claim("key", 4, 0)).toBe(true);
      expect(await kept.claim("key", 5)).toBe(true);
      expect(await kept.claim("key", 6, 0)).toBe(false);
      await expect(kept.set("key", 6, Number.NaN)).rejects.toThrow(RangeError);
      await expect(kept.claim("other", 6, Number.POSITIVE_INFINITY)).rejects.toThrow(RangeError);
      expect(await kept.get("key")).toBe(5);
    });

    test("what stays is listed whole beyond a page, also while other things go", async () => {
      const kept = await values();
      const keys = Array.from({ length: 450 }, (_, index) => `key ${index}`);
      await Promise.all(keys.map((key) => kept.set(key, key)));
      const seen = new Set<string>();
      let after: string | undefined;
      do {
        const page = await kept.scan({ after, limit: 50 });
        for (const [key] of page.entries) {
          seen.add(key);
          await kept.delete(key);
        }
        after = page.next;
      } while (after !== undefined);
      expect([...seen].sort()).toEqual(keys.sort());
      expect(await listed(kept)).toEqual(new Map());
    });

    test("a prefix is taken literally", async () => {
      const kept = await values();
      for (const key of ["a%", "a%b", "ab", "a_", "a*", "A%", "a", "ä%", "[a]", ""]) await kept.set(key, key);
      expect([...(await listed(kept, "a%")).keys()].sort()).toEqual(["a%", "a%b"]);
      expect([...(await listed(kept, "a*")).keys()].sort()).toEqual(["a*"]);
      expect([...(await listed(kept, "[a]")).keys()].sort()).toEqual(["[a]"]);
      expect(await listed(kept, "zz")).toEqual(new Map());
      expect((await listed(kept)).size).toBe(10);
    });
  });

  describe(`replacing one of the ${kind}`, () => {
    test("succeeds for whoever says what is there, and changes nothing for whoever does not", async () => {
      const kept = await values();
      await kept.set("key", { a: 1, b: [null] });
      expect(await kept.replace("key", { a: 2 }, "new")).toBe(false);
      expect(await kept.replace("key", undefined, "new")).toBe(false);
      expect(await kept.replace("key", { a: 1, b: [null] }, "new")).toBe(true);
      expect(await kept.get("key")).toBe("new");
      expect(await kept.replace("absent", "new", "newer")).toBe(false);
      expect(await kept.get("absent")).toBeUndefined();
    });

    test("knows any value again that was read back, however it was written", async () => {
      const kept = await values();
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (value, next) => {
          await kept.set("key", value);
          expect(await kept.replace("key", await kept.get("key"), next)).toBe(true);
          expect(await kept.get("key")).toEqual(JSON.parse(JSON.stringify(next)));
        }),
        { numRuns: 60 },
      );
    });

    test("with no time to live deletes it, if it is still the same", async () => {
      const kept = await values();
      await kept.set("key", "mine");
      expect(await kept.replace("key", "another's", "x", 0)).toBe(false);
      expect(await kept.get("key")).toBe("mine");
      expect(await kept.replace("key", "mine", "x", 0)).toBe(true);
      expect(await kept.get("key")).toBeUndefined();
      expect(await kept.replace("key", undefined, "x", 0)).toBe(true);
      expect(await kept.get("key")).toBeUndefined();
    });

    test("is how an update loses nobody's change", async () => {
      const kept = await values();
      const add = (value: unknown): unknown => (typeof value === "number" ? value + 1 : 1);
      await Promise.all(Array.from({ length: 30 }, () => update(kept, "count", add)));
      expect(await kept.get("count")).toBe(30);
    });
  });
}
