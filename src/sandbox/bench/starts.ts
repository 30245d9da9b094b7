import { inside, type Run } from "./contenders.ts";
import { median } from "./figures.ts";
import { imageIn } from "./image.ts";
import { leftOut } from "./others.ts";
import { hasRedis } from "./redis.ts";
import { comparedRow, milliseconds, plainRow, type Row } from "./report.ts";
import { compared, inTurns } from "./rounds.ts";
import { openingMs, type Subject, startApp, startBare, startBolt, startChatSdk, storeIn } from "./subjects.ts";
import { openWorld } from "./the-world.ts";

/** The programs that the app's start is compared with, and the goals of the start with the compile cache, which the image has. */
const against = [
  { name: "bare Bolt", start: startBare, goal: null },
  { name: "Bolt of 40 lines", start: startBolt, goal: { most: 1.25 } },
  ...(hasRedis ? [{ name: "Chat SDK + Redis", start: startChatSdk, goal: { most: 0.7 } }] : []),
];

/**
 * From the start of the process until it is ready, as the image starts it; and the opening of a store that was used before. The sides
 * are unequal: the app's code is in one bundle, the others load their packages file by file, and bare Bolt strips
 * its types when it is cold. No Redis is started in the time.
 */
export async function starts(run: Run): Promise<Row[]> {
  const { folder, secrets, rounds } = run;
  const world = await openWorld({});
  const entry = await imageIn(folder);
  const sides = [
    async (cache: string) => timed(startApp(world, secrets, { folder: await inside(folder), cache, entry })),
    ...against.map(
      ({ start }) =>
        (cache: string) =>
          inside(folder).then((own) => timed(start(world, secrets, { folder: own, cache }))),
    ),
  ];
  const cold = await inTurns(
    rounds,
    sides.map((start) => async () => start(await inside(folder))),
  );
  const filled: (() => Promise<number>)[] = [];
  for (const start of sides) {
    const cache = await inside(folder);
    await start(cache);
    filled.push(() => start(cache));
  }
  const cached = await inTurns(rounds, filled);
  world.stop();
  const rows = (how: string, [app = [], ...found]: number[][], judged: boolean) =>
    against.map(({ name, goal }, at) => {
      const what = `start of the image, ${how}, against ${name}`;
      return comparedRow(what, compared({ app, other: found[at] ?? [] }), judged ? goal : null, milliseconds);
    });
  return [
    ...rows("cold", cold, false),
    ...rows("with the compile cache", cached, true),
    await opening(run),
    ...leftOut,
  ];
}

async function opening({ folder, rounds }: Run): Promise<Row> {
  const [store, cache] = [storeIn(await inside(folder)), await inside(folder)];
  await openingMs(store, cache);
  const found: number[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await openingMs(store, cache));
  return plainRow("opening the store", median(found), null, milliseconds);
}

async function timed(starting: Promise<Subject>): Promise<number> {
  const subject = await starting;
  await subject.stop();
  return subject.readyMs;
}
