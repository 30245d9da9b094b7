import { type Clock, sleep } from "../../process/clock.ts";
import type { Paces, RunToken, Timers } from "../../storage/store.ts";

/** Answers to people go first, then the ends of tracked jobs, then alerts, then progress. */
export type Priority = "answer" | "ending" | "alert" | "progress";

const order: Priority[] = ["answer", "ending", "alert", "progress"];
// Slack accepts short bursts, but over a longer time about one message a second and channel.
const pace = { burst: 3, everyMs: 1_000 };

/**
 * Milliseconds by the machine's clock for which one proof of a run counts. Shorter than the time after which a silent instance counts as
 * dead.
 */
const provedForMs = 2_000;

/** The order and ownership of one item in a channel's queue. */
export interface QueueOptions {
  priority: Priority;
  /** A newer item with the same key takes this one's place while it waits. */
  key?: string;
  /** The timer's run that it is done for. If another instance has that run by then, the item is refused. */
  run?: RunToken | undefined;
}

/** Await it right before each call of Slack. Rejects with RunLost if another instance has the timer's run by now. */
export type Prove = () => Promise<void>;

interface Item extends QueueOptions {
  since: number;
  begin: (prove: Prove) => Promise<void>;
  skip: () => void;
  refuse: (reason: unknown) => void;
}

interface ChannelQueue {
  items: Item[];
  running: boolean;
}

export interface RateLimiter {
  /** Runs `work` in the channel's turn. Resolves with undefined if a newer item with the same key replaced it. */
  schedule<T>(queue: string, how: QueueOptions, work: (prove: Prove) => Promise<T>): Promise<T | undefined>;
  /** The number of waiting items in all channels, and when the oldest came (milliseconds since the epoch); null if none waits. */
  backlog(): { waiting: number; since: number | null };
}

/**
 * One queue per channel, at a pace that all instances share. Only an item that a newer one with the same key replaces is dropped. Once
 * `stopping` is aborted, every waiting and later item rejects with its reason.
 */
export function createRateLimiter(deps: {
  paces: Paces;
  timers: Pick<Timers, "prove">;
  clock: Clock;
  stopping: AbortSignal;
}): RateLimiter {
  const { paces, timers, clock, stopping } = deps;
  const queues = new Map<string, ChannelQueue>();

  stopping.addEventListener("abort", () => {
    for (const queue of queues.values()) for (const item of queue.items.splice(0)) item.refuse(stopping.reason);
  });

  /** Waits for the channel's turn, then starts its first item. */
  async function beginNext(name: string, queue: ChannelQueue): Promise<void> {
    const [next] = queue.items;
    if (!next) return;
    const { run } = next;
    const provedFrom = performance.now();
    try {
      // The store takes the turn and proves the run in one step. An instance that stood still would otherwise post again what another has
      // posted.
      const ms = await paces.take(`slack:${name}`, pace, run);
      if (ms > 0) return await sleep(clock, ms, stopping);
    } catch (error) {
      if (run || stopping.aborted) return refuse(queue, next, error);
      // Without the store the instances cannot share a pace, so each keeps to it alone.
      await sleep(clock, pace.everyMs, stopping);
    }
    if (take(queue, next)) await next.begin(createProve(run, provedFrom));
  }

  /** Removes the item from the queue. False if a newer one has replaced it. */
  function take({ items }: ChannelQueue, item: Item): boolean {
    const at = items.indexOf(item);
    if (at >= 0) items.splice(at, 1);
    return at >= 0;
  }

  function refuse(queue: ChannelQueue, item: Item, reason: unknown): void {
    if (take(queue, item)) item.refuse(reason);
  }

  function createProve(run: RunToken | undefined, provedFrom: number): Prove {
    let provedAt: number | null = provedFrom;
    return async () => {
      // By the machine's clock, as the signs of life. If the process stood still during the proof, prove again.
      while (run && (provedAt === null || performance.now() - provedAt > provedForMs)) {
        const now = performance.now();
        await timers.prove(run);
        provedAt = now;
      }
      // A retry after a rate limit, or with plain blocks, needs a new proof.
      provedAt = null;
    };
  }

  async function drain(name: string, queue: ChannelQueue): Promise<void> {
    if (queue.running) return;
    queue.running = true;
    // On a stop the abort listener has refused every waiting item, so the error is of no use here.
    while (queue.items.length > 0) await beginNext(name, queue).catch(() => {});
    queue.running = false;
    queues.delete(name);
  }

  function queueOf(name: string): ChannelQueue {
    const found = queues.get(name);
    if (found) return found;
    const queue: ChannelQueue = { items: [], running: false };
    queues.set(name, queue);
    return queue;
  }

  return {
    async schedule(name, how, work) {
      stopping.throwIfAborted();
      const queue = queueOf(name);
      const { key, priority } = how;
      return new Promise((resolve, reject) => {
        const item: Item = {
          ...how,
          since: clock.now(),
          begin: (prove) => work(prove).then(resolve, reject),
          skip: () => resolve(undefined),
          refuse: reject,
        };
        const older = queue.items.findIndex((waiting) => key !== undefined && waiting.key === key);
        if (older >= 0) queue.items.splice(older, 1)[0]?.skip();
        const before = queue.items.findIndex((waiting) => order.indexOf(waiting.priority) > order.indexOf(priority));
        queue.items.splice(before < 0 ? queue.items.length : before, 0, item);
        void drain(name, queue);
      });
    },
    backlog() {
      const items = [...queues.values()].flatMap((queue) => queue.items);
      const since = items.reduce<number | null>((oldest, item) => Math.min(oldest ?? item.since, item.since), null);
      return { waiting: items.length, since };
    },
  };
}
