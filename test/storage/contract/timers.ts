import { describe, expect, test, vi } from "vitest";
import type { Facts, Scene } from "../contract.ts";
import { openNotebook, patience } from "./notebook.ts";

const day = 24 * 3_600_000;

export function timersContract(scene: () => Scene, facts: Facts): void {
  const { unitMs } = facts;
  const now = (): number => scene().now();
  const later = (units: number): number => now() + units * unitMs;

  describe("a timer", () => {
    test("runs when its time has come, and not before", async () => {
      const { timers, ran, settled } = await openNotebook(scene());
      await timers.set("note:later", later(4));
      await timers.set("note:sooner", later(2));
      await settled();
      expect(ran).toEqual([]);
      await scene().pass(3 * unitMs);
      await settled();
      expect(ran).toEqual(["note:sooner"]);
      await scene().pass(2 * unitMs);
      await settled();
      expect(ran).toEqual(["note:sooner", "note:later"]);
    });

    test("asked for several times, runs once, at the earliest", async () => {
      const { timers, ran, settled } = await openNotebook(scene());
      await timers.set("note:a", later(6));
      await timers.set("note:a", later(2));
      await timers.set("note:a", later(4));
      await scene().pass(3 * unitMs);
      await settled();
      expect(ran).toEqual(["note:a"]);
      await scene().pass(5 * unitMs);
      await settled();
      expect(ran).toEqual(["note:a"]);
    });

    test.runIf(facts.skipsTime)("months ahead waits for months", async () => {
      const { timers, ran, settled } = await openNotebook(scene());
      await timers.set("note:a", now() + 60 * day);
      await settled();
      await scene().pass(59 * day);
      await settled();
      expect(ran).toEqual([]);
      await scene().pass(day);
      await settled();
      expect(ran).toEqual(["note:a"]);
    });

    test("waits through a restart, and one that fell due meanwhile runs at the start", async () => {
      const first = await scene().open();
      await first.timers.set("note:missed", later(1));
      await first.timers.set("note:coming", later(5));
      await first.close();
      await scene().pass(2 * unitMs);
      const { ran, settled } = await openNotebook(scene());
      await settled();
      expect(ran).toEqual(["note:missed"]);
      await scene().pass(4 * unitMs);
      await settled();
      expect(ran).toEqual(["note:missed", "note:coming"]);
    });

    test("asked for during its run, runs again afterwards and never beside itself", async () => {
      const { timers } = await scene().open();
      const gate = Promise.withResolvers<void>();
      let inside = 0;
      let most = 0;
      let runs = 0;
      timers.handle("one:", async () => {
        inside += 1;
        most = Math.max(most, inside);
        runs += 1;
        await gate.promise;
        inside -= 1;
      });
      await timers.start();
      await timers.set("one:a", now());
      await vi.waitFor(() => expect(runs).toBe(1), patience);
      await Promise.all([timers.set("one:a", now()), timers.set("one:a", now()), timers.set("one:a", now())]);
      gate.resolve();
      await vi.waitFor(() => expect(runs).toBe(2), patience);
      await timers.stop();
      expect({ runs, most }).toEqual({ runs: 2, most: 1 });
    });

    test.each([
      ["asked for by its own run", true],
      ["that answers with a time", false],
    ])("%s, comes again at that time", async (_, asks) => {
      const { timers, ran, settled } = await openNotebook(scene());
      timers.handle("poll:", async (id) => {
        ran.push(id);
        if (!asks) return later(2);
        await timers.set(id, later(2));
        return undefined;
      });
      await timers.set("poll:a", now());
      await vi.waitFor(() => expect(ran).toHaveLength(1), patience);
      await settled();
      expect(ran).toEqual(["poll:a"]);
      await scene().pass(3 * unitMs);
      await vi.waitFor(() => expect(ran).toHaveLength(2), patience);
      await settled();
      expect(ran).toEqual(["poll:a", "poll:a"]);
    });

    test("that answers with a time and was asked for sooner meanwhile, comes at the sooner one", async () => {
      const { timers, ran, settled } = await openNotebook(scene());
      timers.handle("poll:", async (id) => {
        ran.push(id);
        if (ran.length > 1) return undefined;
        await timers.set(id, later(2));
        return later(20);
      });
      await timers.set("poll:a", now());
      await vi.waitFor(() => expect(ran).toHaveLength(1), patience);
      await scene().pass(3 * unitMs);
      await vi.waitFor(() => expect(ran).toHaveLength(2), patience);
      await scene().pass(20 * unitMs);
      await settled();
      expect(ran).toEqual(["poll:a", "poll:a"]);
    });

    test("that fails is tried again, later each time, and each failure is logged", async () => {
      const { timers } = await scene().open();
      const tries: number[] = [];
      timers.handle("fail:", async () => {
        tries.push(now());
        if (tries.length < 4) throw new Error(`failure ${tries.length}`);
      });
      await timers.start();
      await timers.set("fail:a", now());
      const delays: number[] = [];
      for (let failure = 1; failure < 4; failure += 1) {
        await vi.waitFor(() => expect(scene().lines).toHaveLength(failure), patience);
        const line: { timer: string; retryInMs: number; err: { message: string } } = JSON.parse(
          scene().lines.at(-1) ?? "",
        );
        expect(line).toMatchObject({ timer: "fail:a", err: { message: `failure ${failure}` } });
        delays.push(line.retryInMs);
        await scene().pass(line.retryInMs);
      }
      await vi.waitFor(() => expect(tries).toHaveLength(4), patience);
      for (const [index, delay] of delays.entries()) {
        expect((tries[index + 1] ?? 0) - (tries[index] ?? 0)).toBeGreaterThanOrEqual(delay);
        if (index > 0) expect(delay).toBeGreaterThan(delays[index - 1] ?? 0);
      }
      await timers.stop();
    });

    test("is in the backlog while it is due and not running, or has failed, in any opening, each lane for itself", async () => {
      const { timers } = await scene().open();
      const gate = Promise.withResolvers<void>();
      const begun: string[] = [];
      timers.handle("idle:", async () => {});
      timers.handle(
        "slow:",
        async (id) => {
          begun.push(id);
          await gate.promise;
        },
        { atOnce: 1 },
      );
      timers.handle("odd:", async () => {
        begun.push("odd");
        throw new Error("this run fails");
      });
      const setAt = now();
      await timers.set("slow:a", setAt - 3);
      await timers.set("slow:b", setAt - 2);
      await timers.set("slow:c", setAt - 1);
      await timers.set("slow:later", later(10_000));
      await timers.set("odd:a", setAt);
      await timers.set("unhandled:a", setAt - 1);
      await timers.start();
      const seen = await scene().open();
      await vi.waitFor(async () => {
        expect(begun.toSorted()).toEqual(["odd", "slow:a"]);
        const backlog = await timers.backlog();
        expect(backlog.toSorted((a, b) => (a.lane < b.lane ? -1 : 1))).toEqual([
          { lane: "idle:", due: 0, since: null, failing: 0 },
          { lane: "odd:", due: 0, since: null, failing: 1 },
          { lane: "slow:", due: 2, since: setAt - 2, failing: 0 },
          { lane: "unhandled:", due: 1, since: setAt - 1, failing: 0 },
        ]);
        expect((await seen.timers.backlog()).find(({ lane }) => lane === "slow:")).toMatchObject({ due: 2 });
      }, patience);
      gate.resolve();
      await timers.stop();
    });

    test("needs a time and a lane", async () => {
      const { timers } = await scene().open();
      await expect(timers.set("note:a", Number.NaN)).rejects.toThrow(RangeError);
      for (const id of ["", "note", ":a", "\ud800:a"]) await expect(timers.set(id, now())).rejects.toThrow(TypeError);
    });
  });
}
