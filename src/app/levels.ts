import type { Logger } from "pino";
import { connectionFigures } from "../alerts/slack-connections.ts";
import { socketFigures } from "../alerts/socket-check.ts";
import type { Chat } from "../messages/chat/chat.ts";
import type { Platform } from "../platform/platform.ts";
import type { Clock } from "../process/clock.ts";
import type { Metrics } from "../process/metrics.ts";
import type { WorkQueue } from "../slack/queue.ts";
import type { Store } from "../storage/store.ts";
import type { Rooms } from "./rooms.ts";

/** Sets the gauges right before Prometheus reads them. It never fails: while the store is away, gauges that need it are left out. */
export function createLevels(deps: {
  metrics: Metrics;
  rooms: Pick<Rooms, "levels" | "context">;
  store: Pick<Store, "timers" | "read">;
  queue: WorkQueue;
  chat: Pick<Chat, "backlog">;
  platform: Pick<Platform, "budgets">;
  clock: Clock;
  log: Logger;
}): () => Promise<void> {
  const { metrics, rooms, store, queue, chat, platform, clock, log } = deps;

  function ageSeconds(since: number | null): number {
    return since === null ? 0 : Math.max(0, clock.now() - since) / 1_000;
  }

  function setOwn(): void {
    for (const [name, { waiting, since }] of [
      ["work", queue.backlog()],
      ["chat", chat.backlog()],
    ] as const)
      metrics.setQueue(name, { depth: waiting, ageSeconds: ageSeconds(since) });
    const budgets = platform.budgets();
    for (const name of ["customer", "reseller"]) {
      const left = budgets.flatMap(({ api, remaining, limit }) =>
        api === name && limit > 0 ? [remaining / limit] : [],
      );
      metrics.budgetLeft.set({ api: name }, Math.min(1, ...left));
    }
    metrics.operationsWithoutRoute.set(rooms.context.drift.last()?.missing.length ?? 0);
  }

  async function readStored() {
    try {
      return {
        levels: await rooms.levels(),
        lanes: await store.timers.backlog(),
        connections: await connectionFigures(rooms.context),
        checks: await socketFigures({ store, clock }),
      };
    } catch (error) {
      log.warn({ err: error }, "the store does not show its size, so the metrics leave it out");
      return null;
    }
  }

  return async () => {
    const stored = await readStored();
    metrics.forgetLevels();
    setOwn();
    metrics.storeUp.set(stored === null ? 0 : 1);
    if (!stored) return;
    const { requests, following, undelivered } = stored.levels;
    for (const [state, count] of Object.entries(requests)) metrics.requestsOpen.set({ state }, count);
    metrics.followUpsRunning.set(following);
    metrics.cardsUndelivered.set(undelivered);
    for (const [kind, value] of Object.entries(stored.connections ?? {})) metrics.slackConnections.set({ kind }, value);
    for (const [outcome, value] of Object.entries(stored.checks ?? {})) metrics.slackChecks.set({ outcome }, value);
    for (const { lane, due, since, failing } of stored.lanes)
      metrics.setQueue(lane.replace(/:$/, ""), { depth: due, ageSeconds: ageSeconds(since), failing });
  };
}
