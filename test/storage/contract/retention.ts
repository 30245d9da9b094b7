import { describe, expect, test } from "vitest";
import type { Facts, Scene } from "../contract.ts";
import { datas, day, entriesOf, retentionMs } from "./entries.ts";

export function retentionContract(scene: () => Scene, facts: Facts): void {
  const said = entriesOf(scene);

  describe("the retention of a log", () => {
    test("hides what is out of retention before any cleanup", async () => {
      const { unitMs } = scene().facts;
      const log = (await scene().open()).log("events", { retentionMs: 2 * unitMs });
      const id = await log.append(said("old", ["s"]), ["u"]);
      await scene().pass(3 * unitMs);
      expect(await log.read()).toEqual([]);
      expect(await log.read({ after: "" })).toEqual([]);
      expect(await log.read({ subjects: ["s"] })).toEqual([]);
      expect(await log.entry(id ?? "")).toBeUndefined();
      const fresh = await log.append(said("new"), ["u"]);
      expect([fresh, id].toSorted()).toEqual([id, fresh]);
      expect(datas(await log.read())).toEqual(["new"]);
    });

    test("remembers an entry from when it came or is dated, whichever is later", async () => {
      const { unitMs } = scene().facts;
      const log = (await scene().open()).log("events", { retentionMs: 6 * unitMs });
      const now = scene().now();
      await log.append({ at: now - 5 * unitMs, subjects: [], data: "late" }, ["late"]);
      await log.append({ at: now + 3 * unitMs, subjects: [], data: "ahead" }, ["ahead"]);
      await scene().pass(5 * unitMs);
      expect(await log.append(said("replay"), ["late"])).toBeNull();
      await scene().pass(2 * unitMs);
      expect(await log.append(said("replay"), ["ahead"])).toBeNull();
      expect(datas(await log.read())).toEqual(["ahead"]);
    });

    test.runIf(facts.skipsTime)(
      "keeps an entry and its uniques through the cleanups of its retention, and no longer",
      async () => {
        const store = await scene().open();
        const log = store.log("events", { retentionMs });
        const old = await log.append(said("old", ["s"]), ["u"]);
        await scene().pass(29 * day);
        expect(await log.append(said("again"), ["u"])).toBeNull();
        expect(datas(await log.read({ subjects: ["s"] }))).toEqual(["old"]);
        await scene().pass(2 * day);
        // The hourly cleanup runs: these writes take turns with its own.
        for (let turn = 0; turn < 10; turn += 1) await store.ready();
        expect(await log.read()).toEqual([]);
        const fresh = await log.append(said("again"), ["u"]);
        expect(await log.append(said("again"), ["u"])).toBeNull();
        // Never an id twice, even when all before it has gone.
        expect(fresh).not.toBe(old);
        expect([fresh, old].toSorted()).toEqual([old, fresh]);
      },
    );

    test.runIf(facts.skipsTime)("gives no id twice when everything has gone before a restart", async () => {
      const first = await scene().open();
      const old = await first.log("events", { retentionMs }).append(said("old"));
      await scene().pass(31 * day);
      for (let turn = 0; turn < 10; turn += 1) await first.ready();
      await first.close();
      const second = await scene().open();
      const fresh = await second.log("events", { retentionMs }).append(said("new"));
      expect(fresh).not.toBe(old);
      expect([fresh, old].toSorted()).toEqual([old, fresh]);
    });
  });
}
