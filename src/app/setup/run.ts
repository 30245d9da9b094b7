import { resolve } from "node:path";
import { systemClock } from "../../process/clock.ts";
import { createLog } from "../../process/log.ts";
import { openOutside } from "../doctor/outside.ts";
import { browserOf } from "./browser.ts";
import { envFileIn } from "./env-file.ts";
import { setUpInTerminal } from "./in-terminal.ts";
import type { SetupOutcome } from "./setup.ts";
import { setUpWithoutTerminal } from "./without-terminal.ts";

// A container writes into a mounted folder, and is gone after that: it starts nothing.
const [, , , named] = process.argv;
const folder = resolve(named ?? ".");
const log = createLog({ level: "silent" });
const tools = {
  env: process.env,
  folder,
  file: envFileIn(folder),
  mayStart: named === undefined,
  clock: systemClock,
  log,
  outside: openOutside({ clock: systemClock, log }),
  openPage: browserOf(process.env, { platform: process.platform, clock: systemClock }),
};
// The prompts end the process with 0 on Ctrl-C during a check: a script that waits for the setup must see that it did not end.
let outcome: SetupOutcome = "unfinished";
process.once("exit", () => {
  if (outcome === "unfinished") process.exitCode = 1;
});
const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
outcome = hasTerminal
  ? await setUpInTerminal(tools)
  : await setUpWithoutTerminal(tools, (lines) => process.stdout.write(`${lines}\n`));
await tools.outside.close();

/** True if Rackbell starts now, in this process. */
export const starts = outcome === "start";
