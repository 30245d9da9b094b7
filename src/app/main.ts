import { setFlagsFromString } from "node:v8";
import { settles, systemClock } from "../process/clock.ts";
import { createLog, logUnhandled } from "../process/log.ts";
import { createMetrics } from "../process/metrics.ts";
import { StorageError } from "../storage/errors.ts";
import { openStore } from "../storage/open.ts";
import { ConfigError, readConfig } from "./config.ts";

try {
  const config = readConfig(process.env);
  const metrics = createMetrics();
  const log = createLog({ level: config.logLevel, onScrub: () => metrics.logScrubs.inc() });
  logUnhandled(process, log);
  // The store opens in its own thread while this one loads the other modules: that saves a fifth of the start.
  const opening = openStore({ url: config.storeUrl, prefix: config.storePrefix, clock: systemClock, log });
  // `startApp` reports a failure to open. Without this handler Node would end the process before that.
  opening.catch(() => {});
  const { startApp } = await import("./app.ts");
  let stop = async (): Promise<void> => {};
  const starting = startApp({ config, log, metrics, opening });
  // Before the app says that it is ready: a signal that comes just then must find its handler, or the process ends without a stop. The app
  // takes commands shortly before its start ends, so the stop waits for that end.
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // `once`: a second signal ends the process at once.
    process.once(
      signal,
      () =>
        void settles(starting, systemClock, config.stopGraceMs)
          .then(() => stop())
          .then(() => process.exit(0)),
    );
  }
  ({ stop } = await starting);
  // Without this V8 keeps a third more memory full of old garbage under load (400 MB in place of 310). Set it after the start: other
  // flags make V8 reject its code caches.
  setFlagsFromString("--heap-growing-percent=30");
} catch (error) {
  // An operator can mend these two errors by their message; any other error needs its stack.
  const isForOperator = error instanceof ConfigError || error instanceof StorageError;
  process.stderr.write(`${isForOperator ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}
