import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { link } from "./linking.ts";
import { closedLoop, machines, memberAt, members, type Side } from "./load.ts";
import { createSlack } from "./slack.ts";
import { type AppOptions, type Secrets, type Subject, startApp, startBare, startLimit } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

/** The inputs of each part of the bench: a folder of its own, made-up secrets, and the number of rounds. */
export interface Run {
  folder: string;
  secrets: Secrets;
  rounds: number;
  /** Milliseconds that the platform and Slack take for each answer; 0 if absent. */
  awayMs?: number;
}

export const watching = ["--import", new URL("./watch-threads.ts", import.meta.url).href];
const slowly = ["--import", new URL("./slow-flush.ts", import.meta.url).href];

export const roundMs = 2_500;
export const atOnce = 50;

/** The app and the programs that it is told against, warm, between one practice platform and one Slack. */
export interface Sides {
  app: Side;
  /** The app, with a store whose every flush is slow. */
  slow: Side;
  bare: Side;
  limit: Side;
  /** The limit program, with the same slow flushes. */
  slowLimit: Side;
  /** The app, with slow flushes too, and the limit program: they print what their threads do. */
  watched: Side;
  watchedSlow: Side;
  watchedLimit: Side;
}

/** The sides that are the app: members link their keys with it. */
const linked: readonly (keyof Sides)[] = ["app", "slow", "watched", "watchedSlow"];

/** Runs `work` with the sides that it names; they end with it. */
export async function withSides<Name extends keyof Sides, T>(
  run: Run,
  names: readonly Name[],
  work: (sides: Pick<Sides, Name>) => Promise<T>,
): Promise<T> {
  const { folder, secrets, awayMs = 0 } = run;
  const world = await openWorld({ bulk: machines, latencyMs: awayMs, slackLatencyMs: awayMs });
  const cache = join(folder, "compiled");
  const app = async (options: Partial<AppOptions>) =>
    startApp(world, secrets, { folder: await inside(folder), cache, ...options });
  const starts: Record<keyof Sides, () => Promise<Subject>> = {
    app: () => app({ node: ["--import", new URL("./count-garbage.ts", import.meta.url).href] }),
    slow: () => app({ node: slowly }),
    bare: () => startBare(world, secrets, { cache }),
    limit: async () => startLimit(world, secrets, { folder: await inside(folder) }),
    slowLimit: async () => startLimit(world, secrets, { folder: await inside(folder), node: slowly }),
    watched: () => app({ node: watching }),
    watchedSlow: () => app({ node: [...slowly, ...watching] }),
    watchedLimit: async () => startLimit(world, secrets, { folder: await inside(folder), node: watching }),
  };
  const opened: Partial<Sides> = {};
  for (const name of names) opened[name] = await sideOf(world, secrets, await starts[name]());
  const sides = all(opened, names);
  try {
    for (const name of names) {
      if (linked.includes(name)) await linkAll(sides[name], world);
      await closedLoop(sides[name], { atOnce, ms: roundMs });
    }
    return await work(sides);
  } finally {
    for (const { slack, subject } of Object.values<Side>(sides)) {
      await slack.close();
      await subject.stop();
    }
    world.stop();
  }
}

function all<Name extends keyof Sides>(opened: Partial<Sides>, names: readonly Name[]): Pick<Sides, Name> {
  const isWhole = (sides: Partial<Sides>): sides is Pick<Sides, Name> & Sides => names.every((name) => sides[name]);
  if (!isWhole(opened)) throw new Error("Not every side was started.");
  return opened;
}

async function sideOf(world: World, secrets: Secrets, subject: Subject): Promise<Side> {
  return { subject, slack: createSlack(subject.url, secrets.signingSecret, world), world, commands: 0 };
}

async function linkAll({ slack }: Side, world: World): Promise<void> {
  for (let number = 0; number < members; number += 1) await link(slack, world, memberAt(number), await world.key());
}

export function inside(folder: string): Promise<string> {
  return mkdtemp(join(folder, "run-"));
}
