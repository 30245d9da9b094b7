import { describe, expect, test, vi } from "vitest";
import { RunLost } from "../../../src/storage/errors.ts";
import type { RunToken, Store } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { raw } from "../raw.ts";
import { fenceOf } from "./locks.ts";
import { patience } from "./notebook.ts";

const nobodys: RunToken = { lane: "", id: "", run: "", repeats: false };

/** The work of an opening or a process that has died. */
export function goneContract(scene: () => Scene): void {
  const now = (): number => scene().now();

  describe("when an opening goes away in the middle of its work", () => {
    test("its lock goes to the next caller, long before its time is up, and it cannot touch that one", async () => {
      const [one, other] = await scene().openTwo();
      const lost = await fenceOf(one.locks.lock("thing", "one", 3_600_000));
      expect(await other.locks.lock("thing", "other", 3_600_000)).toEqual({ holder: "one" });
      await scene().crash(one);
      const outcome = await vi.waitFor(() => fenceOf(other.locks.lock("thing", "other", 3_600_000)), patience);
      expect(outcome).not.toBe(lost);
      expect(await other.alive(one.instance)).toBe(false);
      await expect(one.locks.unlock("thing", lost)).rejects.toThrow();
      expect(await other.locks.unlock("thing", lost)).toBe(false);
    });

    test("its timer is run by the other opening, and later acts of the lost run count for nothing", async () => {
      const [one, other] = await scene().openTwo();
      const gate = Promise.withResolvers<void>();
      const ran: string[] = [];
      one.timers.handle("job:", async () => {
        ran.push("one");
        await gate.promise;
      });
      await one.timers.start();
      await one.timers.set("job:a", now());
      await vi.waitFor(() => expect(ran).toEqual(["one"]), patience);
      const second = Promise.withResolvers<void>();
      let inside = 0;
      let most = 0;
      other.timers.handle("job:", async () => {
        ran.push("other");
        inside += 1;
        most = Math.max(most, inside);
        await second.promise;
        inside -= 1;
      });
      await other.timers.start();
      await scene().crash(one);
      await vi.waitFor(() => expect(ran).toEqual(["one", "other"]), patience);
      // The lost one ends first: that must not end the run of the other.
      gate.resolve();
      for (let turn = 0; turn < 5; turn += 1) await other.ready();
      await other.timers.set("job:a", now());
      for (let turn = 0; turn < 5; turn += 1) await other.ready();
      second.resolve();
      await vi.waitFor(() => expect(ran).toEqual(["one", "other", "other"]), patience);
      expect(most).toBe(1);
    });

    test("its run takes no turn and proves nothing any more, though both were its own before", async () => {
      const [one, other] = await scene().openTwo();
      const gate = Promise.withResolvers<void>();
      const runs: RunToken[] = [];
      for (const store of [one, other])
        store.timers.handle("job:", async (_, run) => {
          runs.push(run);
          await gate.promise;
        });
      await one.timers.start();
      await one.timers.set("job:a", now());
      await vi.waitFor(() => expect(runs).toHaveLength(1), patience);
      const [lost = nobodys] = runs;
      const pace = { burst: 2, everyMs: 100 * scene().facts.unitMs };
      expect(await one.paces.take("channel", pace, lost)).toBe(0);
      await one.timers.prove(lost);
      await scene().crash(one);
      await other.timers.start();
      await vi.waitFor(() => expect(runs).toHaveLength(2), patience);
      await expect(other.paces.take("channel", pace, lost)).rejects.toThrow(RunLost);
      await expect(other.timers.prove(lost)).rejects.toThrow(RunLost);
      expect(runs.map(({ repeats }) => repeats)).toEqual([false, true]);
      // The lost one has used up no turn.
      const [, own = nobodys] = runs;
      await other.timers.prove(own);
      expect(await other.paces.take("channel", pace, own)).toBe(0);
      gate.resolve();
      await vi.waitFor(async () => expect(await isLost(other, own)).toBe(true), patience);
    });

    test.each<[string, () => Promise<number | undefined>]>([
      ["ends", async () => undefined],
      ["asks to come again", async () => 1],
      [
        "fails",
        async () => {
          throw new Error("this run fails");
        },
      ],
    ])(
      "or only stood still, a run of it that another opening took over and that %s settles nothing",
      async (_, end) => {
        const [one, other] = await scene().openTwo();
        const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
        const runs: RunToken[] = [];
        one.timers.handle("job:", async (_, run) => {
          runs.push(run);
          await gates[0].promise;
          return end();
        });
        await one.timers.start();
        await one.timers.set("job:a", now());
        await vi.waitFor(() => expect(runs).toHaveLength(1), patience);
        const ended = one.timers.stop();
        await scene().giveUp(one);
        other.timers.handle("job:", async (_, run) => {
          runs.push(run);
          await gates[1].promise;
        });
        await other.timers.start();
        await vi.waitFor(() => expect(runs).toHaveLength(2), patience);
        await other.timers.set("job:a", now() + 1_000_000 * scene().facts.unitMs);
        gates[0].resolve();
        await ended;
        const [, own = nobodys] = runs;
        await other.timers.prove(own);
        const backlog = await other.timers.backlog();
        expect(backlog.find(({ lane }) => lane === "job:")).toEqual({ lane: "job:", due: 0, since: null, failing: 0 });
        gates[1].resolve();
        await vi.waitFor(async () => expect(await isLost(other, own)).toBe(true), patience);
        expect(runs).toHaveLength(2);
      },
    );

    test("the other opening reads the values that it kept, and its own later calls are refused", async () => {
      const [one, other] = await scene().openTwo();
      await one.keyv(raw("a")).set("key", 1);
      await scene().crash(one);
      await expect(one.keyv(raw("a")).set("key", 2)).rejects.toThrow();
      expect(await other.keyv(raw("a")).get("key")).toBe(1);
    });

    test("an interrupted run runs again at once, and again at the time that it had asked for", async () => {
      const { unitMs } = scene().facts;
      const runner = scene().start("run", { again: 4 * unitMs });
      expect(await runner.said(2)).toEqual(["open", "follow:job"]);
      await runner.kill();
      const { timers } = await scene().open();
      const ran: string[] = [];
      timers.handle("follow:", async (id) => void ran.push(id));
      await timers.start();
      await vi.waitFor(() => expect(ran).toContain("follow:job"), patience);
      await scene().pass(5 * unitMs);
      await vi.waitFor(() => expect(ran).toEqual(["follow:job", "follow:job"]), patience);
      await timers.stop();
    });
  });
}

/** Not by `rejects`: beside other tests Vitest counts a try of it that fails as a failure of any of them. */
async function isLost({ timers }: Store, run: RunToken): Promise<boolean> {
  return timers.prove(run).then(
    () => false,
    (error: unknown) => error instanceof RunLost,
  );
}
