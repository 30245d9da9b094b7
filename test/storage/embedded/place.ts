import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { type Database, openDatabase } from "../../../src/storage/embedded/database.ts";
import type { Opening } from "../../../src/storage/embedded/store.ts";
import type { Store } from "../../../src/storage/store.ts";
import { startInSharedThread } from "../../stories/shared-thread.ts";
import type { Place } from "../contract.ts";

const silent = pino({ level: "silent" });

/** A file of its own. It is opened once however many openings there are, since only one process may have it. */
export async function prepareEmbedded(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-store-"));
  const path = join(folder, "store.db");
  const clock = createSandboxClock();
  const openings = new Map<Store, Opening>();
  let database: Database | undefined;

  async function open(log: Logger): Promise<Store> {
    database ??= await openDatabase({ path, clock, log, start: startInSharedThread });
    const opening = database.open(log);
    const store: Store = {
      ...opening.store,
      async close() {
        await opening.store.close();
        openings.delete(store);
        if (openings.size === 0) database = undefined;
      },
    };
    openings.set(store, opening);
    return store;
  }

  return {
    url: `sqlite:${path}`,
    prefix: "rackbell",
    open,
    async crash(store) {
      openings.get(store)?.vanish();
      openings.delete(store);
    },
    giveUp: async (store) => openings.get(store)?.giveUp(),
    now: clock.now,
    pass: async (ms) => clock.skip(ms),
    async remove() {
      // Its last opening crashed: the next one finds it open, and closes it.
      await database?.open(silent).store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
