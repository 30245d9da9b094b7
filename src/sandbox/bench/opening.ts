import { pino } from "pino";
import { systemClock } from "../../process/clock.ts";
import { openStore } from "../../storage/open.ts";

// Opens a store as the app does, its thread included, and prints at a signal how many milliseconds that took.
const began = performance.now();
await openStore({ url: process.env.STORE_URL ?? "", clock: systemClock, log: pino({ level: "silent" }) });
const ms = performance.now() - began;
process.on("SIGUSR2", () => process.stdout.write(`${JSON.stringify({ openingMs: ms })}\n`));
process.once("SIGTERM", () => process.exit(0));
process.stdout.write(`${JSON.stringify({ url: "" })}\n`);
