import { describe, expect, test, vi } from "vitest";
import type { Scene } from "../contract.ts";
import { listed, raw } from "../raw.ts";
import { patience } from "./notebook.ts";

const hour = 3_600_000;

export function crashContract(scene: () => Scene): void {
  describe("after a process was killed", () => {
    test("every acknowledged write is there, its uniques are known, and an entry is there whole or not at all", async () => {
      const writer = scene().start("write");
      await writer.said(150);
      const [, ...acknowledged] = await writer.kill();
      const store = await scene().open();
      const events = store.log("events", { retentionMs: 24 * hour });
      const values = store.keyv(raw("kept"));
      expect(acknowledged.length).toBeGreaterThanOrEqual(149);
      for (const id of acknowledged) expect(await values.get(id)).toEqual({ id });
      // Also those that nobody acknowledged: each is found by its subject, and known by its unique.
      const entries = await events.read({ limit: 10_000 });
      expect(entries.map(({ subjects: [id] }) => id)).toEqual(expect.arrayContaining(acknowledged));
      for (const { id, subjects, data } of entries) {
        const [subject = ""] = subjects;
        expect(data).toEqual({ id: subject });
        expect(await events.read({ subjects: [subject] })).toMatchObject([{ id, subjects: [subject], data }]);
        expect(await events.append({ at: 0, subjects: [], data: "again" }, [subject])).toBeNull();
      }
    });

    test("a transaction is there whole or not at all, and each acknowledged one is there", async () => {
      const writer = scene().start("transact");
      await writer.said(150);
      const [, ...acknowledged] = await writer.kill();
      const store = await scene().open();
      const records = await listed(store, raw("kept"));
      const entries = await store.log("events", { retentionMs: 24 * hour }).read({ limit: 10_000 });
      const members = await store.index("kept").range({ limit: 10_000 });
      const ran: string[] = [];
      store.timers.handle("kept:", async (id) => void ran.push(id));
      await store.timers.start();
      const ids = [...records.keys()].toSorted();
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      expect(entries.map(({ subjects }) => subjects[0]).toSorted()).toEqual(ids);
      expect(members.entries.map(({ member }) => member).toSorted()).toEqual(ids);
      const timers = ids.map((id) => `kept:${id}`);
      await vi.waitFor(() => expect(ran.toSorted()).toEqual(timers), patience);
      await store.timers.stop();
    });
  });
}
