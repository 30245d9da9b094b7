import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Clock } from "../../../src/process/clock.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createStore } from "../../../src/storage/create.ts";
import type { Engine } from "../../../src/storage/engine.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import { createSqlite } from "../../../src/storage/sqlite/engine.ts";
import { type File, openFile } from "../../../src/storage/sqlite/file.ts";
import type { Store } from "../../../src/storage/store.ts";
import type { Place } from "../contract.ts";

/** Several openings of one file, as of several instances, which SQLite itself does not admit. */
export interface SharedFile {
  open(log: Logger): { store: Store; engine: Engine };
  /** Ends an opening at once, as a crash would. */
  crash(instance: string): Promise<void>;
  /** Has the others take this one for gone although it lives. */
  giveUp(instance: string): Promise<void>;
}

export function shareFile(openIt: () => File, clock: Clock): SharedFile {
  const openings = new Map<string, { engine: Engine; halt(): void }>();
  let shared: Engine | undefined;

  async function left(instance: string): Promise<void> {
    if (!openings.delete(instance) || openings.size > 0) return;
    const last = shared;
    shared = undefined;
    await last?.close();
  }

  function openingOf(file: Engine): Engine {
    const instance = randomUUID();
    function check(): void {
      if (!openings.has(instance)) throw new StorageError("The store is closed. Nothing was changed.");
    }
    return {
      ...file,
      instance,
      get(key) {
        check();
        return file.get(key);
      },
      async apply(change, options) {
        check();
        const { gone, ...rest } = change;
        return gone !== undefined && openings.has(gone) ? undefined : file.apply(rest, options);
      },
      async range(index, query) {
        check();
        return file.range(index, query);
      },
      async turn(name, burst, everyMs) {
        check();
        return file.turn(name, burst, everyMs);
      },
      alive: (other) => openings.has(other),
      lookEveryMs: 100,
      close: () => left(instance),
    };
  }

  return {
    open(log) {
      shared ??= createSqlite(openIt(), { clock, log });
      const engine = openingOf(shared);
      const { store, halt } = createStore(engine, { clock, log, alone: openings.size === 0 });
      openings.set(engine.instance, { engine, halt });
      return { store, engine };
    },
    async crash(instance) {
      openings.get(instance)?.halt();
      await left(instance);
    },
    async giveUp(instance) {
      const { engine } = openings.get(instance) ?? {};
      for await (const [key, text] of engine?.scan("mark:~run:") ?? [])
        if (text.startsWith(instance)) await engine?.apply({ texts: [{ key, text: undefined }] }, { lasts: "soon" });
    },
  };
}

/** A file of its own. */
export async function prepareSqlite(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-store-"));
  const path = join(folder, "store.db");
  const clock = createSandboxClock();
  const file = shareFile(() => openFile(path), clock);
  return {
    url: `sqlite:${path}`,
    prefix: "rackbell",
    open: async (log) => file.open(log).store,
    crash: ({ instance }) => file.crash(instance),
    giveUp: ({ instance }) => file.giveUp(instance),
    now: clock.now,
    pass: async (ms) => clock.skip(ms),
    async remove() {
      rmSync(folder, { recursive: true });
    },
  };
}
