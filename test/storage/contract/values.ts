import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Values } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { listed } from "./listed.ts";

// Both below and above the hour at which expired values are swept.
const minute = 60_000;
const hour = 60 * minute;

export function valuesContract(scene: () => Scene): void {
  async function values(namespace = "test"): Promise<Values> {
    return (await scene().open()).values(namespace);
  }

  describe("values", () => {
    test("behave as a map whose entries expire, whatever is done in whatever order", async () => {
      const store = await scene().open();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          run += 1;
          await compare(store.values(`run ${run}`), scene(), steps);
        }),
        { numRuns: 60 },
      );
    });

    test.each([[null], [false], [0], [""], [":colon"], [":base64:aGk="], ["\u0000"], [[]], [{ a: [{ b: null }] }]])(
      "%j comes back as it went in",
      async (value) => {
        const kept = await values();
        await kept.set("set", value);
        await kept.claim("claimed", value);
        expect(await kept.get("set")).toEqual(value);
        expect(await kept.get("claimed")).toEqual(value);
        expect(await kept.take("set")).toEqual(value);
        expect(await listed(kept.entries())).toEqual([["claimed", value]]);
      },
    );

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
      await store.values("a:b").set("c", 1);
      await store.values("a").set("b:c", 2);
      await store.values("A").set("b:c", 3);
      await store.values("a").set("a:c", 4);
      await store.values("a").set("c", 5);
      expect(await listed(store.values("a:b").entries())).toEqual([["c", 1]]);
      expect(await store.values("a").get("b:c")).toBe(2);
      expect(await store.values("a").get("a:c")).toBe(4);
      expect(await store.values("a").get("c")).toBe(5);
    });

    test("of many who claim at once, one gets it", async () => {
      const kept = await values();
      const claims = await Promise.all(Array.from({ length: 100 }, (_, index) => kept.claim("key", index)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await kept.get("key")).toBe(claims.indexOf(true));
    });

    test("of many who take at once, one gets it", async () => {
      const kept = await values();
      await kept.set("key", "it");
      const taken = await Promise.all(Array.from({ length: 100 }, () => kept.take("key")));
      expect(taken.filter((value) => value !== undefined)).toEqual(["it"]);
      expect(await kept.get("key")).toBeUndefined();
    });

    test("of many who claim what has expired, one gets it, and a value without an end is never given away", async () => {
      const kept = await values();
      await kept.set("ends", "old", minute);
      await kept.set("stays", "old");
      scene().clock.skip(minute);
      const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => kept.claim("ends", index)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await kept.claim("stays", "new")).toBe(false);
      expect(await kept.get("stays")).toBe("old");
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
      await expect(kept.set("key", 6, Number.NaN)).rejects.toThrow(RangeError);
      await expect(kept.claim("other", 6, Number.POSITIVE_INFINITY)).rejects.toThrow(RangeError);
      expect(await kept.get("key")).toBe(5);
    });

    test("an expired value stays gone when the hourly sweep has passed, and the others stay", async () => {
      const kept = await values();
      await kept.set("ends", 1, hour);
      await kept.set("later", 2, 100 * hour);
      await kept.set("stays", 3);
      scene().clock.skip(50 * hour);
      expect(await kept.take("ends")).toBeUndefined();
      expect((await listed(kept.entries())).sort()).toEqual([
        ["later", 2],
        ["stays", 3],
      ]);
    });

    test("entries are listed whole beyond a page, and may be deleted meanwhile", async () => {
      const kept = await values();
      const keys = Array.from({ length: 450 }, (_, index) => `key ${index}`);
      await Promise.all(keys.map((key) => kept.set(key, key)));
      const seen: string[] = [];
      for await (const [key] of kept.entries()) {
        seen.push(key);
        await kept.delete(key);
      }
      expect(seen.sort()).toEqual(keys.sort());
      expect(await listed(kept.entries())).toEqual([]);
    });

    test("a prefix is taken literally", async () => {
      const kept = await values();
      for (const key of ["a%", "a%b", "ab", "a_", "A%", "a", "ä%", ""]) await kept.set(key, key);
      expect((await listed(kept.entries("a%"))).map(([key]) => key).sort()).toEqual(["a%", "a%b"]);
      expect(await listed(kept.entries("zz"))).toEqual([]);
      expect(await listed(kept.entries())).toHaveLength(8);
    });
  });
}

const key = fc.constantFrom("", "a", "a:", "a:b", "a\u0000b", "__proto__", "ü", "😀", "a%");
const ttl = fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined });
const step = fc.oneof(
  fc.record({ act: fc.constantFrom("set", "claim"), key, value: fc.jsonValue(), ttl }),
  fc.record({ act: fc.constantFrom("get", "take", "delete", "list"), key }),
  fc.record({ act: fc.constant("skip"), minutes: fc.integer({ min: 1, max: 70 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Whole minutes only, so that the real time which passes during a test decides nothing. */
async function compare(kept: Values, { clock }: Scene, steps: Step[]): Promise<void> {
  const model = new Map<string, { value: unknown; until: number }>();
  let passed = 0;
  const alive = (name: string): { value: unknown } | undefined => {
    const found = model.get(name);
    return found !== undefined && found.until > passed ? found : undefined;
  };
  for (const step of steps) {
    if ("minutes" in step) {
      passed += step.minutes;
      clock.skip(step.minutes * minute);
    } else if ("value" in step) {
      const ttlMs = step.ttl === undefined ? undefined : step.ttl * minute;
      const entry = {
        value: JSON.parse(JSON.stringify(step.value)),
        until: passed + (step.ttl ?? Number.POSITIVE_INFINITY),
      };
      if (step.act === "set") {
        await kept.set(step.key, step.value, ttlMs);
        model.set(step.key, entry);
      } else {
        const free = alive(step.key) === undefined;
        expect(await kept.claim(step.key, step.value, ttlMs)).toBe(free);
        if (free) model.set(step.key, entry);
      }
    } else if (step.act === "list") {
      const found = new Map(await listed(kept.entries(step.key)));
      const wanted = [...model.keys()].filter((name) => name.startsWith(step.key) && alive(name) !== undefined);
      expect([...found.keys()].sort()).toEqual(wanted.sort());
      for (const name of wanted) expect(found.get(name)).toEqual(alive(name)?.value);
    } else {
      const wanted = alive(step.key)?.value;
      if (step.act === "get") expect(await kept.get(step.key)).toEqual(wanted);
      if (step.act === "take") expect(await kept.take(step.key)).toEqual(wanted);
      if (step.act === "delete") await kept.delete(step.key);
      if (step.act !== "get") model.delete(step.key);
    }
  }
}
