import { describe, expect, test, vi } from "vitest";
import type { Scene } from "../contract.ts";
import { raw } from "../raw.ts";
import { openNotebook, patience } from "./notebook.ts";

export function lanesContract(scene: () => Scene): void {
  const now = (): number => scene().now();

  describe("a lane of timers", () => {
    test.each([
      ["16, if nothing else is said", undefined, 16],
      ["as many as its handler says", { atOnce: 3 }, 3],
    ])("runs beside each other %s, and each once", async (_, options, bound) => {
      const { timers } = await scene().open();
      const gates: (() => void)[] = [];
      const ran: string[] = [];
      let inside = 0;
      let most = 0;
      timers.handle(
        "many:",
        async (id) => {
          ran.push(id);
          inside += 1;
          most = Math.max(most, inside);
          await new Promise<void>((resolve) => gates.push(resolve));
          inside -= 1;
        },
        options,
      );
      const ids = Array.from({ length: 40 }, (_, index) => `many:${index}`);
      await Promise.all(ids.map((id) => timers.set(id, now())));
      await timers.start();
      await vi.waitFor(() => expect(gates).toHaveLength(bound), patience);
      while (ran.length < ids.length) {
        gates.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const open of gates) open();
      await timers.stop();
      expect(most).toBe(bound);
      expect(ran.toSorted()).toEqual(ids.toSorted());
    });

    test("keeps to its bound also when what comes is due for longer than what runs", async () => {
      const { timers } = await scene().open();
      const gate = Promise.withResolvers<void>();
      let inside = 0;
      let most = 0;
      let done = 0;
      timers.handle(
        "late:",
        async () => {
          inside += 1;
          most = Math.max(most, inside);
          await gate.promise;
          inside -= 1;
          done += 1;
        },
        { atOnce: 3 },
      );
      await timers.start();
      await timers.set("late:first", now());
      await vi.waitFor(() => expect(inside).toBe(1), patience);
      await Promise.all(Array.from({ length: 20 }, (_, index) => timers.set(`late:${index}`, now() - 1_000_000)));
      await vi.waitFor(() => expect(inside).toBeGreaterThanOrEqual(3), patience);
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      gate.resolve();
      await vi.waitFor(() => expect(done).toBe(21), patience);
      expect(most).toBe(3);
    });

    test("that is full holds up no other, however much of it is due and for how long", async () => {
      const { timers, ran, settled } = await openNotebook(scene());
      const gate = Promise.withResolvers<void>();
      let begun = 0;
      timers.handle(
        "stuck:",
        async () => {
          begun += 1;
          await gate.promise;
        },
        { atOnce: 2 },
      );
      await Promise.all(Array.from({ length: 300 }, (_, index) => timers.set(`stuck:${index}`, now() - 1_000 + index)));
      await vi.waitFor(() => expect(begun).toBe(2), patience);
      await timers.set("note:a", now());
      await settled();
      expect(ran).toEqual(["note:a"]);
      expect(begun).toBe(2);
      gate.resolve();
      await vi.waitFor(() => expect(begun).toBe(300), patience);
    });

    test("that nobody handles holds up no other, is logged once, and runs once somebody does", async () => {
      const before = await scene().open();
      await before.timers.set("future:before", now());
      const { timers, ran, settled } = await openNotebook(scene());
      await timers.set("future:a", now());
      await timers.set("future:b", now());
      await settled();
      const warnings = (): string[] => scene().lines.filter((line) => line.includes("future:"));
      await vi.waitFor(() => expect(warnings()).toHaveLength(1), patience);
      timers.handle("future:", async (id) => void ran.push(id));
      await vi.waitFor(() => expect(ran.toSorted()).toEqual(["future:a", "future:b", "future:before"]), patience);
      expect(warnings()).toHaveLength(1);
    });

    test("is a word and a colon, with one handler", async () => {
      const { timers } = await scene().open();
      timers.handle("follow:", async () => {});
      timers.handle("follow-up:", async () => {});
      expect(() => timers.handle("follow:", async () => {})).toThrow(/follow:/);
      for (const none of ["", ":", "follow", "follow:job:"]) {
        expect(() => timers.handle(none, async () => {})).toThrow(/no lane/);
      }
    });

    test("ends before the store closes: a run in progress can still keep what it found", async () => {
      const store = await scene().open();
      const begun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      store.timers.handle("slow:", async () => {
        begun.resolve();
        await gate.promise;
        await store.keyv(raw("found")).set("key", "it");
      });
      await store.timers.start();
      await store.timers.set("slow:a", now());
      await begun.promise;
      const closed = store.close();
      expect(await store.alive(store.instance)).toBe(true);
      gate.resolve();
      await closed;
      const next = await scene().open();
      expect(await next.keyv(raw("found")).get("key")).toBe("it");
    });

    test("stops once the run in progress has ended; what comes due meanwhile waits for the next start", async () => {
      const { timers, ran } = await openNotebook(scene());
      const gate = Promise.withResolvers<void>();
      let begun = false;
      timers.handle("slow:", async (id) => {
        begun = true;
        await gate.promise;
        ran.push(id);
      });
      await timers.set("slow:a", now());
      await vi.waitFor(() => expect(begun).toBe(true), patience);
      const stopped = timers.stop().then(() => ran.push("stopped"));
      await timers.set("note:b", now());
      gate.resolve();
      await stopped;
      expect(ran).toEqual(["slow:a", "stopped"]);
      await timers.start();
      await vi.waitFor(() => expect(ran).toEqual(["slow:a", "stopped", "note:b"]), patience);
    });

    test("that goes on while the others stop runs what their last runs have asked for, and no more after that", async () => {
      const { timers, ran } = await openNotebook(scene());
      const gate = Promise.withResolvers<void>();
      let begun = false;
      timers.handle("slow:", async (id) => {
        begun = true;
        await gate.promise;
        ran.push(id);
        for (const word of ["a", "b"]) await timers.set(`note:${word}`, now());
        await timers.set("slow:again", now());
      });
      await timers.set("slow:a", now());
      await vi.waitFor(() => expect(begun).toBe(true), patience);
      const stopped = timers.stop(["note:"]);
      gate.resolve();
      await stopped;
      await timers.settled("note:");
      expect(ran.toSorted()).toEqual(["note:a", "note:b", "slow:a"]);
      await timers.stop();
      await timers.set("note:c", now());
      await timers.settled("another:");
      expect(ran).toHaveLength(3);
    });
  });
}
