import { StorageError } from "../errors.ts";

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
      "STORE_URL is not understood. For one Redis it is redis://user:password@host:6379/0, or rediss:// with TLS; for several addresses or options there is no way to say them.",
    );
  }
  const { hostname, port, username, password, pathname, protocol } = parsed;
  const number = Number(port || usualPort);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: number,
    tls: protocol.toLowerCase() === "rediss:",
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    database: Number(pathname.slice(1)),
    name: `${hostname}:${number}`,
  };
}
