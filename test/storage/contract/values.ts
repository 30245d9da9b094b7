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
    test("behave as a map whose entries expire, whatever is done in whatever order", async () => {
      const store = await scene().open();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          run += 1;
          await compare(of(store, `run ${run}`), scene(), steps);
        }),
        { numRuns: scene().facts.skipsTime ? 60 : 3 },
      );
    });

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

    test("of many who claim what has expired, one gets it, and a value without an end is never given away", async () => {
      const kept = await values();
      await kept.set("ends", "old", scene().facts.unitMs);
      await kept.set("stays", "old");
      await scene().pass(2 * scene().facts.unitMs);
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

    test("takes what has expired as absent, and gives the new value its own time", async () => {
      const { unitMs } = scene().facts;
      const kept = await values();
      await kept.set("ends", "old", unitMs);
      await kept.set("lives", "old", 2 * unitMs);
      expect(await kept.replace("lives", "old", "for good")).toBe(true);
      expect(await kept.replace("lives", "for good", "for a while", 4 * unitMs)).toBe(true);
      await scene().pass(2.5 * unitMs);
      expect(await kept.get("lives")).toBe("for a while");
      expect(await kept.replace("ends", "old", "new")).toBe(false);
      expect(await kept.replace("ends", "old", "new", 0)).toBe(false);
      expect(await kept.replace("ends", undefined, "new")).toBe(true);
      await scene().pass(2.5 * unitMs);
      expect(await kept.get("lives")).toBeUndefined();
      expect(await kept.get("ends")).toBe("new");
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

const key = fc.constantFrom("", "a", "a:", "a:b", "a\u0000b", "__proto__", "ü", "😀", "a%");
/** In half units, while time passes in whole ones: what the calls themselves take decides nothing. */
const ttl = fc.option(
  fc.integer({ min: 0, max: 3 }).map((whole) => whole + 0.5),
  { nil: undefined },
);
const step = fc.oneof(
  fc.record({ act: fc.constantFrom("set", "claim"), key, value: fc.jsonValue(), ttl }),
  fc.record({ act: fc.constant("replace"), key, value: fc.jsonValue(), ttl, right: fc.boolean() }),
  fc.record({ act: fc.constantFrom("get", "take", "delete", "list"), key }),
  fc.record({ act: fc.constant("pass"), units: fc.integer({ min: 1, max: 3 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function compare(kept: Values, scene: Scene, steps: Step[]): Promise<void> {
  const { unitMs } = scene.facts;
  const model = new Map<string, { value: unknown; until: number }>();
  let passed = 0;
  const alive = (name: string): { value: unknown } | undefined => {
    const found = model.get(name);
    return found !== undefined && found.until > passed ? found : undefined;
  };
  for (const step of steps) {
    if ("units" in step) {
      passed += step.units;
      await scene.pass(step.units * unitMs);
    } else if ("value" in step) {
      const ttlMs = step.ttl === undefined ? undefined : step.ttl * unitMs;
      const value: unknown = JSON.parse(JSON.stringify(step.value));
      const before = alive(step.key);
      const written = await write(kept, step, ttlMs, before?.value);
      const due = step.act === "set" || (step.act === "claim" ? before === undefined : "right" in step && step.right);
      expect(written).toBe(due);
      if (due) model.set(step.key, { value, until: passed + (step.ttl ?? Number.POSITIVE_INFINITY) });
    } else if (step.act === "list") {
      const found = await listed(kept, step.key);
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

async function write(
  kept: Values,
  step: Extract<Step, { value: unknown }>,
  ttlMs: number | undefined,
  before: unknown,
): Promise<boolean> {
  if (step.act === "claim") return kept.claim(step.key, step.value, ttlMs);
  if ("right" in step) return kept.replace(step.key, step.right ? before : ["not this"], step.value, ttlMs);
  await kept.set(step.key, step.value, ttlMs);
  return true;
}
