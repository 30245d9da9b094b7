/** The app in a process of its own, for stories that kill it: `node app-process.ts <milliseconds that its clock is ahead>`. */
import process from "node:process";
import { startApp } from "../../src/app.ts";
import { systemClock } from "../../src/clock.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";

const ahead = Number(process.argv[2] ?? 0);

await startApp({
  config: readConfig(process.env),
  log: createLog({ level: "warn" }),
  clock: { ...systemClock, now: () => systemClock.now() + ahead },
});
process.stdout.write("ready\n");
