import type { Clock } from "../../clock.ts";
import { checkScore, checkText } from "../checks.ts";
import type { Store } from "../store.ts";
import type { Calls } from "./calls.ts";
import { entryRow } from "./log.ts";
import { expiry } from "./texts.ts";
import type { TimerFile, TimerSetting } from "./timers.ts";
import type { ValueCache } from "./value-cache.ts";

/** Writes a transaction of `Store.transact` in one SQLite transaction. */
export function createTransact(deps: {
  calls: Calls;
  known: ValueCache;
  usedIndexes: Set<string>;
  clock: Clock;
  timers: TimerFile;
}): Store["transact"] {
  const { calls, known, usedIndexes, clock, timers: file } = deps;
  return async ({ records, log = [], index = [], timers = [] }) => {
    const now = clock.now();
    const changes = records.map(({ ttlMs, ...record }) => ({ ...record, expiresAt: expiry(clock, ttlMs) }));
    const rowsWith = (planned: TimerSetting[]) => ({
      records: changes,
      log: log.map(({ log: name, retentionMs, ...entry }) => ({
        log: checkText(name),
        entry: entryRow(entry, retentionMs, now),
      })),
      index: index.map(({ name, member, score }) => ({
        name: checkText(name),
        member: checkText(member),
        score: score === null ? null : checkScore(score),
      })),
      timers: planned,
    });
    try {
      const set = await file.ask(timers, (planned) =>
        known.change(
          changes,
          () => calls.write("transact", rowsWith(planned), now),
          (done) => done !== undefined,
        ),
      );
      return set !== undefined;
    } finally {
      for (const { name, score } of index) if (score !== null) usedIndexes.add(name);
    }
  };
}
