import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "../process/clock.ts";

/** A bounded queue of work. When it is full, the member reads that the app is busy, and the process survives. */
export interface WorkQueue {
  /** Accepts the task, or returns false at once if the queue is full. A task handles its own errors; `onFault` gets one that it lets out. */
  tryEnqueue(task: () => Promise<void>): boolean;
  /** Resolves when all accepted tasks have ended. */
  onIdle(): Promise<void>;
  /** The number of waiting tasks, and when the first came (milliseconds since the epoch); null if none waits. */
  backlog(): { waiting: number; since: number | null };
}

export interface QueueLimits {
  running: number;
  waiting: number;
}

const usual: QueueLimits = { running: 64, waiting: 1_000 };

export function createQueue(
  { running: most, waiting: longest } = usual,
  clock = systemClock,
  onFault: (error: unknown) => void = () => {},
): WorkQueue {
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
    // Nobody awaits a task: an error that it lets out would end the process.
    const work = first.task().catch(onFault);
    void work.finally(() => {
      running -= 1;
      next();
    });
  }

  return {
    tryEnqueue(task) {
      if (running >= most && waiting.length >= longest) return false;
      // The task that ended before starts this one: without its own context it would work for the other task's act.
      waiting.push({ task: AsyncLocalStorage.bind(task), since: clock.now() });
      // Start in a later turn, so that the acknowledgement leaves first.
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
