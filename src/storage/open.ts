import type { Logger } from "pino";
import type { Clock } from "../process/clock.ts";
import { createStore } from "./create.ts";
import { StorageError } from "./errors.ts";
import { createSqlite } from "./sqlite/engine.ts";
import { openFile } from "./sqlite/file.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store at `url` (STORE_URL): `sqlite:<path>`, relative to the working directory, `sqlite::memory:`, or `redis://…` and
 * `rediss://…`. `prefix` (STORE_PREFIX) separates several deployments on one Redis. Throws StorageError with a sentence for the operator,
 * which never repeats the URL, since it may contain a password.
 */
export async function openStore(options: { url: string; prefix?: string; clock: Clock; log: Logger }): Promise<Store> {
  const { url, prefix = "rackbell", clock, log } = options;
  if (/^rediss?:/i.test(url)) {
    // Deployments on SQLite need not load the Redis client.
    const { openRedis } = await import("./redis/engine.ts");
    return createStore(await openRedis({ url, prefix, log }), { clock, log, alone: false }).store;
  }
  const path = /^sqlite:(.+)$/is.exec(url)?.[1];
  if (path === undefined)
    throw new StorageError(
      "STORE_URL is not understood. It names a file, such as sqlite:data/rackbell.db, or a Redis.",
    );
  return createStore(createSqlite(openFile(path), { clock, log }), { clock, log, alone: true }).store;
}
