import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import type { Client } from "./client.ts";
import { StoreGone } from "./failures.ts";
import type { Names } from "./names.ts";
import { newerWrote, oneAtATime, takeOver } from "./takeover.ts";

/** The format of this version. Format 1 had the same data under names without braces. */
const format = 2;

const Identity = z.object({ store: z.string(), format: z.number() });

/**
 * Finds the store's identity, a text. Creates a store if there is none, or takes over the data of an older version; a Cluster never had
 * one. Throws StorageError for a store of a newer version, and while an older instance runs.
 */
export async function findIdentity(
  client: Client,
  names: Names,
  { cluster, place, log }: { cluster: boolean; place: string; log: Logger },
): Promise<string> {
  const { prefix } = names;

  async function known(): Promise<string | null> {
    const found = await client.get(`${prefix}identity`);
    const foundFormat = found === null ? format : Identity.parse(JSON.parse(found)).format;
    if (foundFormat > format) throw newerWrote(foundFormat, format);
    return found;
  }

  return (
    (await known()) ??
    oneAtATime(client, prefix, async (keep) => {
      const begun = await known();
      if (begun !== null) return begun;
      const fresh = randomUUID();
      const store = cluster ? fresh : await takeOver(client, names, { fresh, format, place, keep, log });
      const identity = JSON.stringify({ store, format });
      await keep();
      // Write it last: an instance that finds the identity must find all data.
      await client.set(`${prefix}identity`, identity);
      if (store === fresh)
        log.info({ prefix }, "this Redis had no store under STORE_PREFIX: Rackbell created a new, empty one");
      return identity;
    })
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
