import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../bundle.ts";
import { comparedRow, milliseconds, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { inside, type Run } from "./sides.ts";
import { type Subject, startApp, startBare } from "./subjects.ts";
import { openWorld } from "./the-world.ts";

/** From the start of the process until it is ready: as the image starts it, and from the sources. */
export async function starts(run: Run): Promise<Row[]> {
  const { folder, secrets, rounds } = run;
  const world = await openWorld({});
  const image = await inside(folder);
  await bundle(join(image, "src"));
  await cp(fileURLToPath(new URL("../../../package.json", import.meta.url)), join(image, "package.json"));
  const app = (entry: string) => async (cache: string) =>
    timed(startApp(world, secrets, { folder: await inside(folder), cache, entry }));
  const bare = (cache: string) => timed(startBare(world, secrets, { cache }));

  async function rows(what: string, entry: string, most: { cold: number | null; cached: number | null }) {
    const [start, caches] = [app(entry), [await inside(folder), await inside(folder)] as const];
    const cold = await compare(rounds, {
      app: async () => start(await inside(folder)),
      other: async () => bare(await inside(folder)),
    });
    await start(caches[0]);
    await bare(caches[1]);
    const cached = await compare(rounds, { app: () => start(caches[0]), other: () => bare(caches[1]) });
    const row = (how: string, compared: typeof cold, goal: number | null) =>
      comparedRow(
        `start of ${what}, ${how}, against bare Bolt`,
        compared,
        goal === null ? null : { most: goal },
        milliseconds,
      );
    return [row("cold", cold, most.cold), row("with the compile cache", cached, most.cached)];
  }

  const found = [
    ...(await rows("the image", join(image, "src", "start.js"), { cold: 1.3, cached: 1.3 })),
    ...(await rows("the sources", fileURLToPath(new URL("../../main.ts", import.meta.url)), {
      cold: null,
      cached: null,
    })),
  ];
  world.stop();
  return found;
}

async function timed(starting: Promise<Subject>): Promise<number> {
  const subject = await starting;
  await subject.stop();
  return subject.readyMs;
}
