import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Index, Range } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { place, raw } from "../raw.ts";

type Entry = { member: string; score: number };

export function indexContract(scene: () => Scene): void {
  async function openIndex() {
    const store = await scene().open();
    const put = (member: string, score: number | null) => place(store, "open", member, score);
    return { open: store.index("open"), put };
  }

  describe("an index", () => {
    test("gives its members by score, from and to included, each where it was last put", async () => {
      const { open, put } = await openIndex();
      for (const [member, score] of [
        ["c", 3],
        ["a", 1],
        ["b", 2],
        ["d", 4],
        ["a", 2.5],
      ] as const)
        await put(member, score);
      expect(await members(open)).toEqual(["b", "a", "c", "d"]);
      expect(await members(open, { from: 2.5, to: 3 })).toEqual(["a", "c"]);
      expect(await members(open, { from: 5 })).toEqual([]);
      expect(await members(open, { to: 2 })).toEqual(["b"]);
      expect(await members(open, { from: 3, to: 2 })).toEqual([]);
      await put("a", null);
      await put("never there", null);
      expect(await members(open)).toEqual(["b", "c", "d"]);
      expect(await open.size()).toBe(3);
    });

    test("pages through any members without a gap or a repetition, equal scores by their bytes", async () => {
      const store = await scene().open();
      let run = 0;
      const member = fc.oneof(
        fc.constantFrom("", " ", "1 a", "ü", "\uffff", "😀", "a\u0000"),
        fc.string({ unit: "grapheme" }),
      );
      const score = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(member, score), { maxLength: 25 }),
          fc.integer({ min: 1, max: 7 }),
          async (put, limit) => {
            run += 1;
            const open = store.index(`run ${run}`);
            for (const [name, at] of put) await place(store, `run ${run}`, name, at);
            const wanted = [...new Map(put)].map(([name, at]) => ({ member: name, score: at + 0 }));
            expect(await all(open, { limit })).toEqual(wanted.sort(inOrder));
            expect(await open.size()).toBe(wanted.length);
          },
        ),
        { numRuns: 40 },
      );
    });

    test("gives a hundred at a time unless asked otherwise, and none where none are asked for", async () => {
      const { open, put } = await openIndex();
      await Promise.all(Array.from({ length: 130 }, (_, number) => put(`m${number}`, number)));
      expect((await open.range()).entries).toHaveLength(100);
      expect((await open.range({ limit: 200 })).entries).toHaveLength(130);
      expect(await open.range({ limit: 0 })).toEqual({ entries: [], next: undefined });
    });

    test("goes on rightly after a page whose last member has gone", async () => {
      const { open, put } = await openIndex();
      for (const member of ["a", "b", "c", "d"]) await put(member, 1);
      const page = await open.range({ limit: 2 });
      await put("b", null);
      expect((await open.range({ after: page.next })).entries.map((entry) => entry.member)).toEqual(["c", "d"]);
    });

    test("knows nothing of another index, or of values", async () => {
      const store = await scene().open();
      await place(store, "a", "m", 1);
      await place(store, "b", "n", 1);
      await store.keyv(raw("a")).set("v", 1);
      expect(await members(store.index("a"))).toEqual(["m"]);
      expect(await store.index("c").size()).toBe(0);
    });

    test("refuses what is no number, and broken text", async () => {
      const { open, put } = await openIndex();
      await expect(put("m", Number.NaN)).rejects.toThrow(RangeError);
      await expect(put("m", Number.POSITIVE_INFINITY)).rejects.toThrow(RangeError);
      await expect(put("\ud800", 1)).rejects.toThrow(TypeError);
      expect(await open.size()).toBe(0);
    });
  });
}

async function all(index: Index, query: Range = {}): Promise<Entry[]> {
  const found: Entry[] = [];
  let after: string | undefined;
  do {
    const page = await index.range({ ...query, after });
    found.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return found;
}

async function members(index: Index, query: Range = {}): Promise<string[]> {
  return (await all(index, query)).map(({ member }) => member);
}

function inOrder(a: Entry, b: Entry): number {
  return a.score - b.score || Buffer.compare(Buffer.from(a.member), Buffer.from(b.member));
}
