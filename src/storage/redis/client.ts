import { createClient, ErrorReply, ReconnectStrategyError } from "@redis/client";
import type { Logger } from "pino";
import { StorageError } from "../errors.ts";
import type { Address } from "./address.ts";
import { refusalOf } from "./failures.ts";

export type Client = ReturnType<typeof newClient>;

const connectWithinMs = 5_000;
const firstPauseMs = 50;
const longestPauseMs = 1_000;
/** A connection over which nothing went either way for so long is made anew. An opening gives a sign of life three times in it. */
const silentForMs = 5_000;

/** What is said of connections that are lost: once for all of them, and once when all are there again. */
export interface Away {
  lost(connection: object, error: unknown): void;
  found(connection: object): void;
}

export function createAway(log: Logger): Away {
  const missing = new Set<object>();
  return {
    lost(connection, error) {
      if (missing.size === 0) log.error({ err: error }, "Redis cannot be reached");
      missing.add(connection);
    },
    found(connection) {
      if (missing.delete(connection) && missing.size === 0) log.info("Redis can be reached again");
    },
  };
}

/** A connected client, which connects again by itself for as long as it is open. Throws StorageError where there is no way in. */
export async function openClient(address: Address, away: Away, waitMs: number): Promise<Client> {
  const began = performance.now();
  let opened = false;

  function reconnect(retries: number, cause: Error): number | Error {
    if (!opened && (cause instanceof ErrorReply || performance.now() - began > waitMs)) return cause;
    return Math.min(longestPauseMs, firstPauseMs * 2 ** retries) * (0.75 + Math.random() / 2);
  }

  const client = newClient(address, reconnect);
  client.on("error", (error: unknown) => opened && away.lost(client, error));
  client.on("ready", () => away.found(client));
  try {
    await client.connect();
  } catch (error) {
    const cause = error instanceof ReconnectStrategyError ? error.originalError : error;
    const why = cause instanceof ErrorReply ? refusalOf(cause) : "Nothing answers there, or not as a Redis does.";
    throw new StorageError(`The Redis at ${address.name} cannot be used. ${why}`, { cause });
  }
  opened = true;
  return client;
}

function newClient(
  { name: _, host, port, tls, ...login }: Address,
  reconnect: (n: number, cause: Error) => number | Error,
) {
  const socket = {
    host,
    port,
    connectTimeout: connectWithinMs,
    socketTimeout: silentForMs,
    reconnectStrategy: reconnect,
  };
  return createClient({
    ...login,
    socket: tls ? { ...socket, tls: true } : socket,
    // What cannot be sent now is refused, so that nothing happens long after somebody was told that it failed.
    disableOfflineQueue: true,
    maintNotifications: "disabled",
  });
}
