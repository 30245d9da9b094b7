import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Log, LogEntry } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";

const hour = 3_600_000;
const day = 24 * hour;
const retentionMs = 30 * day;

export function logContract(scene: () => Scene): void {
  async function events(): Promise<Log> {
    return (await scene().open()).log("events", { retentionMs });
  }
  function said(data: unknown, subjects: string[] = []): { at: number; subjects: string[]; data: unknown } {
    return { at: scene().clock.now(), subjects, data };
  }
  function datas(entries: LogEntry[]): unknown[] {
    return entries.map((entry) => entry.data);
  }

  describe("a log", () => {
    test("gives back what was appended, newest first, with ids that sort", async () => {
      const log = await events();
      const at = scene().clock.now();
      await log.append({ at, subjects: ["order:1", "team"], data: { event: "created" } });
      await log.append({ at: at - 5_000, subjects: [], data: null });
      const entries = await log.newest();
      expect(entries).toMatchObject([
        { at: at - 5_000, subjects: [], data: null },
        { at, subjects: ["order:1", "team"], data: { event: "created" } },
      ]);
      const ids = entries.map((entry) => entry.id);
      expect(ids.toSorted().toReversed()).toEqual(ids);
    });

    test("pages back to the first entry without a gap or a repetition, for any subject", async () => {
      const store = await scene().open();
      let run = 0;
      const subject = fc.constantFrom("a", "b", "a:", "ü", "");
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(subject, { maxLength: 4 }), { maxLength: 25 }),
          fc.integer({ min: 1, max: 7 }),
          fc.option(subject, { nil: undefined }),
          async (appended, limit, wanted) => {
            run += 1;
            const log = store.log(`run ${run}`, { retentionMs });
            await Promise.all(appended.map((subjects, index) => log.append(said(index, subjects))));
            const expected = appended.flatMap((subjects, index) =>
              wanted === undefined || subjects.includes(wanted) ? [index] : [],
            );
            expect(datas(await readAll(log, limit, wanted))).toEqual(expected.toReversed());
          },
        ),
        { numRuns: 40 },
      );
    });

    test("gives 50 entries unless asked otherwise, and none where none are asked for", async () => {
      const log = await events();
      await Promise.all(Array.from({ length: 60 }, (_, index) => log.append(said(index))));
      expect(await log.newest()).toHaveLength(50);
      expect(await log.newest({ limit: 100 })).toHaveLength(60);
      expect(await log.newest({ limit: 0 })).toEqual([]);
      expect(await log.newest({ limit: -1 })).toEqual([]);
      expect(await log.newest({ before: "no id at all" })).toEqual([]);
    });

    test("keeps nothing of an entry of which any unique is known", async () => {
      const log = await events();
      expect(await log.append(said(1, ["s"]), ["delivery:1", "digest:1"])).toBe(true);
      expect(await log.append(said(2, ["s"]), ["delivery:1", "digest:2"])).toBe(false);
      expect(await log.append(said(3, ["s"]), ["delivery:2", "digest:1"])).toBe(false);
      expect(datas(await log.newest({ subject: "s" }))).toEqual([1]);
      // What a refused entry brought along was not remembered either.
      expect(await log.append(said(4, ["s"]), ["delivery:2", "digest:2"])).toBe(true);
    });

    test("keeps one of many equal entries that arrive at once", async () => {
      const log = await events();
      const kept = await Promise.all(
        Array.from({ length: 50 }, (_, index) => log.append(said(index), [`delivery:${index}`, "digest"])),
      );
      expect(kept.filter(Boolean)).toHaveLength(1);
      expect(datas(await log.newest())).toEqual([kept.indexOf(true)]);
    });

    test("takes an entry that names one unique or subject twice", async () => {
      const log = await events();
      expect(await log.append(said(1, ["s", "s"]), ["u", "u"])).toBe(true);
      expect(await log.newest({ subject: "s" })).toHaveLength(1);
    });

    test("knows nothing of another log", async () => {
      const store = await scene().open();
      const audit = store.log("audit", { retentionMs: 365 * day });
      const log = store.log("events", { retentionMs });
      await log.append(said("event", ["s"]), ["u"]);
      expect(await audit.append(said("entry", ["s"]), ["u"])).toBe(true);
      expect(datas(await audit.newest({ subject: "s" }))).toEqual(["entry"]);
      scene().clock.skip(31 * day);
      expect(datas(await audit.newest())).toEqual(["entry"]);
      expect(await log.newest()).toEqual([]);
    });

    test("forgets an entry and its uniques when the retention has passed, not before", async () => {
      const log = await events();
      await log.append(said("old", ["s"]), ["u"]);
      scene().clock.skip(29 * day);
      expect(await log.append(said("again"), ["u"])).toBe(false);
      expect(datas(await log.newest({ subject: "s" }))).toEqual(["old"]);
      scene().clock.skip(day);
      expect(await log.newest()).toEqual([]);
      expect(await log.newest({ subject: "s" })).toEqual([]);
      expect(await log.append(said("again"), ["u"])).toBe(true);
      expect(await log.append(said("again"), ["u"])).toBe(false);
    });

    test("hides what is out of retention before any sweep has come", async () => {
      const log = (await scene().open()).log("events", { retentionMs: 60_000 });
      await log.append(said("old", ["s"]), ["u"]);
      scene().clock.skip(60_000);
      expect(await log.newest()).toEqual([]);
      expect(await log.newest({ subject: "s" })).toEqual([]);
      expect(await log.append(said("new"), ["u"])).toBe(true);
      expect(datas(await log.newest())).toEqual(["new"]);
    });

    test("remembers an entry from when it came or is dated, whichever is later", async () => {
      const log = await events();
      const now = scene().clock.now();
      await log.append({ at: now - 20 * day, subjects: [], data: "late" }, ["late"]);
      await log.append({ at: now + day, subjects: [], data: "ahead" }, ["ahead"]);
      scene().clock.skip(29 * day);
      expect(await log.append(said("replay"), ["late"])).toBe(false);
      scene().clock.skip(1.5 * day);
      expect(await log.append(said("replay"), ["ahead"])).toBe(false);
      expect(datas(await log.newest())).toEqual(["ahead"]);
    });

    test("never gives an id twice, even when all before it has gone", async () => {
      const store = await scene().open();
      const log = store.log("events", { retentionMs });
      await log.append(said("old"));
      const [old] = await log.newest();
      scene().clock.skip(31 * day);
      // The hourly sweep is under way: these writes take turns with its own.
      for (let turn = 0; turn < 10; turn += 1) await store.ready();
      await log.append(said("new"));
      const [fresh] = await log.newest();
      expect(fresh?.data).toBe("new");
      expect([fresh?.id, old?.id].toSorted()).toEqual([old?.id, fresh?.id]);
      expect(fresh?.id).not.toBe(old?.id);
    });
  });
}

async function readAll(log: Log, limit: number, subject: string | undefined): Promise<LogEntry[]> {
  const all: LogEntry[] = [];
  for (;;) {
    const before = all.at(-1)?.id;
    const page = await log.newest({
      limit,
      ...(before === undefined ? {} : { before }),
      ...(subject === undefined ? {} : { subject }),
    });
    all.push(...page);
    if (page.length < limit) return all;
  }
}
