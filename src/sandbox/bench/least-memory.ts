import { contenderOf, inside, linkAll, type Run } from "./contenders.ts";
import { imageIn } from "./image.ts";
import { machines, openLoop, slowRate } from "./load.ts";
import { limitMemory } from "./memory-group.ts";
import { megabytes, plainRow, type Row } from "./report.ts";
import { type Subject, startApp } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

const megabyte = 1024 * 1024;
/** The limits that are tried, in megabytes. */
const [least, most, step] = [64, 256, 8];
const goal = 112 * megabyte;
const holdMs = 60_000;
const what = `least memory limit that holds ${slowRate} commands a second for ${holdMs / 1_000} s`;

/** The smallest limit of the kernel under which the app, as the image starts it, answers every command. Each try is a new process. */
export async function leastMemory(run: Run): Promise<Row> {
  const group = limitMemory(most * megabyte);
  if (!group) return { what, figure: "not measured: no cgroup of memory can be made here", goal: "", met: null };
  group.remove();
  const world = await openWorld({ bulk: machines });
  const image = { entry: await imageIn(run.folder), cache: await inside(run.folder) };
  let [fails, holds] = [least - step, most + step];
  while (holds - fails > step) {
    const limit = fails + step * Math.floor((holds - fails) / step / 2);
    if (await isEnough(run, world, image, limit * megabyte)) holds = limit;
    else fails = limit;
  }
  world.stop();
  return plainRow(what, holds > most ? Number.NaN : holds * megabyte, goal, megabytes);
}

async function isEnough(
  run: Run,
  world: World,
  image: { entry: string; cache: string },
  bytes: number,
): Promise<boolean> {
  const group = limitMemory(bytes);
  if (!group) throw new Error("A cgroup of memory could be made before, and now it cannot.");
  const options = { ...image, folder: await inside(run.folder), within: group.processes };
  try {
    return await holdsRate(run, world, await startApp(world, run.secrets, options));
  } catch {
    return false;
  } finally {
    group.remove();
  }
}

async function holdsRate({ secrets }: Run, world: World, subject: Subject): Promise<boolean> {
  const app = contenderOf(world, secrets, subject);
  try {
    await linkAll(app, world);
    await openLoop(app, slowRate, holdMs);
    return true;
  } finally {
    await app.slack.close();
    await subject.stop();
  }
}
