import { setFlagsFromString } from "node:v8";
import { systemClock } from "./clock.ts";
import { ConfigError, readConfig } from "./config.ts";
import { createLog, logUnhandled } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { StorageError } from "./storage/errors.ts";
import { openStore } from "./storage/open.ts";

try {
  const config = readConfig(process.env);
  const metrics = createMetrics();
  const log = createLog({ level: config.logLevel, onScrub: metrics.logScrubbed });
  logUnhandled(process, log);
  // The store opens in a thread of its own while this one loads the rest: a fifth of the start.
  const opening = openStore({ url: config.storeUrl, prefix: config.storePrefix, clock: systemClock, log });
  // Whoever starts the app is told, and nobody before.
  opening.catch(() => {});
  const { startApp } = await import("./app.ts");
  const app = await startApp({ config, log, metrics, opening });
  // Left alone, V8 lets a third more memory fill with old garbage under load (400 MB in place of 310), and goes on. Not before the start:
  // another set of flags makes V8 refuse what is in its caches.
  setFlagsFromString("--heap-growing-percent=30");
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // A second signal ends it at once, as it would without this.
    process.once(signal, () => void app.stop().then(() => process.exit(0)));
  }
} catch (error) {
  // The two faults that an operator can mend are told in their own words; anything else with its stack.
  const told = error instanceof ConfigError || error instanceof StorageError;
  process.stderr.write(`${told ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}
