/**
 * `npm run hostile -- --part silent [--only "vps"] [--from 10] [--minutes 5]`: every case of a part, of the commands from the tenth on.
 * `--only`, once or several times, takes a whole command, or words in it.
 * `npm run hostile -- --case "silent | vps show | customer GET /vps/{id} | data.cancellation missing"`: one case, with all that is shown.
 * With `--each 1` a route that several commands use is tried with the first of them alone.
 * `npm run hostile -- --kept --sample 100 [--seed S]`: the cases that once failed, and so many of all parts, from a seed.
 */
import { parseArgs } from "node:util";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    part: text,
    only: { ...text, multiple: true },
    from: text,
    minutes: text,
    case: text,
    sample: text,
    seed: text,
    each: text,
    kept: { type: "boolean" },
  },
});
const began = Date.now();
const realNow = () => Number(process.hrtime.bigint() / 1_000_000n);
const start = realNow();
const { reportCase, reportKept, reportPart, reportSample } = await import("./report.ts");

const stop = start + Number(values.minutes ?? 24 * 60) * 60_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);
let ended = false;
process.once("SIGTERM", () => {
  ended = true;
});
const bounds = { say, isOver: () => ended || realNow() > stop };

async function carryOut(): Promise<number> {
  if (values.case !== undefined) return reportCase(values.case, bounds);
  if (!values.kept && values.sample === undefined)
    return reportPart(values.part ?? "silent", {
      ...bounds,
      only: values.only ?? [],
      from: Number(values.from ?? 0),
      each: Number(values.each ?? Number.POSITIVE_INFINITY),
    });
  const seed = Number(values.seed ?? began % 1_000_000_000);
  const ofKept = values.kept ? await reportKept(bounds) : 0;
  return ofKept + (await reportSample({ ...bounds, count: Number(values.sample ?? 0), seed }));
}

const found = await carryOut();
say(`${((realNow() - start) / 1_000).toFixed(1)} s`);
process.stdout.write("", () => process.exit(found === 0 ? 0 : 1));
