import type { Logger } from "pino";
import { readAddress } from "./address.ts";
import { type Client, createOutageLog, openClient } from "./client.ts";
import { createRedisConnection, type RedisConnection } from "./connection.ts";
import { createDisk, type Disk, readServerSettings } from "./disk.ts";
import { explain } from "./failures.ts";
import { checkIdentity, findIdentity } from "./identity.ts";
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
