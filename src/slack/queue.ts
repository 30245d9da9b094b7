import { systemClock } from "../clock.ts";

/** A bounded queue of work: past its bound the member is told that the app is busy, and the process stays well. */
export interface WorkQueue {
  /** Takes the task, or answers false at once when there is no room. A task handles its own errors. */
  tryEnqueue(task: () => Promise<void>): boolean;
  /** Resolves when all that was taken has ended. */
  onIdle(): Promise<void>;
  /** How many wait, and since when the first of them has (milliseconds since the epoch); null where none does. */
  backlog(): { waiting: number; since: number | null };
}

export interface QueueLimits {
  running: number;
  waiting: number;
}

const usual: QueueLimits = { running: 64, waiting: 1_000 };

export function createQueue({ running: most, waiting: longest } = usual, clock = systemClock): WorkQueue {
  const waiting: { task: () => Promise<void>; since: number }[] = [];
  const idle: (() => void)[] = [];
  let running = 0;

  function next(): void {
    const first = running < most ? waiting.shift() : undefined;
    if (!first) {
      if (running === 0) for (const tell of idle.splice(0)) tell();
      return;
    }
    running += 1;
    void first.task().finally(() => {
      running -= 1;
      next();
    });
  }

  return {
    tryEnqueue(task) {
      if (running >= most && waiting.length >= longest) return false;
      waiting.push({ task, since: clock.now() });
      // Not in this turn: the acknowledgement leaves first.
      setImmediate(next);
      return true;
    },
    onIdle() {
      if (running === 0 && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => idle.push(resolve));
    },
    backlog: () => ({ waiting: waiting.length, since: waiting[0]?.since ?? null }),
  };
}
