import timers from "node:timers";
import timersPromises from "node:timers/promises";
import type { SandboxClock } from "../../../src/sandbox/clock.ts";
import { currentProcess, deliverTo } from "./processes.ts";
import type { Schedule } from "./schedule.ts";

/** The world begins here: a Sunday noon, so that dates in the trace can be read. */
const start = Date.UTC(2026, 10, 22, 12);

/** Calls `action` as the process that asks for it: not while that is frozen, and never once it has died. */
function callAfter(schedule: Schedule, ms: number, action: () => void): () => void {
  const process = currentProcess();
  let off = false;
  const callOff = schedule.after(ms, () =>
    deliverTo(process, "timer", () => {
      if (!off) action();
    }),
  );
  return () => {
    off = true;
    callOff();
  };
}

/** A timer as Node hands it out: enough of one for all who run in the process. */
class SimulatedTimer {
  readonly #schedule: Schedule;
  readonly #action: () => void;
  readonly #ms: number;
  readonly #again: boolean;
  readonly #round: number;
  #callOff: () => void = () => {};
  #waits = false;

  constructor(schedule: Schedule, action: () => void, ms: number, again: boolean) {
    this.#schedule = schedule;
    this.#action = action;
    this.#ms = ms;
    this.#again = again;
    this.#round = schedule.round;
    this.#arm();
  }

  #arm(): void {
    if (this.#round !== this.#schedule.round) return;
    this.#waits = true;
    this.#callOff = callAfter(this.#schedule, Math.max(1, this.#ms), () => {
      this.#waits = false;
      if (this.#again) this.#arm();
      this.#action();
    });
  }

  refresh(): this {
    this.#callOff();
    this.#arm();
    return this;
  }
  close(): this {
    this.#waits = false;
    this.#callOff();
    return this;
  }
  hasRef(): boolean {
    return this.#waits;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

/** Replaces timers, `Date.now` and `performance.now` for the whole process; the loop's own turns stay real, and are counted. */
export function installTime(schedule: Schedule): void {
  const realImmediate = globalThis.setImmediate;
  const realClear = globalThis.clearImmediate;
  const counted = new WeakMap<object, () => void>();

  function immediate(action: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate {
    const over = schedule.busy();
    const handle = realImmediate(() => {
      over();
      action(...args);
    });
    counted.set(handle, over);
    return handle;
  }

  function clearImmediate(handle: NodeJS.Immediate | undefined): void {
    if (handle) counted.get(handle)?.();
    realClear(handle);
  }

  const timer =
    (again: boolean) =>
    (action: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      new SimulatedTimer(schedule, () => action(...args), Number(ms ?? 0), again);
  const clear = (handle: unknown) => void (handle instanceof SimulatedTimer && handle.close());
  const replaced = {
    setTimeout: timer(false),
    setInterval: timer(true),
    clearTimeout: clear,
    clearInterval: clear,
    setImmediate: immediate,
    clearImmediate,
  };
  Object.assign(globalThis, replaced);
  Object.assign(timers, replaced);
  // Not counted, a turn would come when time has gone on to the next timer.
  Object.assign(timersPromises, {
    setTimeout: <T>(ms: number, value: T) => new Promise<T>((resolve) => void timer(false)(() => resolve(value), ms)),
    setImmediate: <T>(value: T) => new Promise<T>((resolve) => void immediate(() => resolve(value))),
  });
  Date.now = () => start + schedule.time;
  Object.defineProperty(performance, "now", { value: () => schedule.time, configurable: true });
}

export function createSimulatedClock(schedule: Schedule): SandboxClock {
  const { round } = schedule;
  let adjusted = 0;
  return {
    now: () => start + schedule.time + adjusted,
    monotonic: () => schedule.time,
    after(ms, action) {
      return round === schedule.round ? callAfter(schedule, ms, action) : () => {};
    },
    // Only the schedule lets time pass.
    skip() {},
    adjust(ms) {
      adjusted += ms;
    },
  };
}
