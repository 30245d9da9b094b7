import { openLoop } from "./load.ts";
import { openFiles, residentMemory } from "./process-figures.ts";
import { megabytes, plainRow, type Row } from "./report.ts";
import { type Run, withSides } from "./sides.ts";
import type { Subject } from "./subjects.ts";

const rate = 100;
const lapMs = 60_000;
const laps = 10;
/** More than this from the second minute to the last is growth. */
const flat = 1.15;

interface Look {
  memory: number;
  files: number;
  timers: number;
  waiting: number;
}

/** What the app holds after each minute of the same load: nothing of it may grow. */
export function soak(run: Run): Promise<Row[]> {
  return withSides(run, ["app"], async ({ app }) => {
    const looks: Look[] = [];
    for (let lap = 0; lap < laps; lap += 1) {
      await openLoop(app, rate, lapMs);
      looks.push(await lookAt(app.subject));
    }
    const row = (what: string, of: (look: Look) => number, shown?: (figure: number) => string) => {
      const [, second, ...others] = looks.map(of);
      const last = others.at(-1) ?? Number.NaN;
      const most = Math.ceil((second ?? Number.NaN) * flat) + 5;
      const told = (figure: number) => (shown ?? String)(figure);
      return plainRow(`${what}, ${told(second ?? Number.NaN)} after 2 minutes, after ${laps}`, last, most, shown);
    };
    return [
      row("resident memory", ({ memory }) => memory, megabytes),
      row("open files and sockets", ({ files }) => files),
      row("timers", ({ timers }) => timers),
      row("pieces of work that wait", ({ waiting }) => waiting),
    ];
  });
}

async function lookAt({ pid, url }: Subject): Promise<Look> {
  const metrics = await fetch(`${url}/metrics`).then((answer) => answer.text());
  return {
    memory: await residentMemory(pid),
    files: await openFiles(pid),
    timers: figure(metrics, 'nodejs_active_resources{type="Timeout"'),
    waiting: figure(metrics, "rackbell_queue_depth{"),
  };
}

/** The sum of what a metric tells, over all its labels that begin so; NaN where it tells nothing. */
function figure(metrics: string, start: string): number {
  const found = metrics.split("\n").filter((line) => line.startsWith(start));
  const figures = found.map((line) => Number(line.slice(line.lastIndexOf(" ") + 1)));
  return figures.length === 0 ? Number.NaN : figures.reduce((sum, one) => sum + one, 0);
}
