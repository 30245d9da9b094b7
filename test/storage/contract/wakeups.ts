import { describe, expect, test, vi } from "vitest";
import type { Wakeups } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";

const minute = 60_000;
const hour = 60 * minute;
const patience = { timeout: 20_000, interval: 5 };

export function wakeupsContract(scene: () => Scene): void {
  const now = (): number => scene().clock.now();

  /** Started wake-ups that note each run of "note:…" ids. */
  async function notebook(): Promise<{ wakeups: Wakeups; ran: string[] }> {
    const { wakeups } = await scene().open();
    const ran: string[] = [];
    wakeups.handle("note:", async (id) => void ran.push(id));
    await wakeups.start();
    return { wakeups, ran };
  }

  /** Everything that fell due before has begun once this run, asked for last, has happened. */
  async function settled(wakeups: Wakeups, ran: string[]): Promise<void> {
    const id = `note:settled ${ran.length} ${now()}`;
    await wakeups.wake(id, now());
    await vi.waitFor(() => expect(ran).toContain(id), patience);
    ran.splice(ran.indexOf(id), 1);
  }

  describe("a wake-up", () => {
    test("runs when its time has come, and not before", async () => {
      const { wakeups, ran } = await notebook();
      await wakeups.wake("note:later", now() + 2 * hour);
      await wakeups.wake("note:sooner", now() + hour);
      await settled(wakeups, ran);
      expect(ran).toEqual([]);
      scene().clock.skip(hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:sooner"]);
      scene().clock.skip(hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:sooner", "note:later"]);
    });

    test("asked for several times, runs once, at the earliest", async () => {
      const { wakeups, ran } = await notebook();
      await wakeups.wake("note:a", now() + 3 * hour);
      await wakeups.wake("note:a", now() + hour);
      await wakeups.wake("note:a", now() + 2 * hour);
      scene().clock.skip(hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:a"]);
      scene().clock.skip(5 * hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:a"]);
    });

    test("months ahead waits for months", async () => {
      const { wakeups, ran } = await notebook();
      await wakeups.wake("note:a", now() + 60 * 24 * hour);
      await settled(wakeups, ran);
      scene().clock.skip(59 * 24 * hour);
      await settled(wakeups, ran);
      expect(ran).toEqual([]);
      scene().clock.skip(24 * hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:a"]);
    });

    test("waits through a restart, and one that fell due meanwhile runs at the start", async () => {
      const first = await scene().open();
      await first.wakeups.wake("note:missed", now() + hour);
      await first.wakeups.wake("note:coming", now() + 3 * hour);
      await first.close();
      scene().clock.skip(2 * hour);
      const { wakeups, ran } = await notebook();
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:missed"]);
      scene().clock.skip(hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:missed", "note:coming"]);
    });

    test("asked for during its run, runs again afterwards and never beside itself", async () => {
      const { wakeups } = await scene().open();
      const gate = Promise.withResolvers<void>();
      let inside = 0;
      let most = 0;
      let runs = 0;
      wakeups.handle("one:", async () => {
        inside += 1;
        most = Math.max(most, inside);
        runs += 1;
        await gate.promise;
        inside -= 1;
      });
      await wakeups.start();
      await wakeups.wake("one:a", now());
      await vi.waitFor(() => expect(runs).toBe(1), patience);
      await Promise.all([wakeups.wake("one:a", now()), wakeups.wake("one:a", now()), wakeups.wake("one:a", now())]);
      gate.resolve();
      await vi.waitFor(() => expect(runs).toBe(2), patience);
      await wakeups.stop();
      expect({ runs, most }).toEqual({ runs: 2, most: 1 });
    });

    test("asked for by its own run, comes at the time it named", async () => {
      const { wakeups, ran } = await notebook();
      wakeups.handle("poll:", async (id) => {
        ran.push(id);
        await wakeups.wake(id, now() + hour);
      });
      await wakeups.wake("poll:a", now());
      await settled(wakeups, ran);
      expect(ran).toEqual(["poll:a"]);
      scene().clock.skip(hour);
      await vi.waitFor(() => expect(ran).toHaveLength(2), patience);
      await settled(wakeups, ran);
      expect(ran).toEqual(["poll:a", "poll:a"]);
    });

    test("called off does not run", async () => {
      const { wakeups, ran } = await notebook();
      await wakeups.wake("note:a", now() + hour);
      await wakeups.wake("note:b", now() + hour);
      await wakeups.cancel("note:a");
      await wakeups.cancel("note:never asked for");
      scene().clock.skip(2 * hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["note:b"]);
    });

    test("called off during its run is neither repeated nor tried again", async () => {
      const { wakeups, ran } = await notebook();
      const gate = Promise.withResolvers<void>();
      wakeups.handle("fail:", async (id) => {
        ran.push(id);
        await gate.promise;
        throw new Error("this run fails");
      });
      await wakeups.wake("fail:a", now());
      await vi.waitFor(() => expect(ran).toEqual(["fail:a"]), patience);
      await wakeups.wake("fail:a", now());
      await wakeups.cancel("fail:a");
      gate.resolve();
      await vi.waitFor(() => expect(scene().lines.join("")).toContain("fail:a"), patience);
      await settled(wakeups, ran);
      scene().clock.skip(hour);
      await settled(wakeups, ran);
      expect(ran).toEqual(["fail:a"]);
    });

    test("that fails is tried again, later each time, and each failure is logged", async () => {
      const { wakeups } = await scene().open();
      const tries: number[] = [];
      wakeups.handle("fail:", async () => {
        tries.push(now());
        if (tries.length < 5) throw new Error(`failure ${tries.length}`);
      });
      await wakeups.start();
      await wakeups.wake("fail:a", now());
      const delays: number[] = [];
      for (let failure = 1; failure < 5; failure += 1) {
        await vi.waitFor(() => expect(scene().lines).toHaveLength(failure), patience);
        const line: { wakeup: string; retryInMs: number; err: { message: string } } = JSON.parse(
          scene().lines.at(-1) ?? "",
        );
        expect(line).toMatchObject({ wakeup: "fail:a", err: { message: `failure ${failure}` } });
        delays.push(line.retryInMs);
        scene().clock.skip(line.retryInMs);
      }
      await vi.waitFor(() => expect(tries).toHaveLength(5), patience);
      for (const [index, delay] of delays.entries()) {
        expect((tries[index + 1] ?? 0) - (tries[index] ?? 0)).toBeGreaterThanOrEqual(delay);
        if (index > 0) expect(delay).toBeGreaterThan(delays[index - 1] ?? 0);
      }
      await wakeups.stop();
    });

    test("that nobody handles holds up no other, is logged, and runs once somebody does", async () => {
      const { wakeups, ran } = await notebook();
      await wakeups.wake("future:a", now());
      await settled(wakeups, ran);
      await vi.waitFor(() => expect(scene().lines.join("")).toContain("future:a"), patience);
      wakeups.handle("future:", async (id) => void ran.push(id));
      scene().clock.skip(hour);
      await vi.waitFor(() => expect(ran).toEqual(["future:a"]), patience);
    });

    test("is handled by one handler: two that overlap are refused", async () => {
      const { wakeups } = await scene().open();
      wakeups.handle("follow:", async () => {});
      expect(() => wakeups.handle("follow:", async () => {})).toThrow(/follow:/);
      expect(() => wakeups.handle("follow:job:", async () => {})).toThrow(/follow:/);
      expect(() => wakeups.handle("", async () => {})).toThrow(/follow:/);
    });
  });

  describe("wake-ups", () => {
    test("run beside each other up to 16, and each once", async () => {
      const { wakeups } = await scene().open();
      const gates: (() => void)[] = [];
      const ran: string[] = [];
      let inside = 0;
      let most = 0;
      wakeups.handle("many:", async (id) => {
        ran.push(id);
        inside += 1;
        most = Math.max(most, inside);
        await new Promise<void>((resolve) => gates.push(resolve));
        inside -= 1;
      });
      const ids = Array.from({ length: 40 }, (_, index) => `many:${index}`);
      await Promise.all(ids.map((id) => wakeups.wake(id, now())));
      await wakeups.start();
      await vi.waitFor(() => expect(gates).toHaveLength(16), patience);
      while (ran.length < ids.length) {
        gates.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const open of gates) open();
      await wakeups.stop();
      expect(most).toBe(16);
      expect(ran.toSorted()).toEqual(ids.toSorted());
    });

    test("end before the store closes: a run in progress can still keep what it found", async () => {
      const store = await scene().open();
      const begun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      store.wakeups.handle("slow:", async () => {
        begun.resolve();
        await gate.promise;
        await store.values("found").set("key", "it");
      });
      await store.wakeups.start();
      await store.wakeups.wake("slow:a", now());
      await begun.promise;
      const closed = store.close();
      gate.resolve();
      await closed;
      const next = await scene().open();
      expect(await next.values("found").get("key")).toBe("it");
    });

    test("stop once the run in progress has ended; what comes due meanwhile waits for the next start", async () => {
      const { wakeups, ran } = await notebook();
      const gate = Promise.withResolvers<void>();
      let begun = false;
      wakeups.handle("slow:", async (id) => {
        begun = true;
        await gate.promise;
        ran.push(id);
      });
      await wakeups.wake("slow:a", now());
      await vi.waitFor(() => expect(begun).toBe(true), patience);
      const stopped = wakeups.stop().then(() => ran.push("stopped"));
      await wakeups.wake("note:b", now());
      gate.resolve();
      await stopped;
      expect(ran).toEqual(["slow:a", "stopped"]);
      await wakeups.start();
      await vi.waitFor(() => expect(ran).toEqual(["slow:a", "stopped", "note:b"]), patience);
    });
  });
}
