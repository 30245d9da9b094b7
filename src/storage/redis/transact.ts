import type { Clock } from "../../clock.ts";
import { checkScore, checkText } from "../checks.ts";
import type { Store } from "../store.ts";
import { placeOf, wholeTime } from "../timer.ts";
import type { TimerListener } from "../timers.ts";
import type { Calls } from "./calls.ts";
import { entryPlan } from "./log.ts";
import { keyPart, valueBase, wholeTtl } from "./names.ts";
import { transact } from "./scripts/transact.ts";

/** Writes a transaction of `Store.transact` in one script. */
export function createTransact(calls: Calls, clock: Clock, { expect }: TimerListener): Store["transact"] {
  return async ({ records, log = [], index = [], timers = [] }) => {
    const now = clock.now();
    const settings = timers.map(({ id, at }) => ({ ...placeOf(id), at: wholeTime(at) }));
    const plan = {
      now: String(now),
      records: records.map(({ namespace, key, was, text, ttlMs }) => ({
        key: valueBase(namespace) + key,
        was: was ?? false,
        text: text ?? false,
        ttl: ttlMs !== undefined && String(wholeTtl(ttlMs)),
      })),
      log: log.map(({ log: name, retentionMs, ...entry }) => ({
        log: keyPart(checkText(name)),
        entry: entryPlan(entry, retentionMs, now),
      })),
      index: index.map(({ name, member, score }) => ({
        name: keyPart(checkText(name)),
        member: checkText(member),
        score: score === null ? "" : String(checkScore(score)),
      })),
      timers: settings.map(({ lane, id, at }) => ({ lane, id, at: String(at) })),
    };
    const written = await calls.write(transact, JSON.stringify(plan));
    if (written) for (const { lane, at } of settings) expect(lane, at);
    return written;
  };
}
