import { createClient, ErrorReply, ReconnectStrategyError } from "@redis/client";
import type { Logger } from "pino";
import { StorageError } from "../errors.ts";
import { refusalWords } from "./failures.ts";

/** The address of a Redis with the login. */
export interface Address {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
  database: number;
  /** Host and port for sentences, without a secret. */
  name: string;
}

const usualPort = 6379;
const notUnderstood = "STORE_URL is not understood.";

/**
 * Parses `redis[s]://[user[:password]@]host[:port][/database]`. Throws StorageError, without repeating the URL, for anything else: an
 * ignored option could be one that the operator relies on.
 */
export function readAddress(url: string): Address {
  const parsed = URL.parse(url);
  if (
    !parsed?.hostname ||
    /[,%]/.test(parsed.hostname) ||
    parsed.search ||
    parsed.hash ||
    !/^\/?\d{0,4}$/.test(parsed.pathname)
  ) {
    throw new StorageError(
      `${notUnderstood} For one Redis it is redis://user:password@host:6379/0, or rediss:// with TLS; for several addresses or options there is no way to say them.`,
    );
  }
  const { hostname, port, username, password, pathname, protocol } = parsed;
  const number = Number(port || usualPort);
  const login = decoded({ username, password });
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: number,
    tls: protocol.toLowerCase() === "rediss:",
    ...(username && { username: login.username }),
    ...(password && { password: login.password }),
    database: Number(pathname.slice(1)),
    name: `${hostname}:${number}`,
  };
}

/** The URIError of a lone "%" is no StorageError, so start, doctor and store tool would print its stack. */
function decoded({ username, password }: { username: string; password: string }) {
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    // Without the cause: the message must not repeat any part of the password.
    throw new StorageError(`${notUnderstood} In its user and password write % as %25.`);
  }
}

export type Client = ReturnType<typeof newClient>;

/** Refusals that Redis gave to reconnecting clients; none for a Redis that does not answer. */
const turnedAway = new WeakMap<Client, ErrorReply>();

/** The refusal for which this client cannot reconnect, if Redis gave one. */
export function whyTurnedAway(client: Client): ErrorReply | undefined {
  return turnedAway.get(client);
}

const connectWithinMs = 5_000;
const firstPauseMs = 50;
const longestPauseMs = 1_000;
/** Milliseconds of silence after which a connection is replaced. An opening sends three signs of life in that time. */
const silentForMs = 5_000;

/** Logs lost connections: once when the first is lost, and once when all are back. */
export interface OutageLog {
  lost(connection: object, error: unknown): void;
  found(connection: object): void;
}

export function createOutageLog(log: Logger): OutageLog {
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

/**
 * Opens a connected client. If it `stays`, it reconnects by itself while open. Throws StorageError if it cannot connect within `waitMs`
 * milliseconds or is refused.
 */
export async function openClient(
  address: Address,
  { away, waitMs, stays = true }: { away: OutageLog; waitMs: number; stays?: boolean },
): Promise<Client> {
  const began = performance.now();
  let opened = false;

  function reconnect(retries: number, cause: Error): number | Error {
    if (opened ? !stays : cause instanceof ErrorReply || performance.now() - began > waitMs) return cause;
    return Math.min(longestPauseMs, firstPauseMs * 2 ** retries) * (0.75 + Math.random() / 2);
  }

  const client = newClient(address, reconnect);
  client.on("error", (error: unknown) => {
    if (error instanceof ErrorReply) turnedAway.set(client, error);
    else turnedAway.delete(client);
    if (opened && stays) away.lost(client, error);
  });
  client.on("ready", () => {
    turnedAway.delete(client);
    away.found(client);
  });
  try {
    await client.connect();
  } catch (error) {
    const cause = error instanceof ReconnectStrategyError ? error.originalError : error;
    const why = cause instanceof ErrorReply ? refusalWords(cause) : "Nothing answers there, or not as a Redis does.";
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
    // Refuse calls while offline: a queued one could take effect long after its caller saw it fail.
    disableOfflineQueue: true,
    maintNotifications: "disabled",
  });
}
