import type { Clock } from "../../clock.ts";
import { checkScore } from "../index-place.ts";
import type { Batch } from "../store.ts";
import { checkText, encode, hasPassed } from "../values.ts";
import type { Calls } from "./calls.ts";
import type { KnownValues } from "./known.ts";
import { entryRow } from "./log.ts";
import { expiry, leftBy } from "./values.ts";
import type { OpeningWakeups } from "./wakeups.ts";

/** Writes a record's next state with all that goes with it, in one transaction. */
export function createCommit(deps: {
  calls: Calls;
  known: KnownValues;
  clock: Clock;
  wakeups: OpeningWakeups;
}): (batch: Batch) => Promise<boolean> {
  const { calls, known, clock, wakeups } = deps;
  return async ({ record, append = [], index = [], wake = [] }) => {
    const now = clock.now();
    const { namespace, key, expected, value, ttlMs } = record;
    const planned = wake.map(({ id, at }) => wakeups.plan(id, at));
    const text = hasPassed(ttlMs) ? undefined : encode(value);
    const expiresAt = expiry(clock, ttlMs);
    const rows = {
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
    };
    const written = await known.change(
      namespace,
      key,
      () => calls.write("commitBatch", rows, now),
      (done) => leftBy(done, text, expiresAt),
    );
    if (written) planned.forEach(wakeups.announce);
    return written;
  };
}
