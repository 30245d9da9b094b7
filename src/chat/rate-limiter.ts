import { type Clock, sleep } from "../clock.ts";

/** People's answers go before the endings of what is followed, and those before progress. */
export type Priority = "answer" | "ending" | "progress";

const order: Priority[] = ["answer", "ending", "progress"];
// Slack takes short bursts; over a longer time about one message a second and channel.
const burst = 3;
const every = 1_000;

interface Item {
  priority: Priority;
  /** A newer item with the same key takes this one's place while it waits. */
  key: string | null;
  run: () => Promise<void>;
  skip: () => void;
  refuse: (reason: unknown) => void;
}

interface ChannelQueue {
  items: Item[];
  running: boolean;
  tokens: number;
  filledAt: number;
}

export interface RateLimiter {
  /** Runs `work` when it is this channel's turn; resolves to undefined if a newer one with the same key took its place. */
  schedule<T>(lane: string, priority: Priority, work: () => Promise<T>, key?: string): Promise<T | undefined>;
  /** How many wait, over all channels. */
  waiting(): number;
}

/**
 * A queue per channel that keeps to Slack's pace; nothing in it is dropped but progress that newer progress replaced. Once `stopping` is
 * aborted, all that waits rejects with its reason, and so does all that comes.
 */
export function createRateLimiter(clock: Clock, stopping: AbortSignal): RateLimiter {
  const lanes = new Map<string, ChannelQueue>();

  stopping.addEventListener("abort", () => {
    for (const lane of lanes.values()) for (const item of lane.items.splice(0)) item.refuse(stopping.reason);
  });

  function refill(lane: ChannelQueue): void {
    const earned = Math.floor((clock.monotonic() - lane.filledAt) / every);
    if (earned <= 0) return;
    lane.tokens = Math.min(burst, lane.tokens + earned);
    lane.filledAt += earned * every;
  }

  async function drain(name: string, lane: ChannelQueue): Promise<void> {
    if (lane.running) return;
    lane.running = true;
    while (lane.items.length > 0) {
      refill(lane);
      if (lane.tokens < 1) {
        await sleep(clock, Math.max(1, lane.filledAt + every - clock.monotonic()), stopping).catch(() => {});
        continue;
      }
      const item = lane.items.shift();
      lane.tokens -= 1;
      await item?.run();
    }
    lane.running = false;
    refill(lane);
    if (lane.tokens === burst) lanes.delete(name);
  }

  function laneOf(name: string): ChannelQueue {
    const known = lanes.get(name);
    if (known) return known;
    const lane: ChannelQueue = { items: [], running: false, tokens: burst, filledAt: clock.monotonic() };
    lanes.set(name, lane);
    return lane;
  }

  return {
    async schedule(name, priority, work, key) {
      stopping.throwIfAborted();
      const lane = laneOf(name);
      return new Promise((resolve, reject) => {
        const item: Item = {
          priority,
          key: key ?? null,
          run: () => work().then(resolve, reject),
          skip: () => resolve(undefined),
          refuse: reject,
        };
        const older = lane.items.findIndex((waiting) => key !== undefined && waiting.key === key);
        if (older >= 0) lane.items.splice(older, 1)[0]?.skip();
        const before = lane.items.findIndex((waiting) => order.indexOf(waiting.priority) > order.indexOf(priority));
        lane.items.splice(before < 0 ? lane.items.length : before, 0, item);
        void drain(name, lane);
      });
    },
    waiting: () => [...lanes.values()].reduce((sum, lane) => sum + lane.items.length, 0),
  };
}
