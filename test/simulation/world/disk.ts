import { EventEmitter } from "node:events";
import type { DatabaseSync } from "node:sqlite";
import type { FromThread, ToThread } from "../../../src/storage/embedded/protocol.ts";
import type { StoreWorker } from "../../../src/storage/embedded/thread.ts";
import { openFile } from "../../../src/storage/embedded/worker/file.ts";
import { createService, type Request, type Service } from "../../../src/storage/embedded/worker/serve.ts";
import type { Schedule } from "./schedule.ts";

/** The store's thread on the simulation's own: each message to it and from it is an event. */
export interface Disk {
  start(path: string): StoreWorker;
  /** The process dies: what was asked and not carried out is lost, what was carried out stays. */
  crash(): void;
  /** The thread alone dies; what was carried out and not answered is known to nobody. */
  kill(): void;
  /** From now on the file must not grow, or may again. */
  fill(full: boolean): void;
  readonly commits: number;
}

export function createDisk(schedule: Schedule): Disk {
  let current: { end(error?: Error): void; db: DatabaseSync | undefined } | undefined;
  let threads = 0;
  let commits = 0;
  let full = false;

  function limit(db: DatabaseSync | undefined): void {
    if (!db?.isOpen) return;
    const pages = Number(db.prepare("PRAGMA page_count").get()?.page_count ?? 0);
    db.exec(`PRAGMA max_page_count = ${full ? pages : 1_073_741_823}`);
  }

  function start(path: string): StoreWorker {
    threads += 1;
    const { round } = schedule;
    const queue = `store ${threads}`;
    const words = new EventEmitter();
    let db: DatabaseSync | undefined;
    let service: Service | undefined;
    let over = false;

    function say(label: string, word: FromThread): void {
      const copy = structuredClone(word);
      schedule.add(`${queue} <`, label, () => {
        if (!over) words.emit("message", copy);
      });
    }

    function end(error?: Error): void {
      if (over) return;
      over = true;
      schedule.drop((name) => name === queue || name === `${queue} <`);
      if (db?.isOpen) db.close();
      if (!error) return;
      words.emit("error", error);
      words.emit("exit");
    }

    schedule.add(queue, "store opens", () => {
      if (over) return;
      try {
        db = openFile(path);
        own.db = db;
        if (full) limit(db);
        service = createService(db);
        say("store is open", "open");
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    });
    words.on("request", carryOut);
    const own = { end, db };
    current = own;

    return {
      on: (event: string, listener: (...args: never[]) => void) =>
        words.on(event, (...args) => Reflect.apply(listener, null, args)),
      postMessage(message: ToThread) {
        if (over || round !== schedule.round) return;
        if (message === "close") {
          schedule.add(queue, "store closes", () => {
            over = true;
            if (db?.isOpen) db.close();
            words.emit("exit");
          });
          return;
        }
        const { reads, writes } = message;
        schedule.add(queue, `store ${nameOf(reads, "reads")}${nameOf(writes, "writes")}`, () => {
          // As over a port: a message has no types, and `Calls` has seen to it that method and arguments belong together.
          if (!over) words.emit("request", structuredClone(message));
        });
      },
    };

    function carryOut(request: Request): void {
      if (!service) return;
      if (request.reads.length > 0) say("store answers", { replies: [service.read(request)] });
      if (request.writes.length === 0) return;
      commits += 1;
      const replies = service.write([request]);
      say("store has written", { replies });
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
    fill(value) {
      full = value;
      limit(current?.db);
    },
    get commits() {
      return commits;
    },
  };
}

function nameOf(calls: readonly [method: string, args: readonly unknown[]][], what: string): string {
  return calls.length === 0 ? "" : `${what} ${[...new Set(calls.map(([method]) => method))].join(", ")} `;
}
