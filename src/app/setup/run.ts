import { systemClock } from "../../process/clock.ts";
import { createLog } from "../../process/log.ts";
import { openOutside } from "../doctor/outside.ts";
import { endWith } from "../installation.js";
import { browserOf } from "./browser.ts";
import { envFileIn } from "./env-file.ts";
import { setUpInTerminal } from "./in-terminal.ts";
import { readProblem } from "./setup.ts";
import { setUpWithoutTerminal } from "./without-terminal.ts";

// A container writes into a mounted folder, and is gone after that: it starts nothing.
const [, , , named] = process.argv;
const folder = named ?? ".";
const file = envFileIn(folder);
const unreadable = readProblem(file);
if (unreadable !== null) endWith(unreadable);
const log = createLog({ level: "silent" });
const tools = {
  env: process.env,
  folder,
  file,
  mayStart: named === undefined,
  clock: systemClock,
  log,
  outside: openOutside({ clock: systemClock, log }),
  openPage: browserOf(process.env, { platform: process.platform, clock: systemClock }),
};
const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
const outcome = hasTerminal
  ? await setUpInTerminal(tools)
  : await setUpWithoutTerminal(tools, (lines) => process.stdout.write(`${lines}\n`));
// At once, since a check that was interrupted may wait for its answer.
if (outcome === "unfinished") process.exit(1);
await tools.outside.close();

/** True if Rackbell starts now, in this process. */
export const starts = outcome === "start";
