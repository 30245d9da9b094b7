import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { StoreGone } from "./failures.ts";

/** The form in which this version keeps everything. */
const format = 1;

const Identity = z.object({ store: z.string(), format: z.number() });

/** Begins a store under the prefix, or finds the one that is there; its identity, as a text. Throws StorageError for one of a newer version. */
export async function findIdentity(client: Client, prefix: string, log: Logger): Promise<string> {
  const fresh = JSON.stringify({ store: randomUUID(), format });
  if ((await client.set(`${prefix}identity`, fresh, { NX: true })) !== null) {
    log.info({ prefix }, "this Redis held no store under STORE_PREFIX: a new, empty one was begun");
    return fresh;
  }
  const found = (await client.get(`${prefix}identity`)) ?? "";
  const { format: kept } = Identity.parse(JSON.parse(found));
  if (kept <= format) return found;
  throw new StorageError(
    `A newer version of Rackbell (format ${kept}; this one knows up to ${format}) wrote what is in this Redis. Nothing was changed. Start the newer version, or set another STORE_PREFIX.`,
  );
}

/** Throws StoreGone where another store, or none, is there by now. */
export async function checkIdentity(client: Client, prefix: string, identity: string, place: string): Promise<void> {
  if ((await client.get(`${prefix}identity`)) === identity) return;
  throw new StoreGone(
    `The Redis at ${place} does not hold this store any more: it was emptied, or another one took its place. Nothing is served and nothing was changed. ` +
      "Bring the data back; or start Rackbell again, which begins a new, empty store there.",
  );
}
