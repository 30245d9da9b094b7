import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import { StorageError } from "../errors.ts";
import { type Client, createOutageLog, openClient, readAddress } from "./client.ts";
import { createRedisConnection, type RedisConnection } from "./connection.ts";
import { createDisk, type Disk, readServerSettings } from "./disk.ts";
import { explain, StoreGone } from "./failures.ts";
import { createLine, openClusterLine, type RedisLine } from "./line.ts";

/** The connections to one store in a Redis, and what is known of its disk. */
export interface Connections {
  /** Its address in sentences. */
  place: string;
  reading: RedisConnection;
  writing: RedisConnection;
  disk: Disk;
  /** Reads the server's settings again. */
  refresh(): Promise<void>;
}

export async function openConnections(
  url: string,
  prefix: string,
  { log, waitMs }: { log: Logger; waitMs: number },
): Promise<Connections> {
  const address = readAddress(url);
  const { name: place } = address;
  const away = createOutageLog(log);
  const open = () => openClient(address, { away, waitMs });
  const first = await open();
  const lines = [createLine(first)];
  try {
    let settings = await readServerSettings(first);
    const { cluster } = settings;
    const openLine = async (): Promise<RedisLine> => {
      const line = cluster ? await openClusterLine(address, { key: prefix, away }) : createLine(await open());
      lines.push(line);
      return line;
    };
    const line = cluster ? await openLine() : createLine(first);
    if (cluster) first.destroy();
    const identity = await findIdentity(line.client(), prefix, log);
    const check = async (asked: Client): Promise<void> => {
      await checkIdentity(asked, prefix, identity, place);
      // After a failover another server answers, with settings of its own.
      settings = await readServerSettings(asked);
    };
    const reading = createRedisConnection(line, place, check);
    // A wait for the disk blocks every call behind it on the same connection, reads included.
    const writing = settings.hasWait ? createRedisConnection(await openLine(), place, check) : reading;
    async function refresh(): Promise<void> {
      settings = await reading.read(readServerSettings);
    }
    return { place, reading, writing, disk: createDisk(() => settings, refresh), refresh };
  } catch (error) {
    for (const line of lines) line.destroy();
    throw explain(error, place, true);
  }
}

const format = 1;
const Identity = z.object({ store: z.string(), format: z.number() });

/** Finds the store's identity, a text, or creates a store. Throws StorageError for a store of a newer version. */
async function findIdentity(client: Client, prefix: string, log: Logger): Promise<string> {
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
async function checkIdentity(client: Client, prefix: string, identity: string, place: string): Promise<void> {
  if ((await client.get(`${prefix}identity`)) === identity) return;
  throw new StoreGone(
    `The Redis at ${place} no longer has this store: Redis was emptied, or another store took its place. Rackbell serves nothing, and nothing was changed. ` +
      "Restore the data, or start Rackbell again, which creates a new, empty store there.",
  );
}
