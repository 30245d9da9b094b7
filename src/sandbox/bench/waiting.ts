import { join } from "node:path";
import { sleep, systemClock } from "../../process/clock.ts";
import { inside, type Run } from "./contenders.ts";
import { fillWaiting, readMachines } from "./filled.ts";
import { oneAct } from "./one-act.ts";
import { cpuMsOf } from "./process-figures.ts";
import { plainRow, type Row } from "./report.ts";
import { startApp } from "./subjects.ts";
import { openWorld } from "./the-world.ts";

/** Milliseconds after the start, in which the app reads what it has stored. */
const settlesFor = 15_000;
const mostOfCore = 5;

/** The processor and the calls of an app in which many requests wait for others, and none is due. */
export async function waiting(run: Run): Promise<Row[]> {
  const { folder, secrets, count, seconds } = run;
  const world = await openWorld({ bulk: 10 });
  const own = await inside(folder);
  const started = () => startApp(world, secrets, { folder: own, cache: join(folder, "compiled") });
  await oneAct(await started(), secrets, world);
  await fillWaiting(own, secrets, { machines: await readMachines(world), count });
  const app = await started();
  await sleep(systemClock, settlesFor);
  let share = Number.NaN;
  const calls = await world.callsOf(async () => {
    const [before, began] = [await cpuMsOf(app.pid), performance.now()];
    await sleep(systemClock, seconds * 1_000);
    share = (100 * ((await cpuMsOf(app.pid)) - before)) / (performance.now() - began);
  });
  await app.stop();
  world.stop();
  const what = `${count.toLocaleString("en")} waiting requests, none due, over ${seconds} s`;
  return [
    plainRow(`${what}: share of a core`, share, mostOfCore, (percent) => `${percent.toFixed(2)} %`),
    plainRow(`${what}: calls of the platform`, calls.length, 0),
  ];
}
