import { describe, expect, test } from "vitest";
import type { Log } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { datas, day, entriesOf, retentionMs } from "./entries.ts";

export function logContract(scene: () => Scene): void {
  async function events(): Promise<Log> {
    return (await scene().open()).log("events", { retentionMs });
  }
  const said = entriesOf(scene);

  describe("a log", () => {
    test("gives back what was appended, newest first, with ids that sort", async () => {
      const log = await events();
      const at = scene().now();
      const ids = [
        await log.append({ at, subjects: ["order:1", "team"], data: { event: "created" } }),
        await log.append({ at: at - 5_000, subjects: [], data: null }),
      ];
      expect(await log.read()).toEqual([
        { id: ids[1], at: at - 5_000, subjects: [], data: null },
        { id: ids[0], at, subjects: ["order:1", "team"], data: { event: "created" } },
      ]);
      expect(ids.toSorted()).toEqual(ids);
    });

    test("finds an entry again by its id, and nothing by what is none", async () => {
      const log = await events();
      const id = await log.append(said("it", ["s"]));
      await log.append(said("another"));
      expect(await log.entry(id ?? "")).toMatchObject({ id, subjects: ["s"], data: "it" });
      for (const none of ["", "no id at all", "-1", "9999999999999999", "99999999999999999999999"]) {
        expect(await log.entry(none)).toBeUndefined();
      }
    });

    test("keeps nothing of an entry of which any unique is known", async () => {
      const log = await events();
      expect(await log.append(said(1, ["s"]), ["delivery:1", "digest:1"])).toEqual(expect.any(String));
      expect(await log.append(said(2, ["s"]), ["delivery:1", "digest:2"])).toBeNull();
      expect(await log.append(said(3, ["s"]), ["delivery:2", "digest:1"])).toBeNull();
      expect(datas(await log.read({ subjects: ["s"] }))).toEqual([1]);
      // The uniques of a refused entry were not stored either.
      expect(await log.append(said(4, ["s"]), ["delivery:2", "digest:2"])).toEqual(expect.any(String));
    });

    test("takes an entry that names one unique or subject twice", async () => {
      const log = await events();
      expect(await log.append(said(1, ["s", "s"]), ["u", "u"])).not.toBeNull();
      expect(await log.read({ subjects: ["s"] })).toHaveLength(1);
    });

    test("takes a long text as it is, and refuses broken subjects and uniques", async () => {
      const log = await events();
      const body = JSON.stringify({ name: 'a "quoted" ✓\u0000 name'.repeat(2_000) });
      await log.append(said(body));
      expect(datas(await log.read())).toEqual([body]);
      await expect(log.append(said(1, ["\ud800"]))).rejects.toThrow(TypeError);
      await expect(log.append(said(1), ["\ud800"])).rejects.toThrow(TypeError);
      await expect(log.read({ subjects: ["\ud800"] })).rejects.toThrow(TypeError);
      expect(await log.read()).toHaveLength(1);
    });

    test("knows nothing of another log", async () => {
      const store = await scene().open();
      const audit = store.log("audit", { retentionMs: 365 * day });
      const log = store.log("events", { retentionMs });
      const id = await log.append(said("event", ["s"]), ["u"]);
      expect(await audit.append(said("entry", ["s"]), ["u"])).not.toBeNull();
      expect(datas(await audit.read({ subjects: ["s"] }))).toEqual(["entry"]);
      expect(datas(await audit.read({ after: "" }))).toEqual(["entry"]);
      expect((await audit.entry(id ?? ""))?.data).not.toBe("event");
      expect(await store.log("a third", { retentionMs }).read()).toEqual([]);
    });

    test("cuts off its beginning, however long that is, and gives no id of it again", async () => {
      const store = await scene().open();
      const log = store.log("events", { retentionMs: Number.POSITIVE_INFINITY });
      const other = store.log("others", { retentionMs });
      await other.append(said("other", ["s"]));
      const ids: string[] = [];
      for (let at = 0; at < 1_030; at += 1) ids.push((await log.append(said(at, ["s", `n:${at}`]))) ?? "");
      await log.cut(ids[1_019] ?? "");
      expect(datas(await log.read({ after: "" }))).toEqual([
        1_020, 1_021, 1_022, 1_023, 1_024, 1_025, 1_026, 1_027, 1_028, 1_029,
      ]);
      expect(await log.read({ subjects: ["s"] })).toHaveLength(10);
      expect(await log.read({ subjects: ["n:3"] })).toEqual([]);
      expect(await log.entry(ids[0] ?? "")).toBeUndefined();
      await log.cut("");
      expect(await log.read()).toHaveLength(10);
      await log.cut(ids[1_029] ?? "");
      expect(await log.read()).toEqual([]);
      const fresh = (await log.append(said("fresh", ["s"]))) ?? "";
      expect(fresh > (ids[1_029] ?? "")).toBe(true);
      expect(datas(await log.read({ subjects: ["s"] }))).toEqual(["fresh"]);
      expect(datas(await other.read())).toEqual(["other"]);
    });
  });
}
