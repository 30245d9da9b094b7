import type { Clock } from "../../clock.ts";
import { checkScore } from "../index-place.ts";
import type { Batch } from "../store.ts";
import { checkText, encode, hasPassed } from "../values.ts";
import type { Calls } from "./calls.ts";
import type { KnownValues } from "./known.ts";
import { entryRow } from "./log.ts";
import { expiry, leftBy } from "./values.ts";
import type { OpeningWakeups, Plan } from "./wakeups.ts";

/** Writes a record's next state with all that goes with it, in one transaction. */
export function createCommit(deps: {
  calls: Calls;
  known: KnownValues;
  usedIndexes: Set<string>;
  clock: Clock;
  wakeups: OpeningWakeups;
}): (batch: Batch) => Promise<boolean> {
  const { calls, known, usedIndexes, clock, wakeups } = deps;
  return async ({ record, append = [], index = [], wake = [] }) => {
    const now = clock.now();
    const { namespace, key, expected, value, ttlMs } = record;
    const text = hasPassed(ttlMs) ? undefined : encode(value);
    const expiresAt = expiry(clock, ttlMs);
    const rowsWith = (planned: Plan[]) => ({
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
      const asked = await wakeups.ask(wake, (planned) =>
        known.change(
          namespace,
          key,
          () => calls.write("commitBatch", rowsWith(planned), now),
          (done) => leftBy(done !== undefined, text, expiresAt),
        ),
      );
      return asked !== undefined;
    } finally {
      for (const { name, score } of index) if (score !== null) usedIndexes.add(name);
    }
  };
}
