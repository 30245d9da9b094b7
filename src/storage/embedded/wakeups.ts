import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Wakeups } from "../store.ts";
import type { Connection } from "./connection.ts";

const atOnce = 16;
const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;
/** How long nothing runs after the disk has failed. */
const pauseMs = 10_000;
/** Timers are short, so that a machine that slept or a corrected clock delays nothing for long. */
const lookAtLeastEveryMs = 60_000;

const Due = z.object({ id: z.string(), failures: z.number() });

type Run = (id: string) => Promise<void>;

/**
 * Wake-ups kept in one table. A row stays as it is while its run goes on, so that a run which dies with the process is due
 * again at the next start; `next_at` is what was asked for meanwhile.
 */
export function createWakeups(connection: Connection, clock: Clock, log: Logger): Wakeups {
  const { db, read, write } = connection;
  const ask = db.prepare(`INSERT INTO wakeup (id, at) VALUES (?1, ?2)
    ON CONFLICT DO UPDATE SET at = min(at, excluded.at)`);
  const askAgain = db.prepare(`INSERT INTO wakeup (id, at, next_at) VALUES (?1, ?2, ?2)
    ON CONFLICT DO UPDATE SET next_at = min(coalesce(next_at, excluded.at), excluded.at)`);
  const forget = db.prepare("DELETE FROM wakeup WHERE id = ?");
  const goOn = db.prepare(
    "UPDATE wakeup SET at = next_at, next_at = NULL, failures = 0 WHERE id = ? AND next_at IS NOT NULL RETURNING id",
  );
  const putOff = db.prepare("UPDATE wakeup SET at = ?2, failures = failures + 1 WHERE id = ?1");
  const due = db.prepare("SELECT id, failures FROM wakeup WHERE at <= ? ORDER BY at LIMIT ?");
  const soonest = db.prepare("SELECT min(at) AS at FROM wakeup WHERE at > ?");

  const handlers = new Map<string, Run>();
  const busy = new Set<string>();
  const runs = new Set<Promise<void>>();
  let started = false;
  let pausedUntil = 0;
  let nextLook = Number.POSITIVE_INFINITY;
  let callOff = (): void => {};

  function lookAt(time: number): void {
    callOff();
    const now = clock.now();
    nextLook = Math.min(time, now + lookAtLeastEveryMs);
    callOff = clock.after(Math.max(0, nextLook - now), look);
  }

  function look(): void {
    if (!started) return;
    if (clock.now() < pausedUntil) {
      lookAt(pausedUntil);
      return;
    }
    try {
      beginDue();
    } catch (error) {
      pause(error);
    }
  }

  function beginDue(): void {
    const now = clock.now();
    const rows = read(() => due.all(now, atOnce + busy.size));
    for (const row of rows) {
      const { id, failures } = Due.parse(row);
      // Full: the next run to end looks again.
      if (busy.size >= atOnce) break;
      if (!busy.has(id)) begin(id, failures);
    }
    const at = read(() => soonest.get(now))?.at;
    lookAt(typeof at === "number" ? at : Number.POSITIVE_INFINITY);
  }

  function begin(id: string, failures: number): void {
    busy.add(id);
    const run = carryOut(id, failures).finally(() => {
      runs.delete(run);
      look();
    });
    runs.add(run);
  }

  async function carryOut(id: string, failures: number): Promise<void> {
    let settle = (): unknown => goOn.get(id) ?? forget.run(id);
    try {
      await handlerOf(id)(id);
    } catch (error) {
      const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures, 20));
      const at = Math.ceil(clock.now() + retryInMs);
      log.warn({ err: error, wakeup: id, failures: failures + 1, retryInMs }, "a wake-up failed and is tried again");
      settle = () => putOff.run(id, at);
    }
    try {
      await write(() => {
        // Inside the write: a wake that is queued behind it must see that the run is over.
        busy.delete(id);
        settle();
      });
    } catch (error) {
      busy.delete(id);
      pause(error);
    }
  }

  function handlerOf(id: string): Run {
    for (const [prefix, run] of handlers) if (id.startsWith(prefix)) return run;
    throw new StorageError("Nothing in this version of Rackbell handles this wake-up.");
  }

  function pause(error: unknown): void {
    log.error({ err: error }, "wake-ups pause because the store failed");
    pausedUntil = clock.now() + pauseMs;
    if (started) lookAt(pausedUntil);
  }

  return {
    async wake(id, at) {
      const time = Math.ceil(at);
      await write(() => (busy.has(id) ? askAgain : ask).run(id, time));
      if (time < nextLook) look();
    },
    async cancel(id) {
      await write(() => forget.run(id));
    },
    handle(prefix, run) {
      for (const other of handlers.keys()) {
        if (prefix.startsWith(other) || other.startsWith(prefix)) {
          throw new StorageError(`The wake-ups "${prefix}" and "${other}" cannot be told apart.`);
        }
      }
      handlers.set(prefix, run);
    },
    async start() {
      started = true;
      look();
    },
    async stop() {
      started = false;
      callOff();
      nextLook = Number.POSITIVE_INFINITY;
      while (runs.size > 0) await Promise.all(runs);
    },
  };
}
