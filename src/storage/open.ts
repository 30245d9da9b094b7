import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { openEmbedded } from "./embedded/database.ts";
import { StorageError } from "./errors.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store that `url` (STORE_URL) names: `sqlite:<path>`, relative to the working directory, or `sqlite::memory:`.
 * Throws StorageError with a sentence for the operator where it cannot; a URL is never repeated in it whole, since it may carry a password.
 */
export async function openStore(options: { url: string; clock: Clock; log: Logger }): Promise<Store> {
  const { url, clock, log } = options;
  if (/^rediss?:/i.test(url)) {
    throw new StorageError(
      "STORE_URL names a Redis, which this version cannot use yet. Use a file instead, such as sqlite:data/rackbell.db.",
    );
  }
  const path = /^sqlite:(.+)$/is.exec(url)?.[1];
  if (path === undefined) {
    throw new StorageError("STORE_URL is not understood. It names a file, such as sqlite:data/rackbell.db.");
  }
  return openEmbedded({ path, clock, log });
}
