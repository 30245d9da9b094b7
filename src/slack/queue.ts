/** A bounded queue of work: past its bound the member is told that the app is busy, and the process stays well. */
export interface WorkQueue {
  /** Takes the task, or answers false at once when there is no room. A task handles its own errors. */
  tryEnqueue(task: () => Promise<void>): boolean;
  /** Resolves when all that was taken has ended. */
  onIdle(): Promise<void>;
  depth(): number;
}

export interface QueueLimits {
  running: number;
  waiting: number;
}

export function createQueue(
  { running: most, waiting: longest }: QueueLimits = { running: 64, waiting: 1_000 },
): WorkQueue {
  const waiting: (() => Promise<void>)[] = [];
  const idle: (() => void)[] = [];
  let running = 0;

  function next(): void {
    const task = running < most ? waiting.shift() : undefined;
    if (!task) {
      if (running === 0) for (const tell of idle.splice(0)) tell();
      return;
    }
    running += 1;
    void task().finally(() => {
      running -= 1;
      next();
    });
  }

  return {
    tryEnqueue(task) {
      if (running >= most && waiting.length >= longest) return false;
      waiting.push(task);
      // Not in this turn: the acknowledgement leaves first.
      setImmediate(next);
      return true;
    },
    onIdle() {
      if (running === 0 && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => idle.push(resolve));
    },
    depth: () => running + waiting.length,
  };
}
