import { systemClock } from "../../process/clock.ts";
import { createLog } from "../../process/log.ts";
import { diagnose } from "./diagnose.ts";

const findings = await diagnose(process.env, { clock: systemClock, log: createLog({ level: "silent" }) });
for (const { about, fine, says } of findings) {
  process.stdout.write(`${fine ? "ok   " : "MEND "} ${`${about}:`.padEnd(11)}${says}\n`);
}
const wrong = findings.filter(({ fine }) => !fine).length;
process.stdout.write(
  wrong === 0
    ? "\nNothing needs mending. `npm start` starts it.\n"
    : `\n${wrong === 1 ? "One problem needs" : `${wrong} problems need`} mending.\n`,
);
process.exit(wrong === 0 ? 0 : 1);
