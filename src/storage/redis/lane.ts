import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { createAlarm } from "../alarm.ts";
import { StorageError } from "../errors.ts";
import type { WakeupRun } from "../store.ts";
import type { Calls } from "./calls.ts";
import { carryOut, pauseMs } from "./lane-run.ts";
import { claim, recover } from "./scripts/wakeups.ts";

/** How often it is looked for what others asked for. What this opening asks for itself is looked for at once. */
const lookEveryMs = 500;

/** One kind of wake-up in one opening: takes what is due, and runs it. */
export interface Lane {
  start(): void;
  /** Something is due at `at`: it is looked for then. */
  expect(at: number): void;
  /** Starts nothing more. What ends while Redis is away is left to the others from here on. */
  halt(): void;
  /** Resolves when no run is in progress. */
  idle(): Promise<void>;
}

export function createLane(
  prefix: string,
  handler: { run: WakeupRun; atOnce: number },
  deps: { calls: Calls; clock: Clock; log: Logger; instance: string },
): Lane {
  const { calls, clock, log, instance } = deps;
  const busy = new Map<string, Promise<void>>();
  let claims = 0;
  let started = false;
  let looking = false;
  let lookAgain = false;
  /** An answer was lost, and with it perhaps what it gave to this opening. */
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
        if (unsure) await calls.tell(recover, prefix, instance, ...busy.keys());
        unsure = true;
        soonest = await takeDue();
      } while (lookAgain);
    } catch (error) {
      // The connection has told of it; that nothing runs meanwhile follows.
      if (!(error instanceof StorageError)) throw error;
      soonest = clock.now() + pauseMs;
    } finally {
      looking = false;
    }
    if (started) alarm.set(Math.min(soonest, clock.now() + lookEveryMs));
  }

  /** Begins what is due, as far as there is room; when to look again. */
  async function takeDue(): Promise<number> {
    const room = handler.atOnce - busy.size;
    // Whoever ends looks again.
    if (room <= 0) {
      unsure = false;
      return clock.now() + lookEveryMs;
    }
    claims += 1;
    const run = `${instance}:${claims}`;
    const [claimed, soonest, held] = await calls.tell(claim, prefix, clock.now(), room, instance, run);
    for (const [id, failures] of claimed) begin(id, failures, run);
    unsure = held > busy.size;
    if (claimed.length === room) lookAgain ||= busy.size < handler.atOnce;
    return soonest === "" ? Number.POSITIVE_INFINITY : Number(soonest);
  }

  function begin(id: string, failures: number, run: string): void {
    // Others took this opening for gone while its own run still goes on: the next one waits for that.
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
