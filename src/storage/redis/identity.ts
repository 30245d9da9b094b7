import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { StoreGone } from "./failures.ts";

const format = 1;
const Identity = z.object({ store: z.string(), format: z.number() });

/** Finds the store's identity, a text, or creates a store. Throws StorageError for a store of a newer version. */
export async function findIdentity(client: Client, prefix: string, log: Logger): Promise<string> {
  const fresh = JSON.stringify({ store: randomUUID(), format });
  if ((await client.set(`${prefix}identity`, fresh, { condition: "NX" })) === "OK") {
    log.info({ prefix }, "this Redis had no store under STORE_PREFIX: Rackbell created a new, empty one");
    return fresh;
  }
  const found = (await client.get(`${prefix}identity`)) ?? fresh;
  const kept = Identity.parse(JSON.parse(found)).format;
  if (kept <= format) return found;
  throw new StorageError(
    `A newer version of Rackbell (format ${kept}; this one knows up to ${format}) wrote what is in this Redis. Nothing was changed. Start the newer version, or set another STORE_PREFIX.`,
  );
}

/** Throws StoreGone if Redis has another store by now, or none. */
export async function checkIdentity(client: Client, prefix: string, identity: string, place: string): Promise<void> {
  if ((await client.get(`${prefix}identity`)) === identity) return;
  throw new StoreGone(
    `The Redis at ${place} no longer has this store: Redis was emptied, or another store took its place. Rackbell serves nothing, and nothing was changed. ` +
      "Restore the data, or start Rackbell again, which creates a new, empty store there.",
  );
}
