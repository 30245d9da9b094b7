import { type Clock, sleep, systemClock } from "../../clock.ts";
import { RunLost, StorageError } from "../errors.ts";
import type { ClaimedTimer, TimerBackend } from "../timer-backend.ts";
import type { Calls } from "./calls.ts";
import { signLastsMs } from "./presence.ts";
import type { Script } from "./script.ts";
import { ask, backlog, claim, prove, putOff, recover, settle, waitingLanes } from "./scripts/timers.ts";

/** Milliseconds between two tries while Redis fails. */
const pauseMs = 1_000;

/** The timers in Redis, where each claim is kept. */
export function createTimerScripts(deps: {
  calls: Calls;
  clock: Clock;
  instance: string;
  announce: (lane: string, at: number) => void;
}): TimerBackend {
  const { calls, clock, instance, announce } = deps;
  let claims = 0;

  /**
   * Reports the outcome of a run until Redis accepts it or `goesOn` is false, since no other opening takes a run from a living one.
   * Announces the next time.
   */
  async function report(
    script: Script<string | null>,
    lane: string,
    { id, run }: ClaimedTimer,
    at: number | undefined,
    goesOn: () => boolean,
  ): Promise<void> {
    for (;;) {
      try {
        const next = await calls.write(script, lane, id, instance, run, at ?? "");
        if (next) announce(lane, Number(next));
        return;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        if (!goesOn()) return;
        await sleep(systemClock, pauseMs);
      }
    }
  }

  return {
    lookEveryMs: 500,
    pauseMs,
    waiting: async () => (await calls.readScript(waitingLanes)).map(([lane, at]) => ({ lane, at: Number(at) })),
    async set(lane, id, at) {
      await calls.write(ask, lane, id, at);
      announce(lane, at);
    },
    async claimDue(lane, room) {
      claims += 1;
      const run = `${instance}:${claims}`;
      const [claimed, next] = await calls.writeVolatile(claim, lane, clock.now(), room, instance, run, signLastsMs);
      return {
        claimed: claimed.map(([id, failures]) => ({ id, failures, run })),
        nextAt: next === "" ? Number.POSITIVE_INFINITY : Number(next),
      };
    },
    recover: (lane, running) => calls.writeVolatile(recover, lane, instance, ...running),
    settle: (lane, timer, again, goesOn) => report(settle, lane, timer, again, goesOn),
    putOff: (lane, timer, at, goesOn) => report(putOff, lane, timer, at, goesOn),
    async prove({ lane, id, run }) {
      if (!(await calls.writeVolatile(prove, lane, id, run, instance, signLastsMs))) throw new RunLost(lane + id);
    },
    async backlog() {
      const rows = await calls.readScript(backlog, clock.now());
      return rows.map(([lane, due, since, failing]) => ({
        lane,
        due,
        since: since === "" ? null : Number(since),
        failing,
      }));
    },
  };
}
