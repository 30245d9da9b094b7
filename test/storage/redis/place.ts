import { pino } from "pino";
import { systemClock } from "../../../src/clock.ts";
import { type Opening, openRedis, openRedisOnce } from "../../../src/storage/redis/store.ts";
import type { Store } from "../../../src/storage/store.ts";
import type { Place } from "../contract.ts";
import type { RedisServer } from "./server.ts";

let places = 0;

/** A prefix of its own on a Redis, so that tests can go on side by side. */
export async function prepareRedis({ url }: RedisServer): Promise<Place> {
  places += 1;
  const prefix = `place-${places}`;
  const silent = pino({ level: "silent" });
  // The first of all begins the store, and says so: no test asks for that.
  await (await openRedis({ url, prefix, clock: systemClock, log: silent })).close();
  const openings = new Map<Store, Opening>();
  return {
    url,
    prefix,
    async open(log) {
      const opening = await openRedisOnce({ url, prefix, clock: systemClock, log });
      openings.set(opening.store, opening);
      return opening.store;
    },
    async crash(store) {
      openings.get(store)?.vanish();
    },
    giveUp: async (store) => openings.get(store)?.giveUp(),
    now: systemClock.now,
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async remove() {},
  };
}
