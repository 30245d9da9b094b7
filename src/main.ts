import process from "node:process";
import { startApp } from "./app.ts";
import { ConfigFault, readConfig } from "./config.ts";
import { createLog, surviveSocketMode } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { StorageError } from "./storage/errors.ts";

try {
  const config = readConfig(process.env);
  const metrics = createMetrics();
  const log = createLog({ level: config.logLevel, onScrub: metrics.logScrubbed });
  surviveSocketMode(process, log);
  const app = await startApp({ config, log, metrics });
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => void app.stop().then(() => process.exit(0)));
} catch (error) {
  // The two faults that an operator can mend are told in their own words; anything else with its stack.
  const told = error instanceof ConfigFault || error instanceof StorageError;
  process.stderr.write(`${told ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}
