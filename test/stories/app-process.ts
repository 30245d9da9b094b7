/** The app in a process of its own, for what kills it: `node app-process.ts <milliseconds that its clock is ahead> <how many times faster it runs>`. */
import { flushCompileCache } from "node:module";
import process from "node:process";
import { startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/process/log.ts";
import { createFastClock } from "./fast-clock.ts";

const [ahead = 0, speed = 1] = process.argv.slice(2).map(Number);
const clock = createFastClock(Date.now(), speed);

await startApp({
  config: readConfig(process.env),
  log: createLog({ level: "warn" }),
  clock: { ...clock, now: () => clock.now() + ahead },
});
process.stdout.write("ready\n");
// A kill leaves it no time to: then every start would compile the app anew.
flushCompileCache();
