import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Log, LogEntry, LogQuery } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { datas, entriesOf, retentionMs } from "./entries.ts";

export function logReadingContract(scene: () => Scene): void {
  async function events(): Promise<Log> {
    return (await scene().open()).log("events", { retentionMs });
  }
  const said = entriesOf(scene);

  describe("reading a log", () => {
    test("pages to its other end without a gap or a repetition, either way, for any subjects", async () => {
      const store = await scene().open();
      let run = 0;
      const subject = fc.constantFrom("a", "b", "a:", "ü", "");
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(subject, { maxLength: 4 }), { maxLength: 25 }),
          fc.integer({ min: 1, max: 7 }),
          fc.array(subject, { maxLength: 3 }),
          async (appended, limit, wanted) => {
            run += 1;
            const log = store.log(`run ${run}`, { retentionMs });
            for (const [index, subjects] of appended.entries()) await log.append(said(index, subjects));
            const expected = appended.flatMap((subjects, index) =>
              wanted.every((name) => subjects.includes(name)) ? [index] : [],
            );
            expect(await forwards(log, { limit, subjects: wanted })).toEqual(expected);
            expect(await backwards(log, { limit, subjects: wanted })).toEqual(expected.toReversed());
          },
        ),
        { numRuns: 40 },
      );
    });

    test("can be held between two ids, neither of them included", async () => {
      const log = await events();
      const ids: string[] = [];
      for (const data of [0, 1, 2, 3, 4]) ids.push((await log.append(said(data, ["s"]))) ?? "");
      const [, after, , , before] = ids;
      expect(datas(await log.read({ after, before }))).toEqual([2, 3]);
      expect(datas(await log.read({ after, before, subjects: ["s"], limit: 1 }))).toEqual([2]);
      expect(datas(await log.read({ before }))).toEqual([3, 2, 1, 0]);
      expect(datas(await log.read({ after }))).toEqual([2, 3, 4]);
      expect(await log.read({ after: ids.at(-1) })).toEqual([]);
    });

    test("gives 50 entries unless asked otherwise, and none where none are asked for", async () => {
      const log = await events();
      await Promise.all(Array.from({ length: 60 }, (_, index) => log.append(said(index, ["s"]))));
      for (const subjects of [[], ["s"]]) {
        expect(await log.read({ subjects })).toHaveLength(50);
        expect(await log.read({ subjects, after: "" })).toHaveLength(50);
        expect(await log.read({ subjects, limit: 100 })).toHaveLength(60);
        expect(await log.read({ subjects, limit: 0 })).toEqual([]);
        expect(await log.read({ subjects, limit: -1 })).toEqual([]);
        expect(await log.read({ subjects, before: "no id at all" })).toEqual([]);
        expect(await log.read({ subjects, after: "no id at all" })).toEqual([]);
      }
    });

    test("finds the few entries that bear two subjects among thousands that bear either", async () => {
      const log = await events();
      const appended = Array.from({ length: 9_000 }, (_, index) =>
        log.append(said(index, index % 3_000 === 17 ? ["team", "web-1"] : ["team", `other ${index % 5}`])),
      );
      await Promise.all(appended);
      expect(datas(await log.read({ subjects: ["team", "web-1"] }))).toEqual([6_017, 3_017, 17]);
      expect(datas(await log.read({ subjects: ["web-1", "team"], after: "" }))).toEqual([17, 3_017, 6_017]);
      expect(datas(await log.read({ subjects: ["web-1", "other 1"] }))).toEqual([]);
    });

    test("forwards from the last id seen misses nothing of what many append meanwhile", async () => {
      const writing = await scene().open();
      const reading = (await scene().open()).log("events", { retentionMs });
      const log = writing.log("events", { retentionMs });
      const seen: LogEntry[] = [];
      let appended = false;
      const appending = Promise.all(
        Array.from({ length: 20 }, async (_, lane) => {
          for (let count = 0; count < 15; count += 1) await log.append(said(`${lane}-${count}`));
        }),
      ).then(() => {
        appended = true;
      });
      for (let atEnd = false; !atEnd; ) {
        const last = appended;
        const page = await reading.read({ after: seen.at(-1)?.id ?? "", limit: 7 });
        seen.push(...page);
        atEnd = last && page.length === 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
      await appending;
      expect(new Set(datas(seen)).size).toBe(300);
      expect(seen).toHaveLength(300);
    });
  });
}

async function forwards(log: Log, query: LogQuery & { limit: number }): Promise<unknown[]> {
  const all: LogEntry[] = [];
  for (;;) {
    const page = await log.read({ ...query, after: all.at(-1)?.id ?? "" });
    all.push(...page);
    if (page.length < query.limit) return datas(all);
  }
}

async function backwards(log: Log, query: LogQuery & { limit: number }): Promise<unknown[]> {
  const all: LogEntry[] = [];
  for (;;) {
    const page = await log.read({ ...query, before: all.at(-1)?.id });
    all.push(...page);
    if (page.length < query.limit) return datas(all);
  }
}
