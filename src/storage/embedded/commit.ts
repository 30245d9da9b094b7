import type { Clock } from "../../clock.ts";
import { checkScore } from "../index-place.ts";
import type { Batch } from "../store.ts";
import { checkText, encode, hasPassed } from "../values.ts";
import type { Calls } from "./calls.ts";
import { entryRow } from "./log.ts";
import { expiry } from "./values.ts";
import type { OpeningWakeups } from "./wakeups.ts";

/** Writes a record's next state with all that goes with it, in one transaction. */
export function createCommit(calls: Calls, clock: Clock, wakeups: OpeningWakeups): (batch: Batch) => Promise<boolean> {
  return async ({ record, append = [], index = [], wake = [] }) => {
    const now = clock.now();
    const { namespace, key, expected, value, ttlMs } = record;
    const planned = wake.map(({ id, at }) => wakeups.plan(id, at));
    const written = await calls.write(
      "commitBatch",
      {
        record: {
          namespace: checkText(namespace),
          key: checkText(key),
          expected: expected === undefined ? undefined : encode(expected),
          value: hasPassed(ttlMs) ? undefined : encode(value),
          expiresAt: expiry(clock, ttlMs),
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
      },
      now,
    );
    if (written) planned.forEach(wakeups.announce);
    return written;
  };
}
