import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { percentile } from "./figures.ts";
import { link } from "./linking.ts";
import { closedLoop, machines, memberAt, members, openLoop, type Side } from "./load.ts";
import { comparedRow, megabytes, milliseconds, perSecond, plainRow, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { createSlack } from "./slack.ts";
import { type Secrets, type Subject, startApp, startBare } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

/** How much is measured: rounds of each comparison, and the commands after which memory is looked at. */
export interface Extent {
  rounds: number;
  starts: number;
  commands: number;
}

interface Sides {
  app: Side;
  bare: Side;
}

const rate = 200;
const roundMs = 2_500;
const atOnce = 50;
/** More than this between the two looks at the app's memory is growth, less is the collector's mood. */
const flat = 1.1;

/** The app against the smallest Bolt app: acknowledgements, throughput, memory and start. */
export async function comparison(folder: string, secrets: Secrets, extent: Extent): Promise<Row[]> {
  const world = await openWorld({ bulk: machines });
  const cache = join(folder, "compiled");
  const sides: Sides = {
    app: await sideOf(world, secrets, await startApp(world, secrets, { folder: await inside(folder), cache })),
    bare: await sideOf(world, secrets, await startBare(world, secrets, { cache })),
  };
  for (let number = 0; number < members; number += 1)
    await link(sides.app.slack, world, memberAt(number), await world.key());
  for (const side of [sides.app, sides.bare]) await closedLoop(side, { atOnce, ms: roundMs });

  const rows = [
    await acknowledgements(sides, extent.rounds),
    await throughput(sides, extent.rounds),
    ...(await memory(sides, extent.commands)),
  ];
  for (const { slack, subject } of [sides.app, sides.bare]) {
    await slack.close();
    await subject.stop();
  }
  rows.push(...(await starts(world, secrets, folder, extent.starts)));
  world.stop();
  return rows;
}

async function sideOf(world: World, secrets: Secrets, subject: Subject): Promise<Side> {
  return { subject, slack: createSlack(subject.url, secrets.signingSecret, world), world, commands: 0 };
}

async function acknowledgements({ app, bare }: Sides, rounds: number): Promise<Row> {
  const slowest = async (side: Side) => percentile(await openLoop(side, rate, roundMs), 0.99);
  const compared = await compare(rounds, { app: () => slowest(app), bare: () => slowest(bare) });
  return comparedRow(`p99 of the acknowledgement, ${rate} commands a second`, compared, { most: 1.5 }, milliseconds);
}

async function throughput({ app, bare }: Sides, rounds: number): Promise<Row> {
  const done = (side: Side) => closedLoop(side, { atOnce, ms: roundMs });
  const compared = await compare(rounds, { app: () => done(app), bare: () => done(bare) });
  return comparedRow(`commands done, ${atOnce} at a time`, compared, { least: 0.4 }, perSecond);
}

async function memory(sides: Sides, commands: number): Promise<Row[]> {
  const first = await memoryAfter(sides, commands);
  const second = await memoryAfter(sides, 2 * commands);
  const row = (after: number, compared: typeof first) =>
    comparedRow(`memory after ${after.toLocaleString("en")} commands`, compared, { most: 1.5 }, megabytes);
  return [
    row(commands, first),
    row(2 * commands, second),
    plainRow("memory then against memory before", second.app / first.app, flat, (figure) => figure.toFixed(2)),
  ];
}

async function memoryAfter({ app, bare }: Sides, commands: number) {
  async function after(side: Side): Promise<number> {
    await closedLoop(side, { atOnce, ms: 120_000, most: commands - side.commands });
    return side.subject.memory();
  }
  return compare(1, { app: () => after(app), bare: () => after(bare) });
}

async function starts(world: World, secrets: Secrets, folder: string, rounds: number): Promise<Row[]> {
  async function timed(starting: Promise<Subject>): Promise<number> {
    const subject = await starting;
    await subject.stop();
    return subject.readyMs;
  }
  const app = async (cache: string) => timed(startApp(world, secrets, { folder: await inside(folder), cache }));
  const bare = (cache: string) => timed(startBare(world, secrets, { cache }));
  const cold = await compare(rounds, {
    app: async () => app(await inside(folder)),
    bare: async () => bare(await inside(folder)),
  });
  const caches = { app: await inside(folder), bare: await inside(folder) };
  await app(caches.app);
  await bare(caches.bare);
  const warm = await compare(rounds, { app: () => app(caches.app), bare: () => bare(caches.bare) });
  return [
    comparedRow("start to ready, cold", cold, { most: 3 }, milliseconds),
    comparedRow("start to ready, with the compile cache", warm, { most: 2 }, milliseconds),
  ];
}

function inside(folder: string): Promise<string> {
  return mkdtemp(join(folder, "run-"));
}
