/** A bounded queue of work: past its bound the member is told that the app is busy, and the process stays well. */
export interface Work {
  /** Takes the task, or answers false at once when there is no room. A task handles its own errors. */
  admit(task: () => Promise<void>): boolean;
  /** Resolves when all that was taken has ended. */
  drained(): Promise<void>;
  depth(): number;
}

export interface WorkLimits {
  running: number;
  waiting: number;
}

export function createWork({ running: most, waiting: longest }: WorkLimits = { running: 64, waiting: 1_000 }): Work {
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
    admit(task) {
      if (running >= most && waiting.length >= longest) return false;
      waiting.push(task);
      // Not in this turn: the acknowledgement leaves first.
      setImmediate(next);
      return true;
    },
    drained() {
      if (running === 0 && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => idle.push(resolve));
    },
    depth: () => running + waiting.length,
  };
}
