import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Kind } from "../../../src/storage/kind.ts";
import { creating, deleting, replacing } from "../../../src/storage/record.ts";
import type { Store } from "../../../src/storage/store.ts";
import { update } from "../../../src/storage/update.ts";
import type { Scene } from "../contract.ts";
import { listed, raw } from "../raw.ts";

export function expiryContract(scene: () => Scene, where: string, lasts: Kind<unknown>["lasts"]): void {
  const kind = raw("test", lasts);

  describe(`records ${where}, and expire`, () => {
    test("behave as a map whose entries expire, whatever is done in whatever order", async () => {
      const store = await scene().open();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          // Once more, in a namespace of its own, where the calls took too long to show what has expired.
          do run += 1;
          while ((await compare(store, raw(`run ${run}`, lasts), scene(), steps)) === "too slow");
        }),
        { numRuns: scene().facts.skipsTime ? 60 : 3 },
      );
    });

    test("expire by the time of their kind, unless they are given another", async () => {
      const { unitMs } = scene().facts;
      const store = await scene().open();
      const values = store.keyv({ ...kind, ttlMs: 2 * unitMs });
      await values.set("usual", 1);
      await values.set("long", 1, 10 * unitMs);
      await values.set("for ever", 1, 0);
      expect(await values.getMany(["usual", "long"])).toEqual([1, 1]);
      await scene().pass(3 * unitMs);
      expect(await values.getMany(["usual", "long", "for ever"])).toEqual([undefined, 1, 1]);
      expect(await values.has("usual")).toBe(false);
      expect([...(await listed(store, kind)).keys()].toSorted()).toEqual(["for ever", "long"]);
    });
  });

  if (lasts === "memory") return;
  describe(`a transaction about records ${where}, and expire`, () => {
    test("of many who create what has expired, one gets it, and a record without an end is never given away", async () => {
      const store = await scene().open();
      const values = store.keyv(kind);
      await values.set("ends", "old", scene().facts.unitMs);
      await values.set("stays", "old");
      await scene().pass(2 * scene().facts.unitMs);
      const create = (key: string, value: unknown) => store.transact({ records: [creating(kind, key, value)] });
      const created = await Promise.all(Array.from({ length: 20 }, (_, index) => create("ends", index)));
      expect(created.filter(Boolean)).toHaveLength(1);
      expect(await create("stays", "new")).toBe(false);
      expect(await values.get("stays")).toBe("old");
    });

    test("finds none where one has expired, and what it writes has its own time", async () => {
      const { unitMs } = scene().facts;
      const store = await scene().open();
      const values = store.keyv(kind);
      const replace = (key: string, was: string | undefined, value: unknown, ttlMs?: number) =>
        store.transact({ records: [replacing({ kind, key, was }, value, ttlMs)] });
      await values.set("ends", "old", unitMs);
      await values.set("lives", "old", 2 * unitMs);
      expect(await replace("lives", '"old"', "for good")).toBe(true);
      expect(await replace("lives", '"for good"', "for a while", 4 * unitMs)).toBe(true);
      await scene().pass(2.5 * unitMs);
      expect(await values.get("lives")).toBe("for a while");
      expect(await replace("ends", '"old"', "new")).toBe(false);
      expect(await replace("ends", '"old"', "new", 0)).toBe(false);
      expect(await replace("ends", undefined, "new")).toBe(true);
      await scene().pass(2.5 * unitMs);
      expect(await values.getMany(["lives", "ends"])).toEqual([undefined, "new"]);
    });

    test("with no time to live deletes its record, if that is still the same", async () => {
      const store = await scene().open();
      const read = { kind, key: "key" };
      await store.keyv(kind).set("key", "mine");
      expect(await store.transact({ records: [replacing({ ...read, was: '"another\'s"' }, "x", 0)] })).toBe(false);
      expect(await store.keyv(kind).get("key")).toBe("mine");
      expect(await store.transact({ records: [replacing({ ...read, was: '"mine"' }, "x", -1)] })).toBe(true);
      expect(await store.keyv(kind).get("key")).toBeUndefined();
      expect(await store.transact({ records: [deleting({ ...read, was: undefined })] })).toBe(true);
      expect(await store.keyv(kind).get("key")).toBeUndefined();
    });

    test("is how an update loses nobody's change", async () => {
      const store = await scene().open();
      const add = (value: unknown): unknown => (typeof value === "number" ? value + 1 : 1);
      await Promise.all(Array.from({ length: 30 }, () => update(store, kind, "count", add)));
      expect(await store.keyv(kind).get("count")).toBe(30);
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
  fc.record({ act: fc.constantFrom("set", "create"), key, value: fc.jsonValue(), ttl }),
  fc.record({ act: fc.constant("replace"), key, value: fc.jsonValue(), ttl, right: fc.boolean() }),
  fc.record({ act: fc.constantFrom("get", "has", "delete", "list"), key }),
  fc.record({ act: fc.constant("pass"), units: fc.integer({ min: 1, max: 3 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/**
 * Compares the store with a map. "too slow": a difference that proves nothing, since on a real clock the calls alone took half a unit, within
 * which a record may expire. Throws on any other difference.
 */
async function compare(
  store: Store,
  kind: Kind<unknown>,
  scene: Scene,
  steps: Step[],
): Promise<"the same" | "too slow"> {
  const { unitMs, skipsTime } = scene.facts;
  const began = performance.now();
  let passed = 0;
  try {
    for await (const units of compared(store, kind, scene, steps)) passed = units;
    return "the same";
  } catch (error) {
    if (skipsTime || performance.now() - began - passed * unitMs < unitMs / 2) throw error;
    return "too slow";
  }
}

/** Takes the steps one by one, and gives the units of time that have passed before each. Throws on a difference. */
async function* compared(store: Store, kind: Kind<unknown>, scene: Scene, steps: Step[]): AsyncGenerator<number> {
  const { unitMs } = scene.facts;
  const values = store.keyv(kind);
  const model = new Map<string, { value: unknown; until: number }>();
  let passed = 0;
  const alive = (name: string): { value: unknown } | undefined => {
    const found = model.get(name);
    return found !== undefined && found.until > passed ? found : undefined;
  };
  for (const step of steps) {
    yield passed;
    if ("units" in step) {
      passed += step.units;
      await scene.pass(step.units * unitMs);
    } else if ("value" in step) {
      const ttlMs = step.ttl === undefined ? undefined : step.ttl * unitMs;
      const value: unknown = JSON.parse(JSON.stringify(step.value));
      const before = alive(step.key);
      const written = await write(store, kind, step, ttlMs);
      const sets = step.act === "set" || kind.lasts === "memory";
      const due = sets || (step.act === "create" ? before === undefined : "right" in step && step.right);
      expect(written).toBe(due);
      if (due) model.set(step.key, { value, until: passed + (step.ttl ?? Number.POSITIVE_INFINITY) });
    } else if (step.act === "list") {
      const found = await listed(store, kind);
      const wanted = [...model.keys()].filter((name) => alive(name) !== undefined);
      expect([...found.keys()].sort()).toEqual(wanted.sort());
      for (const name of wanted) expect(found.get(name)).toEqual(alive(name)?.value);
    } else if (step.act === "delete") {
      await values.delete(step.key);
      model.delete(step.key);
    } else {
      const wanted = alive(step.key);
      if (step.act === "get") expect(await values.get(step.key)).toEqual(wanted?.value);
      if (step.act === "has") expect(await values.has(step.key)).toBe(wanted !== undefined);
    }
  }
}

/** Marks in memory are only set: no transaction includes them. */
async function write(
  store: Store,
  kind: Kind<unknown>,
  step: Extract<Step, { value: unknown }>,
  ttlMs: number | undefined,
): Promise<boolean> {
  if (step.act === "set" || kind.lasts === "memory") return store.keyv(kind).set(step.key, step.value, ttlMs);
  if (!("right" in step)) return store.transact({ records: [creating(kind, step.key, step.value, ttlMs)] });
  const read = await store.read(kind, step.key);
  const was = step.right ? read.was : "not this";
  return store.transact({ records: [replacing({ ...read, was }, step.value, ttlMs)] });
}
