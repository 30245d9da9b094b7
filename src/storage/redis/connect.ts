import { randomUUID } from "node:crypto";
import { ErrorReply } from "@redis/client";
import type { Logger } from "pino";
import * as z from "#zod";
import { StorageError } from "../errors.ts";
import { type Client, createOutageLog, openClient, readAddress } from "./client.ts";
import { createRedisConnection, type RedisConnection } from "./connection.ts";
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

/** The durability of a Redis: waits for its disk and names its weaknesses. */
interface Disk {
  /** Resolves once every write answered on this connection is on disk, if this Redis can report that. */
  settle(connection: RedisConnection): Promise<void>;
  /** Settings with which this Redis may lose data, as sentences for the operator. */
  weaknesses(): string[];
}

/** The server's settings, read after connecting. */
export interface ServerSettings {
  cluster: boolean;
  /** Undefined if the server does not show it. */
  appendOnly: boolean | undefined;
  appendfsync: string | undefined;
  eviction: string | undefined;
  /** The server has WAITAOF, which reports that a write is on disk. */
  hasWait: boolean;
}

const waitWithinMs = 3_000;
const unconfirmed = "Redis did not confirm in time that this is on its disk. It is not known whether this was kept.";

/** `refresh` reads the settings again. */
export function createDisk(settings: () => ServerSettings, refresh: () => Promise<void>): Disk {
  let waiting: Promise<void> | undefined;

  /** The write before it was answered, so no failure here means that nothing was changed. */
  async function wait(connection: RedisConnection): Promise<void> {
    try {
      const reply = await connection.write((client) => client.sendCommand(["WAITAOF", "1", "0", String(waitWithinMs)]));
      if (Array.isArray(reply) && Number(reply[0]) >= 1) return;
    } catch (cause) {
      if (!(await isSwitchedOff(cause))) throw new StorageError(unconfirmed, { cause });
      return;
    }
    throw new StorageError(unconfirmed);
  }

  /** True if it refuses to wait since somebody switched its file off: there is nothing to wait for, and the weakness is reported. */
  async function isSwitchedOff(error: unknown): Promise<boolean> {
    if (!(error instanceof StorageError && error.cause instanceof ErrorReply)) return false;
    // An error of this reading changes nothing: then it is still unknown.
    await refresh().catch(() => {});
    return !waits(settings());
  }

  return {
    async settle(connection) {
      if (!waits(settings())) return;
      // Answers come in order: a write answered before WAITAOF was sent is covered by it, so callers share one wait.
      waiting ??= wait(connection).finally(() => (waiting = undefined));
      return waiting;
    },
    weaknesses: () => weaknessesOf(settings()),
  };
}

function waits({ appendOnly, appendfsync, hasWait }: ServerSettings): boolean {
  // With "no" the operating system decides when to write, so there is nothing to wait for.
  return hasWait && appendOnly === true && (appendfsync === "everysec" || appendfsync === undefined);
}

function weaknessesOf(settings: ServerSettings): string[] {
  const { appendOnly, appendfsync, eviction } = settings;
  const found: string[] = [];
  if (appendOnly === false) {
    found.push(
      "Redis writes no append-only file (appendonly no): when Redis ends, everything since its last snapshot is lost. Set appendonly yes and appendfsync always.",
    );
  } else if (appendOnly === undefined) {
    found.push("Redis does not show whether it keeps an append-only file. Set appendonly yes and appendfsync always.");
  } else if (appendfsync === "no") {
    found.push(
      "Redis does not write to its disk by itself (appendfsync no): a power cut may take the last half minute. Set appendfsync always.",
    );
  } else if (appendfsync !== "always" && !waits(settings)) {
    found.push(
      `Redis does not write to its disk at once (appendfsync ${appendfsync ?? "is not shown"}): a power cut may take the last second. Set appendfsync always, or use Redis 7.2 or newer.`,
    );
  }
  if (eviction !== undefined && eviction !== "noeviction") {
    found.push(`Redis deletes keys when it is full (maxmemory-policy ${eviction}). Set maxmemory-policy noeviction.`);
  }
  return found;
}

/** Reads the server's settings; those that it hides from this user are undefined. */
async function readServerSettings(client: Client): Promise<ServerSettings> {
  const info = await allowed(client.info());
  const config = await allowed(client.configGet("appendfsync"));
  const infoField = (name: string): string | undefined => new RegExp(`^${name}:(\\S*)`, "m").exec(info ?? "")?.[1];
  const [major = 0, minor = 0] = (infoField("redis_version") ?? "").split(".").map(Number);
  const appendOnly = infoField("aof_enabled");
  return {
    cluster: infoField("redis_mode") === "cluster",
    appendOnly: appendOnly === undefined ? undefined : appendOnly === "1",
    appendfsync: config?.appendfsync,
    eviction: infoField("maxmemory_policy"),
    hasWait: major > 7 || (major === 7 && minor >= 2),
  };
}

async function allowed<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ErrorReply && /^(NOPERM|ERR)/.test(error.message)) return undefined;
    throw error;
  });
}
