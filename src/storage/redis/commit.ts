import type { Clock } from "../../clock.ts";
import { checkScore } from "../index-place.ts";
import type { Transaction } from "../store.ts";
import { placeOf, wholeTime } from "../timer.ts";
import { checkText, encode, hasPassed } from "../values.ts";
import type { Calls } from "./calls.ts";
import { keyPart, valueBase, wholeTtl } from "./keyed.ts";
import { entryPlan } from "./log.ts";
import { commitBatch } from "./scripts/commit.ts";
import type { OpeningTimers } from "./timers.ts";

/** Writes a transaction of `Store.commit` in one script. */
export function createCommit(
  calls: Calls,
  clock: Clock,
  wakeups: OpeningTimers,
): (batch: Transaction) => Promise<boolean> {
  return async ({ record, append = [], index = [], wake = [] }) => {
    const now = clock.now();
    const { namespace, key, expected, value, ttlMs } = record;
    const timers = wake.map(({ id, at }) => ({ ...placeOf(id), at: wholeTime(at) }));
    const plan = {
      now: String(now),
      record: {
        key: valueBase(checkText(namespace)) + checkText(key),
        expected: expected !== undefined && encode(expected),
        value: !hasPassed(ttlMs) && encode(value),
        ttl: ttlMs !== undefined && String(wholeTtl(ttlMs)),
      },
      append: append.map(({ log, retentionMs, ...entry }) => ({
        log: keyPart(checkText(log)),
        entry: entryPlan(entry, retentionMs, now),
      })),
      index: index.map(({ name, member, score }) => ({
        name: keyPart(checkText(name)),
        member: checkText(member),
        score: score === null ? "" : String(checkScore(score)),
      })),
      wake: timers.map(({ lane, id, at }) => ({ lane, id, at: String(at) })),
    };
    const written = await calls.write(commitBatch, JSON.stringify(plan));
    if (written) for (const { lane, at } of timers) wakeups.announce(lane, at);
    return written;
  };
}
