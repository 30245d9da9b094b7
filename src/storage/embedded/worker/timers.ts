import type { DatabaseSync } from "node:sqlite";
import type { LaneBacklog } from "../../store.ts";
import { number, numberOrNone, text } from "./columns.ts";

/**
 * The timers of all lanes. A row does not change during its run: if the run dies with the process, it is due again. `next_at` is the time
 * set during the run.
 */
export function createTimerMethods(db: DatabaseSync) {
  const ask = db.prepare(`INSERT INTO wakeup (lane, id, at) VALUES (?1, ?2, ?3)
    ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at < at RETURNING failures`);
  const askAgain = db.prepare(`INSERT INTO wakeup (lane, id, at, next_at) VALUES (?1, ?2, ?3, ?3)
    ON CONFLICT DO UPDATE SET next_at = excluded.at WHERE next_at IS NULL OR excluded.at < next_at`);
  const forget = db.prepare("DELETE FROM wakeup WHERE lane = ? AND id = ?");
  const asked = db.prepare("SELECT next_at FROM wakeup WHERE lane = ? AND id = ?");
  const goOn = db.prepare("UPDATE wakeup SET at = ?3, next_at = NULL, failures = 0 WHERE lane = ?1 AND id = ?2");
  const putOff = db.prepare("UPDATE wakeup SET at = ?3, failures = failures + 1 WHERE lane = ?1 AND id = ?2");
  const move = db.prepare("UPDATE wakeup SET at = at + ?1, next_at = next_at + ?1");
  const due = db.prepare("SELECT id, failures FROM wakeup WHERE lane = ? AND at <= ? ORDER BY at LIMIT ?");
  const soonest = db.prepare("SELECT min(at) AS at FROM wakeup WHERE lane = ? AND at > ?");
  const lanes = db.prepare("SELECT lane, min(at) AS at FROM wakeup GROUP BY lane");
  const backlog =
    db.prepare(`SELECT lane, sum(due) AS due, min(iif(due, at, NULL)) AS since, sum(failures > 0) AS failing
    FROM (SELECT *, at <= ?1 AND lane || id NOT IN (SELECT value FROM json_each(?2)) AS due FROM wakeup)
    GROUP BY lane HAVING sum(due) + sum(failures > 0) > 0`);

  return {
    reads: {
      /** At most `limit` due timers, the longest overdue first, and the time of the next one. */
      dueTimers(
        lane: string,
        now: number,
        limit: number,
      ): { due: { id: string; failures: number }[]; soonest: number | undefined } {
        const rows = due.all(lane, now, limit);
        return {
          due: rows.map(({ id, failures }) => ({ id: text(id), failures: number(failures) })),
          soonest: numberOrNone(soonest.get(lane, now)?.at),
        };
      },
      /** Each lane with due or failing timers. Those in `running` do not count as due. */
      timerBacklog: (now: number, running: string[]): LaneBacklog[] =>
        backlog.all(now, JSON.stringify(running)).map(({ lane, due, since, failing }) => ({
          lane: text(lane),
          due: number(due),
          since: numberOrNone(since) ?? null,
          failing: number(failing),
        })),
      /** Each lane that has timers, and the time of its next one. */
      timerLanes: (): { lane: string; at: number }[] =>
        lanes.all().map(({ lane, at }) => ({ lane: text(lane), at: number(at) })),
    },
    writes: {
      /** Sets a timer and returns how often it has failed; undefined if it waits for an earlier time, which stays. */
      setTimer: (lane: string, id: string, at: number): number | undefined =>
        numberOrNone(ask.get(lane, id, at)?.failures),
      /** Sets a timer whose run is in progress. */
      setTimerAgain(lane: string, id: string, at: number): undefined {
        askAgain.run(lane, id, at);
      },
      /** Moves all timers by `ms` milliseconds. */
      moveTimers(ms: number): void {
        move.run(ms);
      },
      /** Ends a run that returned `again`. Returns the next time, or undefined if there is none. */
      settleTimer(lane: string, id: string, again: number | undefined): number | undefined {
        const times = [numberOrNone(asked.get(lane, id)?.next_at), again].filter((time) => time !== undefined);
        if (times.length === 0) {
          forget.run(lane, id);
          return undefined;
        }
        const at = Math.min(...times);
        goOn.run(lane, id, at);
        return at;
      },
      /** Ends a failed run; it is retried at `at`. */
      putOffTimer(lane: string, id: string, at: number): number {
        putOff.run(lane, id, at);
        return at;
      },
    },
  };
}
