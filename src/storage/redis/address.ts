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
