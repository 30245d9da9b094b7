import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Store, Values } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { listed } from "./listed.ts";

export function expiryContract(
  scene: () => Scene,
  kind: string,
  of: (store: Store, namespace: string) => Values,
): void {
  async function values(): Promise<Values> {
    return of(await scene().open(), "test");
  }

  describe(`${kind} that expire`, () => {
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

    test("are absent for whoever replaces them, and what replaces them has its own time", async () => {
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
