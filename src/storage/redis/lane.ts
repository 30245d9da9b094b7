import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { createAlarm } from "../alarm.ts";
import { StorageError } from "../errors.ts";
import type { TimerHandler } from "../store.ts";
import type { Calls } from "./calls.ts";
import { carryOut, pauseMs } from "./lane-run.ts";
import { signLastsMs } from "./presence.ts";
import { claim, recover } from "./scripts/timers.ts";

/** Milliseconds between looks for timers that other openings set. Own timers cause a look at once. */
const lookEveryMs = 500;

/** The timers of one lane in one opening: claims due ones and runs them. */
export interface Lane {
  start(): void;
  /** Ensures a look for due timers at `at`. */
  expect(at: number): void;
  /** Starts no more runs. Outcomes that Redis does not accept from now on are left to other openings. */
  halt(): void;
  /** Resolves when no run is in progress. */
  idle(): Promise<void>;
}

export function createLane(
  prefix: string,
  handler: { run: TimerHandler; atOnce: number },
  deps: { calls: Calls; clock: Clock; log: Logger; instance: string },
): Lane {
  const { calls, clock, log, instance } = deps;
  const busy = new Map<string, Promise<void>>();
  let claims = 0;
  let started = false;
  let looking = false;
  let lookAgain = false;
  /** An answer was lost, and with it perhaps timers that Redis gave to this opening. */
  let unsure = false;
  const alarm = createAlarm(clock, () => void look());

  async function look(): Promise<void> {
    lookAgain = looking;
    if (!started || looking) return;
    looking = true;
    let soonest = clock.now() + lookEveryMs;
    try {
      do {
        lookAgain = false;
        if (unsure) await calls.writeVolatile(recover, prefix, instance, ...busy.keys());
        unsure = true;
        soonest = await takeDue();
      } while (lookAgain);
    } catch (error) {
      // The connection logs the outage; this lane just tries again later.
      if (!(error instanceof StorageError)) throw error;
      soonest = clock.now() + pauseMs;
    } finally {
      looking = false;
    }
    if (started) alarm.set(Math.min(soonest, clock.now() + lookEveryMs));
  }

  /** Claims and starts due timers while there is room. Resolves with the time of the next look. */
  async function takeDue(): Promise<number> {
    const room = handler.atOnce - busy.size;
    // The next run to end looks again.
    if (room <= 0) {
      unsure = false;
      return clock.now() + lookEveryMs;
    }
    claims += 1;
    const run = `${instance}:${claims}`;
    const [claimed, soonest, held] = await calls.writeVolatile(
      claim,
      prefix,
      clock.now(),
      room,
      instance,
      run,
      signLastsMs,
    );
    for (const [id, failures] of claimed) begin(id, failures, run);
    unsure = held > busy.size;
    if (claimed.length === room) lookAgain ||= busy.size < handler.atOnce;
    return soonest === "" ? Number.POSITIVE_INFINITY : Number(soonest);
  }

  function begin(id: string, failures: number, run: string): void {
    // The other openings thought this one dead while its run was still in progress: start the new run after it.
    const before = busy.get(id) ?? Promise.resolve();
    const done: Promise<void> = before
      .then(() => carryOut({ lane: prefix, id, failures, instance, run }, handler.run, () => started, deps))
      .catch((error: unknown) =>
        log.error({ err: error, wakeup: `${prefix}${id}` }, "a wake-up's end could not be kept"),
      )
      .then(() => {
        if (busy.get(id) === done) busy.delete(id);
        void look();
      });
    busy.set(id, done);
  }

  return {
    start() {
      started = true;
      void look();
    },
    expect(at) {
      if (!started || alarm.ringsBy(at)) return;
      if (looking || at <= clock.now()) void look();
      else alarm.set(at);
    },
    halt() {
      started = false;
      alarm.off();
    },
    async idle() {
      while (busy.size > 0) await Promise.all(busy.values());
    },
  };
}
