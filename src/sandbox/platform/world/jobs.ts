import { randomUUID } from "node:crypto";
import type { Clock } from "../../../process/clock.ts";

/** How long each kind of work takes at pace 1, in milliseconds. */
const durations = {
  start: 15_000,
  shutdown: 30_000,
  reboot: 25_000,
  password: 10_000,
  reinstall: 180_000,
  snapshot: 40_000,
  "snapshot-delete": 20_000,
  revert: 60_000,
  capture: 240_000,
  provision: 60_000,
  install: 180_000,
  backup: 45_000,
  restore: 120_000,
  upgrade: 20_000,
} as const;

export type JobKind = keyof typeof durations;

/** The least at any pace: a reboot that ends between two looks of the app is one that nobody can see. */
const shortest: Partial<Record<JobKind, number>> = { reboot: 7_000 };

export interface Jobs {
  /** Starts work on a resource; `end` gets true if it failed. Gives the job's id. */
  start(kind: JobKind, resource: string, end: (failed: boolean) => void): string;
  /** After a part of the job's time (0 to 1). */
  during(kind: JobKind, part: number, act: () => void): void;
  /** The next job of this kind on this resource will fail. */
  failNext(kind: JobKind, resource: string): void;
  close(): void;
}

/** `onStart` is called when work on a resource begins. */
export function createJobs(
  clock: Clock,
  pace: number,
  onStart: (kind: JobKind, resource: string) => void = () => {},
): Jobs {
  const running = new Set<() => void>();
  const failing = new Set<string>();

  function after(kind: JobKind, part: number, act: () => void): void {
    const cancel = clock.after(part * Math.max(durations[kind] / pace, shortest[kind] ?? 0), () => {
      running.delete(stop);
      act();
    });
    function stop(): void {
      running.delete(stop);
      cancel();
    }
    running.add(stop);
  }

  return {
    start(kind, resource, end) {
      const failed = failing.delete(`${kind} ${resource}`);
      onStart(kind, resource);
      after(kind, 1, () => end(failed));
      return randomUUID();
    },
    during(kind, part, act) {
      after(kind, part, act);
    },
    failNext(kind, resource) {
      failing.add(`${kind} ${resource}`);
    },
    close() {
      for (const stop of [...running]) stop();
    },
  };
}
