import type { createIndexMethods } from "./index-members.ts";
import type { createLogWrites, EntryRow } from "./log-writes.ts";
import type { createValueMethods } from "./values.ts";
import type { createWakeupMethods } from "./wakeups.ts";

/** A record's next state with what goes with it, as it is kept. */
export interface BatchRows {
  record: {
    namespace: string;
    key: string;
    expected: string | undefined;
    value: string | undefined;
    expiresAt: number | null;
  };
  append: { log: string; entry: EntryRow }[];
  index: { name: string; member: string; score: number | null }[];
  wake: { lane: string; id: string; at: number; again: boolean }[];
}

/** Several of the other writes as one. */
export function createBatchMethod(methods: {
  values: ReturnType<typeof createValueMethods>["writes"];
  indexes: ReturnType<typeof createIndexMethods>["writes"];
  logs: ReturnType<typeof createLogWrites>;
  wakeups: ReturnType<typeof createWakeupMethods>["writes"];
}) {
  const { values, indexes, logs, wakeups } = methods;
  return {
    /** What was written of each wake-up; undefined, with nothing written, unless the record is what was expected. */
    commitBatch({ record, append, index, wake }: BatchRows, now: number): (number | undefined)[] | undefined {
      const { namespace, key, ...change } = record;
      if (!values.replaceValue(namespace, key, change, now)) return undefined;
      for (const { log, entry } of append) logs.appendToLog(log, entry, [], now);
      for (const { name, member, score } of index) {
        if (score === null) indexes.removeFromIndex(name, member);
        else indexes.putInIndex(name, member, score);
      }
      return wake.map(({ lane, id, at, again }) =>
        again ? wakeups.askForWakeupAgain(lane, id, at) : wakeups.askForWakeup(lane, id, at),
      );
    },
  };
}
