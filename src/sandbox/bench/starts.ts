import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../app/tools/bundle.ts";
import { inside, type Run } from "./contenders.ts";
import { median } from "./figures.ts";
import { comparedRow, milliseconds, plainRow, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { openingMs, type Subject, startApp, startBare, storeIn } from "./subjects.ts";
import { openWorld } from "./the-world.ts";

const startMost = 1.15;
const openingMost = 60;

/** From the start of the process until it is ready, as the image starts it; and the opening of a store that was used before. */
export async function starts(run: Run): Promise<Row[]> {
  const { folder, secrets, rounds } = run;
  const world = await openWorld({});
  const image = await inside(folder);
  await bundle(join(image, "src"));
  await cp(fileURLToPath(new URL("../../../package.json", import.meta.url)), join(image, "package.json"));
  const app = async (cache: string) =>
    timed(startApp(world, secrets, { folder: await inside(folder), cache, entry: join(image, "src", "start.js") }));
  const bare = (cache: string) => timed(startBare(world, secrets, { cache }));
  const cold = await compare(rounds, {
    app: async () => app(await inside(folder)),
    other: async () => bare(await inside(folder)),
  });
  const caches = [await inside(folder), await inside(folder)] as const;
  await app(caches[0]);
  await bare(caches[1]);
  const cached = await compare(rounds, { app: () => app(caches[0]), other: () => bare(caches[1]) });
  world.stop();
  const row = (how: string, found: typeof cold) =>
    comparedRow(`start of the image, ${how}, against bare Bolt`, found, { most: startMost }, milliseconds);
  return [row("cold", cold), row("with the compile cache", cached), await opening(run)];
}

async function opening({ folder, rounds }: Run): Promise<Row> {
  const [store, cache] = [storeIn(await inside(folder)), await inside(folder)];
  await openingMs(store, cache);
  const found: number[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await openingMs(store, cache));
  return plainRow("opening the store", median(found), openingMost, milliseconds);
}

async function timed(starting: Promise<Subject>): Promise<number> {
  const subject = await starting;
  await subject.stop();
  return subject.readyMs;
}
