/** The app as a process of its own, to be stopped or killed: its environment as usual, and time that runs `SPEED` times faster from `START` on. */
import { flushCompileCache } from "node:module";
import { pino } from "pino";
import { startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { createFastClock } from "./fast-clock.ts";

const clock = createFastClock(Number(process.env.START ?? Date.now()), Number(process.env.SPEED ?? "1"));
const log = pino({ level: process.env.TOLD ?? "silent" }, pino.destination(2));

const app = await startApp({ config: readConfig(process.env), log, clock });
process.once("SIGTERM", () => void app.stop().then(() => process.exit(0)));
process.stdout.write("ready\n");
// A kill leaves it no time to: then every start would compile the app anew.
flushCompileCache();
