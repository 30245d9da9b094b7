interface Timer {
  due: number;
  /** Timers of one time go off in the order in which they were set. */
  order: number;
  /** Null once it was called off: it leaves the heap when its turn comes. */
  action: (() => void) | null;
}

/** Timers by the time at which they are due. A world sets and calls off thousands, and asks for the next after each event. */
export interface TimerHeap {
  /** Returns how to call it off. */
  add(due: number, action: () => void): () => void;
  /** When the next one is due. */
  soonest(): number | undefined;
  /** Takes the next one out. */
  take(): (() => void) | undefined;
  clear(): void;
}

/** So many that were called off may stay before the heap is made anew. */
const mostCalledOff = 500;

export function createTimerHeap(): TimerHeap {
  let heap: Timer[] = [];
  let order = 0;
  let calledOff = 0;

  function isBefore(one: Timer | undefined, other: Timer | undefined): boolean {
    if (!one || !other) return one !== undefined;
    return one.due < other.due || (one.due === other.due && one.order < other.order);
  }

  function swap(one: number, other: number): void {
    const [first, second] = [heap[one], heap[other]];
    if (!first || !second) return;
    heap[one] = second;
    heap[other] = first;
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!isBefore(heap[at], heap[above])) return;
      swap(at, above);
      at = above;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const below = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!isBefore(heap[below], heap[at])) return;
      swap(at, below);
      at = below;
    }
  }

  function removeFirst(): Timer | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (heap.length > 0 && last) {
      heap[0] = last;
      sink();
    }
    return first;
  }

  function compact(): void {
    // Sorted, it is a heap.
    heap = heap.filter(({ action }) => action !== null).toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
    calledOff = 0;
  }

  return {
    add(due, action) {
      order += 1;
      const timer: Timer = { due, order, action };
      heap.push(timer);
      rise(heap.length - 1);
      return () => {
        if (timer.action === null) return;
        timer.action = null;
        calledOff += 1;
        if (calledOff > mostCalledOff) compact();
      };
    },
    soonest() {
      while (heap[0]?.action === null) {
        removeFirst();
        calledOff -= 1;
      }
      return heap[0]?.due;
    },
    take() {
      const timer = removeFirst();
      const action = timer?.action ?? undefined;
      // It must not count as called off afterwards: it is out of the heap.
      if (timer) timer.action = null;
      return action;
    },
    clear() {
      heap = [];
      order = 0;
      calledOff = 0;
    },
  };
}
