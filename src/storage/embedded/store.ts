import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Store } from "../store.ts";
import { createConnection } from "./connection.ts";
import { inWords } from "./failures.ts";
import { openFile } from "./file.ts";
import { createLogs } from "./log.ts";
import { keepSwept } from "./sweep.ts";
import { createValues } from "./values.ts";
import { createWakeups } from "./wakeups.ts";

/** The store in one SQLite file, for one process. Throws StorageError if the file cannot be had. */
export async function openEmbedded(options: { path: string; clock: Clock; log: Logger }): Promise<Store> {
  const { path, clock, log } = options;
  const connection = createConnection(openFile(path));
  const instance = randomUUID();
  const wakeups = createWakeups(connection, clock, log);
  const endSweeping = await keepSwept(connection, clock, log);
  const prove = connection.db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('ready', ?)");
  let closed = false;

  return {
    values: createValues(connection, clock),
    log: createLogs(connection, clock),
    wakeups,
    instance,
    // The file admits one process, so that whoever else has claimed anything is gone.
    alive: async (other) => !closed && other === instance,
    async ready() {
      try {
        await connection.write(() => prove.run(instance));
        return [];
      } catch (error) {
        return [inWords(error).message];
      }
    },
    async close() {
      closed = true;
      endSweeping();
      await wakeups.stop();
      connection.close();
    },
  };
}
