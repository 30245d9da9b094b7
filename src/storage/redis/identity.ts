import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { StoreGone } from "./failures.ts";

/** The format of this version. */
const format = 1;

const Identity = z.object({ store: z.string(), format: z.number() });

/** Finds the store's identity, a text; creates a store if there is none. Throws StorageError for a store of a newer version. */
export async function findIdentity(client: Client, prefix: string, log: Logger): Promise<string> {
  const fresh = JSON.stringify({ store: randomUUID(), format });
  const isNew = (await client.set(`${prefix}identity`, fresh, { condition: "NX" })) !== null;
  if (isNew) log.info({ prefix }, "this Redis had no store under STORE_PREFIX: Rackbell created a new, empty one");
  const found = isNew ? fresh : await client.get(`${prefix}identity`);
  const known = Identity.parse(JSON.parse(found ?? fresh)).format;
  if (known > format)
    throw new StorageError(
      `A newer version of Rackbell (format ${known}; this one knows up to ${format}) wrote what is in this Redis. Nothing was changed. Start the newer version, or set another STORE_PREFIX.`,
    );
  return found ?? fresh;
}

/** Throws StoreGone if Redis has another store by now, or none. */
export async function checkIdentity(client: Client, prefix: string, identity: string, place: string): Promise<void> {
  if ((await client.get(`${prefix}identity`)) === identity) return;
  throw new StoreGone(
    `The Redis at ${place} no longer has this store: Redis was emptied, or another store took its place. Rackbell serves nothing, and nothing was changed. ` +
      "Restore the data, or start Rackbell again, which creates a new, empty store there.",
  );
}
