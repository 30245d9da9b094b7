import { pino } from "pino";
import { systemClock } from "../../../src/clock.ts";
import { type Opening, openRedis, openRedisOnce } from "../../../src/storage/redis/store.ts";
import type { Store } from "../../../src/storage/store.ts";
import type { Place } from "../contract.ts";
import type { RedisServer } from "./server.ts";

/** The whole of a Redis, emptied. */
export async function prepareRedis(server: RedisServer): Promise<Place> {
  server.cli("FLUSHALL");
  const silent = pino({ level: "silent" });
  // The first of all begins the store, and says so: no test asks for that.
  await (await openRedis({ url: server.url, prefix: "rackbell", clock: systemClock, log: silent })).close();
  const openings = new Map<Store, Opening>();
  return {
    url: server.url,
    async open(log) {
      const opening = await openRedisOnce({ url: server.url, prefix: "rackbell", clock: systemClock, log });
      openings.set(opening.store, opening);
      return opening.store;
    },
    async crash(store) {
      openings.get(store)?.vanish();
    },
    now: systemClock.now,
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async remove() {},
  };
}
