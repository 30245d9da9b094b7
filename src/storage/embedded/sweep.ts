import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Connection } from "./connection.ts";

const hourMs = 3_600_000;
/** Rows deleted in one go, so that a long absence does not hold up the app. */
const portion = 500;

/** Deletes what has expired, now and every hour; the returned function ends that. Readers skip expired rows by themselves. */
export async function keepSwept(connection: Connection, clock: Clock, log: Logger): Promise<() => void> {
  const { db, write } = connection;
  const deletions = ["keyed", "log_entry", "log_unique"].map((table) =>
    db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ? LIMIT ${portion})`,
    ),
  );
  let ended = false;
  let callOff = (): void => {};

  async function sweep(): Promise<void> {
    try {
      for (const deletion of deletions) {
        while (!ended && (await write(() => deletion.run(clock.now()))).changes === portion);
      }
    } catch (error) {
      // Not worth stopping for: what has expired is not shown, and the next hour tries again.
      log.error({ err: error }, "expired records could not be deleted");
    }
    if (!ended) callOff = clock.after(hourMs, () => void sweep());
  }

  await sweep();
  return () => {
    ended = true;
    callOff();
  };
}
