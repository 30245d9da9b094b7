import type { Client } from "./client.ts";
import type { RedisConnection } from "./connection.ts";
import type { Disk } from "./disk.ts";
import { runReading, runScript, type Script } from "./script.ts";

/** The calls of an opening to its Redis. All reject with StorageError. */
export interface Calls {
  prefix: string;
  read<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** Runs a write, and resolves when it is as durable as this Redis can make it. */
  keep<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** A script that only reads. */
  readScript<R>(script: Script<R>, ...args: (string | number)[]): Promise<R>;
  /** Runs a script as `keep` does. */
  write<R>(script: Script<R>, ...args: (string | number)[]): Promise<R>;
  /** A script without durability: its effect may be lost in a crash. If it fails, it may still have had an effect. */
  writeVolatile<R>(script: Script<R>, ...args: (string | number)[]): Promise<R>;
}

/** `writing` needs its own connection: a wait for the disk blocks every call behind it. */
export function createCalls(prefix: string, reading: RedisConnection, writing: RedisConnection, disk: Disk): Calls {
  async function keep<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const result = await writing.write(run);
    await disk.settle(writing);
    return result;
  }

  return {
    prefix,
    read: reading.read,
    keep,
    readScript: (script, ...args) => reading.read((client) => runReading(client, script, prefix, args)),
    writeVolatile: (script, ...args) => reading.write((client) => runScript(client, script, prefix, args)),
    write: (script, ...args) => keep((client) => runScript(client, script, prefix, args)),
  };
}
