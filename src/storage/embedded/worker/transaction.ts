import type { createIndexMethods } from "./index-members.ts";
import type { createLogWrites, EntryRow } from "./log-writes.ts";
import type { createTimerMethods } from "./timers.ts";
import type { createValueMethods } from "./values.ts";

/** A transaction as rows: a record's next state with its log entries, index members and timers. */
export interface TransactionRows {
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

/** The method that combines several writes. */
export function createTransactionMethod(methods: {
  values: ReturnType<typeof createValueMethods>["writes"];
  indexes: ReturnType<typeof createIndexMethods>["writes"];
  logs: ReturnType<typeof createLogWrites>;
  wakeups: ReturnType<typeof createTimerMethods>["writes"];
}) {
  const { values, indexes, logs, wakeups } = methods;
  return {
    /** The results for each timer; undefined, with nothing written, unless the record is as expected. */
    commitBatch({ record, append, index, wake }: TransactionRows, now: number): (number | undefined)[] | undefined {
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
