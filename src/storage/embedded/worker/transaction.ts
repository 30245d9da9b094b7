import type { createIndexMethods } from "./index-members.ts";
import type { createLogWrites, EntryRow } from "./log-writes.ts";
import type { createTimerMethods } from "./timers.ts";
import type { createValueMethods } from "./values.ts";

/** A transaction as rows. Of a record `was` and `text` are undefined for none. */
export interface TransactionRows {
  records: {
    namespace: string;
    key: string;
    was: string | undefined;
    text: string | undefined;
    expiresAt: number | null;
  }[];
  log: { log: string; entry: EntryRow }[];
  index: { name: string; member: string; score: number | null }[];
  timers: { lane: string; id: string; at: number; again: boolean }[];
}

/** The method that combines several writes. */
export function createTransactionMethod(methods: {
  values: Pick<ReturnType<typeof createValueMethods>["writes"], "setValue" | "deleteValue">;
  getValue: ReturnType<typeof createValueMethods>["reads"]["getValue"];
  indexes: ReturnType<typeof createIndexMethods>["writes"];
  logs: ReturnType<typeof createLogWrites>;
  timers: ReturnType<typeof createTimerMethods>["writes"];
}) {
  const { values, getValue, indexes, logs, timers: timerMethods } = methods;
  return {
    /** The results for each timer; undefined, with nothing written, unless every record is as it was read. */
    transact({ records, log, index, timers }: TransactionRows, now: number): (number | undefined)[] | undefined {
      // All are compared before any is written: other calls share the file's transaction, so that nothing could be rolled back for one.
      if (records.some(({ namespace, key, was }) => getValue(namespace, key, now)?.text !== was)) return undefined;
      for (const { namespace, key, text, expiresAt } of records) {
        if (text === undefined) values.deleteValue(namespace, key);
        else values.setValue(namespace, key, text, expiresAt);
      }
      for (const { log: name, entry } of log) logs.appendToLog(name, entry, [], now);
      for (const { name, member, score } of index) {
        if (score === null) indexes.removeFromIndex(name, member);
        else indexes.putInIndex(name, member, score);
      }
      return timers.map(({ lane, id, at, again }) =>
        again ? timerMethods.setTimerAgain(lane, id, at) : timerMethods.setTimer(lane, id, at),
      );
    },
  };
}
