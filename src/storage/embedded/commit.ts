import type { Clock } from "../../clock.ts";
import { checkScore } from "../index-place.ts";
import type { Transaction } from "../store.ts";
import { checkText, encode, hasPassed } from "../values.ts";
import type { Calls } from "./calls.ts";
import { entryRow } from "./log.ts";
import type { OpeningTimers, TimerSetting } from "./timers.ts";
import type { ValueCache } from "./value-cache.ts";
import { expiry, leftBy } from "./values.ts";

/** Writes a transaction of `Store.commit` in one SQLite transaction. */
export function createCommit(deps: {
  calls: Calls;
  known: ValueCache;
  usedIndexes: Set<string>;
  clock: Clock;
  wakeups: OpeningTimers;
}): (batch: Transaction) => Promise<boolean> {
  const { calls, known, usedIndexes, clock, wakeups } = deps;
  return async ({ record, append = [], index = [], wake = [] }) => {
    const now = clock.now();
    const { namespace, key, expected, value, ttlMs } = record;
    const text = hasPassed(ttlMs) ? undefined : encode(value);
    const expiresAt = expiry(clock, ttlMs);
    const rowsWith = (planned: TimerSetting[]) => ({
      record: {
        namespace: checkText(namespace),
        key: checkText(key),
        expected: expected === undefined ? undefined : encode(expected),
        value: text,
        expiresAt,
      },
      append: append.map(({ log, retentionMs, ...entry }) => ({
        log: checkText(log),
        entry: entryRow(entry, retentionMs, now),
      })),
      index: index.map(({ name, member, score }) => ({
        name: checkText(name),
        member: checkText(member),
        score: score === null ? null : checkScore(score),
      })),
      wake: planned,
    });
    try {
      const timers = await wakeups.ask(wake, (planned) =>
        known.change(
          namespace,
          key,
          () => calls.write("commitBatch", rowsWith(planned), now),
          (done) => leftBy(done !== undefined, text, expiresAt),
        ),
      );
      return timers !== undefined;
    } finally {
      for (const { name, score } of index) if (score !== null) usedIndexes.add(name);
    }
  };
}
