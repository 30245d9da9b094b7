import { StorageError } from "../errors.ts";

/** Has the disk confirm commits. */
export interface Flush {
  /** Resolves when the disk has confirmed all commits that were made before. */
  run(): Promise<void>;
  /** Throws if the disk has failed. */
  check(): void;
  hasFailed(): boolean;
  /** The disk failed: from now on every flush does. */
  fail(cause: unknown): StorageError;
}

/** `sync`: asks the disk once, in a thread of libuv, since a slow disk must not block the process. `failed`: called once. */
export function createFlush(sync: () => Promise<void>, failed: (error: StorageError) => void): Flush {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let broken: StorageError | undefined;

  /** After a failed flush the system may have dropped what was written, and a second one would succeed without it: only a restart shows what the disk has. */
  function fail(cause: unknown): StorageError {
    if (broken) return broken;
    broken = new StorageError(
      "The disk failed, so the store takes nothing more. It is not known whether this was kept. Check the disk, and start Rackbell again.",
      { cause },
    );
    failed(broken);
    return broken;
  }

  function check(): void {
    if (broken) throw broken;
  }

  async function flush(): Promise<void> {
    check();
    await sync().catch((cause: unknown) => {
      throw fail(cause);
    });
    check();
  }

  return {
    check,
    hasFailed: () => broken !== undefined,
    fail,
    run() {
      // The flush under way may have begun before this commit. All that wait for it share the one after it.
      next ??= (running ?? Promise.resolve())
        .catch(() => {})
        .then(() => {
          running = next;
          next = undefined;
          return flush();
        });
      return next;
    },
  };
}
