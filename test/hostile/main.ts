/**
 * `npm run hostile -- --part silent [--only "vps"] [--from 10] [--minutes 5]`: every case of a part, of the commands from the tenth on.
 * `--only`, once or several times, takes a whole command, or words in it.
 * `npm run hostile -- --case "silent | vps show | customer GET /vps/{id} | data.cancellation missing"`: one case, with all that is shown.
 * With `--each 1` a route that several commands use is tried with the first of them alone.
 * `--risk change` takes the commands of that risk alone, once or several times, and `--sample 50` so many cases of each command, from `--seed`.
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
    risk: { ...text, multiple: true },
  },
});
const began = Date.now();
/** After so long without a line, it says which case it tries. */
const quietMs = 15_000;
/** So long after its minutes, the case that is being tried may still end. */
const graceMs = 60_000;
const realNow = () => Number(process.hrtime.bigint() / 1_000_000n);
const start = realNow();
// The timers of this machine, before the simulated world puts its own in their place.
const every = setInterval;
const { reportCase, reportKept, reportPart, reportSample } = await import("./report.ts");

const stop = start + Number(values.minutes ?? 24 * 60) * 60_000;
let saidAt = start;
const say = (line: string) => {
  saidAt = realNow();
  process.stdout.write(`${line}\n`);
};
let ended = false;
let place = "the start";
let placeSince = start;
const sayPlace = () => say(`  ${((realNow() - placeSince) / 1_000).toFixed(0)} s at ${place}`);
process.once("SIGTERM", () => {
  ended = true;
  sayPlace();
});
every(() => {
  const now = realNow();
  if (now - saidAt >= quietMs) sayPlace();
  // A case that never ends would hold the whole run past its minutes.
  if (now > stop + graceMs) {
    sayPlace();
    process.exit(1);
  }
}, 1_000).unref();
const bounds = {
  say,
  isOver: () => ended || realNow() > stop,
  at(where: string) {
    place = where;
    placeSince = realNow();
  },
};

async function carryOut(): Promise<number> {
  if (values.case !== undefined) return reportCase(values.case, bounds);
  const seed = Number(values.seed ?? began % 1_000_000_000);
  if (!values.kept && (values.part !== undefined || values.sample === undefined))
    return reportPart(values.part ?? "silent", {
      ...bounds,
      only: values.only ?? [],
      risks: values.risk ?? [],
      most: Number(values.sample ?? Number.POSITIVE_INFINITY),
      seed,
      from: Number(values.from ?? 0),
      each: Number(values.each ?? Number.POSITIVE_INFINITY),
    });
  const ofKept = values.kept ? await reportKept(bounds) : 0;
  return ofKept + (await reportSample({ ...bounds, count: Number(values.sample ?? 0), seed }));
}

const found = await carryOut();
say(`${((realNow() - start) / 1_000).toFixed(1)} s`);
process.stdout.write("", () => process.exit(found === 0 ? 0 : 1));
