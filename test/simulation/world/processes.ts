import { AsyncLocalStorage } from "node:async_hooks";
import type { Schedule } from "./schedule.ts";

/** A process of a world, among others of the same program: its timers and its connections are its own. */
export interface Process {
  readonly name: string;
  readonly state: "running" | "frozen" | "dead";
  /** Runs work as its own: at once, when it goes on, or never. After a freeze its timers go off before it reads what has come. */
  deliver(what: "timer" | "bytes", work: () => void): void;
  /** Runs its first code. */
  run<T>(work: () => T): T;
  /** It gets no turn any more; its connections stay. */
  freeze(): void;
  thaw(): void;
  kill(): void;
}

const current = new AsyncLocalStorage<Process | null>();

/** The process whose code runs now; null for Slack, the platform and the people. */
export function currentProcess(): Process | null {
  return current.getStore() ?? null;
}

/** Runs work as that of a process; null for those outside. */
export function deliverTo(process: Process | null, what: "timer" | "bytes", work: () => void): void {
  if (process) process.deliver(what, work);
  else current.run(null, work);
}

export function createProcess(schedule: Schedule, name: string): Process {
  let state: Process["state"] = "running";
  let held: { what: "timer" | "bytes"; work: () => void }[] = [];

  /** How much of what came during a freeze is still to be done. */
  let late = 0;

  function goOn(what: "timer" | "bytes", work: () => void): void {
    late += 1;
    schedule.add(`goes on ${name}`, `${name} goes on`, () => {
      late -= 1;
      if (state === "frozen") held.push({ what, work });
      if (state === "running") current.run(process, work);
    });
  }

  const process: Process = {
    name,
    get state() {
      return state;
    },
    deliver(what, work) {
      if (state === "frozen") held.push({ what, work });
      // Bytes that came before on a connection are read first.
      else if (state === "running" && what === "bytes" && late > 0) goOn(what, work);
      else if (state === "running") current.run(process, work);
    },
    run: (work) => current.run(process, work),
    freeze() {
      if (state === "running") state = "frozen";
    },
    thaw() {
      if (state !== "frozen") return;
      state = "running";
      const waiting = [...held.filter(({ what }) => what === "timer"), ...held.filter(({ what }) => what === "bytes")];
      held = [];
      for (const { what, work } of waiting) goOn(what, work);
    },
    kill() {
      state = "dead";
      held = [];
    },
  };
  return process;
}
