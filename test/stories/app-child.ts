/** The app as a process of its own, to be killed: its environment as usual, and time that runs `SPEED` times faster from `START` on. */
import { pino } from "pino";
import { startApp } from "../../src/app.ts";
import type { Clock } from "../../src/clock.ts";
import { readConfig } from "../../src/config.ts";

const speed = Number(process.env.SPEED ?? "1");
const start = Number(process.env.START ?? Date.now());

/** Both processes of a test count from the same moment, so that the second one's clock goes on where the first one's stood. */
const clock: Clock = {
  now: () => start + (Date.now() - start) * speed,
  monotonic: () => performance.now() * speed,
  after(ms, action) {
    const timer = setTimeout(action, Math.min(ms / speed, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

await startApp({ config: readConfig(process.env), log: pino({ level: "silent" }), clock });
process.stdout.write("ready\n");
