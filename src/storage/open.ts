import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { openEmbedded } from "./embedded/database.ts";
import { StorageError } from "./errors.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store that `url` (STORE_URL) names: `sqlite:<path>`, relative to the working directory, `sqlite::memory:`, or
 * `redis://…` and `rediss://…`, where `prefix` (STORE_PREFIX) keeps several deployments apart. Throws StorageError with a sentence
 * for the operator where it cannot; a URL is never repeated in it whole, since it may carry a password.
 */
export async function openStore(options: { url: string; prefix?: string; clock: Clock; log: Logger }): Promise<Store> {
  const { url, prefix = "rackbell", clock, log } = options;
  if (/^rediss?:/i.test(url)) {
    // Only whoever uses it loads it.
    const { openRedis } = await import("./redis/store.ts");
    return openRedis({ url, prefix, clock, log });
  }
  const path = /^sqlite:(.+)$/is.exec(url)?.[1];
  if (path === undefined) {
    throw new StorageError(
      "STORE_URL is not understood. It names a file, such as sqlite:data/rackbell.db, or a Redis.",
    );
  }
  return openEmbedded({ path, clock, log });
}
