import { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import type { Clock } from "../../../src/process/clock.ts";
import { storedItems } from "../../../src/storage/copy.ts";
import { createStore } from "../../../src/storage/create.ts";
import type { Engine, Item } from "../../../src/storage/engine.ts";
import { createSqlite } from "../../../src/storage/sqlite/engine.ts";
import { prepareFile } from "../../../src/storage/sqlite/file.ts";
import type { Store } from "../../../src/storage/store.ts";
import { createDraws } from "../../torture/draws.ts";
import type { Schedule } from "./schedule.ts";

/**
 * The store's file, in memory, as the system has it and as the disk has it: each flush is an event, which comes some time after its commit.
 * A crash comes between events, so that no transaction is ever open in one.
 */
export interface Disk {
  open(options: { clock: Clock; log: Logger }): Promise<Store>;
  /** The process dies by a power cut: of what the disk has not confirmed, the first part may be kept. */
  crash(): void;
  /** The disk does not confirm what it is asked next. */
  failFlush(): void;
  /** From now on the file must not grow, or may again. */
  fill(full: boolean): void;
  /** Somebody changes the file behind the app's back. */
  change(sql: string): void;
  /** All that is on the disk. */
  image(): Uint8Array;
  /** The same as a copy of the store has it, without what has expired by then. */
  items(now: number): Item[];
  /** Gives the file's memory back. */
  end(): void;
}

/** The file as a process sees it, and the flushes of it that have not come to the disk, each with its changes. */
interface Process {
  file: DatabaseSync;
  flushes: Uint8Array[];
  /** The changes since the last flush was asked for. */
  rest(): Uint8Array;
  over: boolean;
}

/** A write that may come to the file some milliseconds later comes at once, as it does to Redis. */
function atOnce(engine: Engine): Engine {
  return {
    ...engine,
    apply: (change, { lasts } = {}) =>
      engine.apply(change, lasts ? { lasts: lasts === "soon" ? "system" : lasts } : {}),
  };
}

/** The disk is empty, or has the content of `image`. */
export function createDisk(schedule: Schedule, image?: Uint8Array): Disk {
  const disk = new DatabaseSync(":memory:");
  if (image) disk.deserialize(image);
  prepareFile(disk);
  let current: Process | undefined;
  let before: DatabaseSync | undefined;
  let full = false;
  let fails = false;

  function keep(changes: Uint8Array): void {
    if (changes.length > 0 && !disk.applyChangeset(changes)) throw new Error("The disk did not take what was written");
  }

  function begin(): Process {
    // The code of a dead process may still read its own, to which nobody else looks.
    before?.close();
    const file = new DatabaseSync(":memory:");
    before = file;
    file.deserialize(disk.serialize());
    let session = file.createSession();
    return {
      file,
      flushes: [],
      rest() {
        const changes = session.changeset();
        session.close();
        session = file.createSession();
        return changes;
      },
      over: false,
    };
  }

  /** Asks the disk to keep what was changed so far: it does so in an event. */
  function flush(process: Process): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (process.over) return promise;
    process.flushes.push(process.rest());
    schedule.add("disk", "disk flushes", () => {
      if (process.over) return;
      if (fails) {
        fails = false;
        reject(new Error("EIO: i/o error, fdatasync"));
        return;
      }
      keep(process.flushes.shift() ?? new Uint8Array());
      resolve();
    });
    return promise;
  }

  function limit(file: DatabaseSync): void {
    const pages = Number(file.prepare("PRAGMA page_count").get()?.page_count ?? 0);
    file.exec(`PRAGMA max_page_count = ${full ? pages : 1_073_741_823}`);
  }

  return {
    async open({ clock, log }) {
      const process = begin();
      current = process;
      limit(process.file);
      const { file: db } = process;
      const engine = createSqlite({ db, sync: () => flush(process), close: () => {} }, { clock, log });
      return createStore(schedule.isOrderly ? atOnce(engine) : engine, { clock, log, alone: true }).store;
    },
    crash() {
      if (!current || current.over) return;
      const unconfirmed = [...current.flushes, current.rest()];
      current.over = true;
      schedule.drop((name) => name === "disk");
      fails = false;
      // Drawn from where the world stands, so that no other draw changes.
      const kept = createDraws(schedule.digest ^ schedule.events).between(0, unconfirmed.length);
      for (const changes of unconfirmed.slice(0, kept)) keep(changes);
    },
    failFlush() {
      fails = true;
    },
    fill(isFull) {
      full = isFull;
      if (current && !current.over) limit(current.file);
    },
    change(sql) {
      // A change of a file that is open comes to the disk with its next flush.
      (current && !current.over ? current.file : disk).exec(sql);
    },
    image: () => disk.serialize(),
    items: (now) => [...storedItems(disk, now)],
    end() {
      before?.close();
      before = undefined;
      disk.close();
    },
  };
}
