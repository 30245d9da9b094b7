import { type Clock, sleep } from "../clock.ts";
import type { Paces } from "../storage/store.ts";

/** People's answers go before the endings of what is followed, those before alerts, and those before progress. */
export type Priority = "answer" | "ending" | "alert" | "progress";

const order: Priority[] = ["answer", "ending", "alert", "progress"];
// Slack takes short bursts; over a longer time about one message a second and channel.
const pace = { burst: 3, everyMs: 1_000 };

interface Item {
  priority: Priority;
  since: number;
  /** A newer item with the same key takes this one's place while it waits. */
  key: string | null;
  run: () => Promise<void>;
  skip: () => void;
  refuse: (reason: unknown) => void;
}

interface ChannelQueue {
  items: Item[];
  running: boolean;
}

export interface RateLimiter {
  /** Runs `work` when it is this channel's turn; resolves to undefined if a newer one with the same key took its place. */
  schedule<T>(lane: string, priority: Priority, work: () => Promise<T>, key?: string): Promise<T | undefined>;
  /** How many wait, over all channels, and since when the first of them has (milliseconds since the epoch); null where none does. */
  backlog(): { waiting: number; since: number | null };
}

/**
 * A queue per channel that keeps to Slack's pace, together with those of all other instances; nothing in it is dropped but progress
 * that newer progress replaced. Once `stopping` is aborted, all that waits rejects with its reason, and so does all that comes.
 */
export function createRateLimiter(deps: { paces: Paces; clock: Clock; stopping: AbortSignal }): RateLimiter {
  const { paces, clock, stopping } = deps;
  const lanes = new Map<string, ChannelQueue>();

  stopping.addEventListener("abort", () => {
    for (const lane of lanes.values()) for (const item of lane.items.splice(0)) item.refuse(stopping.reason);
  });

  /** Resolves when it is this channel's turn. */
  async function turn(name: string): Promise<void> {
    for (;;) {
      // While the store does not say how far the others are, each keeps to the pace for itself.
      const ms = await paces.take(`slack:${name}`, pace).catch(() => null);
      if (ms === 0) return;
      await sleep(clock, ms ?? pace.everyMs, stopping);
      if (ms === null) return;
    }
  }

  async function drain(name: string, lane: ChannelQueue): Promise<void> {
    if (lane.running) return;
    lane.running = true;
    while (lane.items.length > 0) {
      // Whoever waits is refused when it stops.
      await turn(name).catch(() => {});
      await lane.items.shift()?.run();
    }
    lane.running = false;
    lanes.delete(name);
  }

  function laneOf(name: string): ChannelQueue {
    const known = lanes.get(name);
    if (known) return known;
    const lane: ChannelQueue = { items: [], running: false };
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
          since: clock.now(),
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
    backlog() {
      const items = [...lanes.values()].flatMap((lane) => lane.items);
      const since = items.reduce<number | null>((oldest, item) => Math.min(oldest ?? item.since, item.since), null);
      return { waiting: items.length, since };
    },
  };
}
