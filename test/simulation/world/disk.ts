import { EventEmitter } from "node:events";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { FromThread, ToThread } from "../../../src/storage/embedded/protocol.ts";
import type { StoreWorker } from "../../../src/storage/embedded/thread.ts";
import { prepareFile } from "../../../src/storage/embedded/worker/file.ts";
import { createService, type FileRequest, type FileService } from "../../../src/storage/embedded/worker/serve.ts";
import type { Schedule } from "./schedule.ts";

/**
 * The store's thread on the simulation's own: each message to it and from it is an event. The file lies in memory and outlives the
 * processes that open it: a crash comes between events, so that no transaction is ever open in one.
 */
export interface Disk {
  start(): StoreWorker;
  /** The process dies: pending writes are lost, completed writes stay. */
  crash(): void;
  /** The thread alone dies; what was carried out and not answered is known to nobody. */
  kill(): void;
  /** From now on the file must not grow, or may again. */
  fill(full: boolean): void;
  /** Somebody changes the file behind the app's back. */
  change(sql: string): void;
  /** All that is in the file. */
  image(): Uint8Array;
  /** Gives the file's memory back. */
  end(): void;
}

/** The file is empty, or has the content of `image`. */
export function createDisk(schedule: Schedule, image?: Uint8Array): Disk {
  const { file, end: endFile } = createFile(image);
  let current: { end(error?: Error): void } | undefined;
  let threads = 0;

  function start(): StoreWorker {
    threads += 1;
    const { round } = schedule;
    const queue = `store ${threads}`;
    const words = new EventEmitter();
    let service: FileService | undefined;
    let over = false;

    function say(label: string, word: FromThread): void {
      const copy = copyOf(word);
      schedule.add(`${queue} <`, label, () => {
        if (!over) words.emit("message", copy);
      });
    }

    function end(error?: Error): void {
      if (over) return;
      over = true;
      schedule.drop((name) => name === queue || name === `${queue} <`);
      if (!error) return;
      words.emit("error", error);
      words.emit("exit");
    }

    schedule.add(queue, "store opens", () => {
      if (over) return;
      try {
        prepareFile(file);
        service = createService(file);
        say("store is open", "open");
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    });
    words.on("request", carryOut);
    current = { end };

    return {
      on: (event: string, listener: (...args: never[]) => void) =>
        words.on(event, (...args) => Reflect.apply(listener, null, args)),
      postMessage(message: ToThread) {
        if (over || round !== schedule.round) return;
        if (message === "close") {
          schedule.add(queue, "store closes", () => {
            over = true;
            words.emit("exit");
          });
          return;
        }
        const { reads, writes } = message;
        schedule.add(queue, `store ${nameOf(reads, "reads")}${nameOf(writes, "writes")}`, () => {
          // As over a port: a message has no types, and `Calls` has seen to it that method and arguments belong together.
          if (!over) words.emit("request", copyOf(message));
        });
      },
    };

    function carryOut({ reads, writes }: FileRequest): void {
      if (!service) return;
      if (reads.length > 0) say("store answers", service.read(reads));
      if (writes.length > 0) say("store has written", service.write(writes));
    }
  }

  return {
    start,
    crash() {
      current?.end();
      current = undefined;
    },
    kill() {
      current?.end(new Error("The thread ended with exit code 1"));
    },
    fill(full) {
      const pages = Number(file.prepare("PRAGMA page_count").get()?.page_count ?? 0);
      file.exec(`PRAGMA max_page_count = ${full ? pages : 1_073_741_823}`);
    },
    change: (sql) => file.exec(sql),
    image: () => file.serialize(),
    end: endFile,
  };
}

/** Each process that opens the file compiles the same statements: here they are compiled once a file. */
function createFile(image: Uint8Array | undefined): { file: DatabaseSync; end(): void } {
  const file = new DatabaseSync(":memory:");
  if (image) file.deserialize(image);
  const compile = file.prepare.bind(file);
  const compiled = new Map<string, StatementSync>();
  file.prepare = (sql) => {
    const statement = compiled.get(sql) ?? compile(sql);
    compiled.set(sql, statement);
    return statement;
  };
  return {
    file,
    end() {
      // A statement keeps its file, and the file keeps them all by this map: together they would stay for ever.
      compiled.clear();
      file.close();
    },
  };
}

/** As over a port: neither side sees what the other changes afterwards. Messages are plain data, which is copied in a tenth of the time that `structuredClone` needs. */
function copyOf<T>(value: T): T;
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null)
    return structuredClone(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one)]));
}

function nameOf(calls: readonly [method: string, args: readonly unknown[]][], what: string): string {
  return calls.length === 0 ? "" : `${what} ${[...new Set(calls.map(([method]) => method))].join(", ")} `;
}
