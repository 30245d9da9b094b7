import { pino } from "pino";
import { sleep, systemClock } from "../../../src/process/clock.ts";
import { createStore } from "../../../src/storage/create.ts";
import { openRedis, type RedisEngine } from "../../../src/storage/redis/engine.ts";
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
  await (await openRedis({ url, prefix, log: silent })).close();
  const openings = new Map<Store, { engine: RedisEngine; halt(): void }>();
  return {
    url,
    prefix,
    async open(log) {
      const engine = await openRedis({ url, prefix, log });
      const { store, halt } = createStore(engine, { clock: systemClock, log, alone: false });
      openings.set(store, { engine, halt });
      return store;
    },
    async crash(store) {
      openings.get(store)?.halt();
      openings.get(store)?.engine.crash();
    },
    async giveUp(store) {
      const engine = openings.get(store)?.engine;
      if (!engine) return;
      for await (const [key, text] of engine.scan("mark:~run:"))
        if (text.startsWith(store.instance))
          await engine.apply({ texts: [{ key, text: undefined }] }, { lasts: "soon" });
    },
    now: systemClock.now,
    async pass(ms) {
      const end = systemClock.now() + ms;
      // A timeout may end a millisecond early by the clock of Redis: what should be over by then would not be.
      while (systemClock.now() <= end) await sleep(systemClock, end + 1 - systemClock.now());
    },
    async remove() {},
  };
}
