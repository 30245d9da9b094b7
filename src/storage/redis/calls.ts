import type { Client } from "./client.ts";
import type { Connection } from "./connection.ts";
import type { Disk } from "./disk.ts";
import { runScript, type Script } from "./script.ts";

/** What an opening asks of its Redis. All reject with StorageError. */
export interface Calls {
  prefix: string;
  read<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** Resolves when it is as safe as this Redis can make it. */
  keep<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** A script that reads, or whose effect nobody misses after a crash. */
  ask<R>(script: Script<R>, ...args: (string | number)[]): Promise<R>;
  /** A script, as `keep`. */
  write<R>(script: Script<R>, ...args: (string | number)[]): Promise<R>;
  /** A script, as `ask`, that may have done something when it fails. */
  tell<R>(script: Script<R>, ...args: (string | number)[]): Promise<R>;
}

/** `writing` is a connection of its own, since one that waits for the disk keeps all behind it waiting. */
export function createCalls(prefix: string, reading: Connection, writing: Connection, disk: Disk): Calls {
  async function keep<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const result = await writing.tell(run);
    await disk.settle(writing);
    return result;
  }

  return {
    prefix,
    read: reading.ask,
    keep,
    ask: (script, ...args) => reading.ask((client) => runScript(client, script, prefix, args)),
    tell: (script, ...args) => reading.tell((client) => runScript(client, script, prefix, args)),
    write: (script, ...args) => keep((client) => runScript(client, script, prefix, args)),
  };
}
