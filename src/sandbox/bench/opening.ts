import { pino } from "pino";
import { systemClock } from "../../clock.ts";
import { openStore } from "../../storage/open.ts";

// How long a store takes to open, its thread included: prints it, and then ends when it is told to.
const began = performance.now();
await openStore({ url: process.env.STORE_URL ?? "", clock: systemClock, log: pino({ level: "silent" }) });
const ms = performance.now() - began;
process.stdout.write(`${JSON.stringify({ url: "" })}\n`);
setImmediate(() => process.stdout.write(`${JSON.stringify({ openingMs: ms })}\n`));
process.once("SIGTERM", () => process.exit(0));
