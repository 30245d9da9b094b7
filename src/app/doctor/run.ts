import { systemClock } from "../../process/clock.ts";
import { createLog } from "../../process/log.ts";
import { diagnose, findingLines } from "./diagnose.ts";

const findings = await diagnose(process.env, { clock: systemClock, log: createLog({ level: "silent" }) });
process.stdout.write(`${findingLines(findings)}\n`);
process.exit(findings.every(({ fine }) => fine) ? 0 : 1);
