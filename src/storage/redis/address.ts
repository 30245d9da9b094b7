import { StorageError } from "../errors.ts";

/** Where a Redis is, and who asks there. */
export interface Address {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
  database: number;
  /** For sentences: host and port, and nothing secret. */
  name: string;
}

const usualPort = 6379;

/**
 * Reads `redis[s]://[user[:password]@]host[:port][/database]`. Throws StorageError, which repeats nothing of it, for anything
 * else: what would be passed over in silence could be what somebody relies on.
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
