import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { link } from "./linking.ts";
import { type Contender, closedLoop, machines, memberAt, members } from "./load.ts";
import { createSlack } from "./slack.ts";
import {
  type AppOptions,
  type Secrets,
  type Subject,
  startApp,
  startBare,
  startBolt,
  startBullmq,
  startChatSdk,
  startLimit,
} from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

/** The inputs of each part of the bench: a folder of its own, made-up secrets, and the number of rounds. */
export interface Run {
  folder: string;
  secrets: Secrets;
  rounds: number;
  /** Milliseconds that the platform and Slack take for each answer; 0 if absent. */
  awayMs?: number;
  /** Of the part `waiting`: how many requests wait, and for how long it looks. */
  count: number;
  seconds: number;
}

export const watching = ["--import", new URL("./watch-threads.ts", import.meta.url).href];
const slowly = ["--import", new URL("./slow-flush.ts", import.meta.url).href];

export const roundMs = 2_500;
export const atOnce = 50;

/** The app and the programs that the bench compares it with, warm, between one practice platform and one Slack. */
export interface Contenders {
  app: Contender;
  /** The app, with a store whose every flush is slow. */
  slow: Contender;
  /** Bolt that only acknowledges. */
  bare: Contender;
  limit: Contender;
  /** Bolt of forty lines, which does the whole job. */
  bolt: Contender;
  /** Bolt with a queue of BullMQ in a Redis of its own. */
  bullmq: Contender;
  /** The Chat SDK with its state in a Redis of its own. */
  chatSdk: Contender;
  /** The limit program, with the same slow flushes. */
  slowLimit: Contender;
  /** The app, with slow flushes too, and the limit program: they print what their threads do. */
  watched: Contender;
  watchedSlow: Contender;
  watchedLimit: Contender;
}

/** The contenders that are the app: members link their keys with them. */
const linked: readonly (keyof Contenders)[] = ["app", "slow", "watched", "watchedSlow"];

/** Runs `work` with the contenders of these names, and stops them after it. */
export async function withContenders<Name extends keyof Contenders, T>(
  run: Run,
  names: readonly Name[],
  work: (contenders: Pick<Contenders, Name>) => Promise<T>,
): Promise<T> {
  const { folder, secrets, awayMs = 0 } = run;
  const world = await openWorld({ bulk: machines, latencyMs: awayMs, slackLatencyMs: awayMs });
  const cache = join(folder, "compiled");
  const app = async (options: Partial<AppOptions>) =>
    startApp(world, secrets, { folder: await inside(folder), cache, ...options });
  const starts: Record<keyof Contenders, () => Promise<Subject>> = {
    app: () => app({ node: ["--import", new URL("./count-garbage.ts", import.meta.url).href] }),
    slow: () => app({ node: slowly }),
    bare: () => startBare(world, secrets, { cache }),
    limit: async () => startLimit(world, secrets, { folder: await inside(folder) }),
    bolt: async () => startBolt(world, secrets, { folder: await inside(folder), cache }),
    chatSdk: async () => startChatSdk(world, secrets, { folder: await inside(folder), cache }),
    bullmq: async () => startBullmq(world, secrets, { folder: await inside(folder), cache }),
    slowLimit: async () => startLimit(world, secrets, { folder: await inside(folder), node: slowly }),
    watched: () => app({ node: watching }),
    watchedSlow: () => app({ node: [...slowly, ...watching] }),
    watchedLimit: async () => startLimit(world, secrets, { folder: await inside(folder), node: watching }),
  };
  const opened: Partial<Contenders> = {};
  for (const name of names) opened[name] = contenderOf(world, secrets, await starts[name]());
  const contenders = all(opened, names);
  try {
    for (const name of names) {
      if (linked.includes(name)) await linkAll(contenders[name], world);
      await closedLoop(contenders[name], { atOnce, ms: roundMs });
    }
    return await work(contenders);
  } finally {
    for (const { slack, subject } of Object.values<Contender>(contenders)) {
      await slack.close();
      await subject.stop();
    }
    world.stop();
  }
}

function all<Name extends keyof Contenders>(
  opened: Partial<Contenders>,
  names: readonly Name[],
): Pick<Contenders, Name> {
  const isWhole = (contenders: Partial<Contenders>): contenders is Pick<Contenders, Name> & Contenders =>
    names.every((name) => contenders[name]);
  if (!isWhole(opened)) throw new Error("Not every contender was started.");
  return opened;
}

export function contenderOf(world: World, secrets: Secrets, subject: Subject): Contender {
  return { subject, slack: createSlack(subject.url, secrets.signingSecret, world), world, commands: 0 };
}

export async function linkAll({ slack }: Contender, world: World): Promise<void> {
  for (let number = 0; number < members; number += 1) await link(slack, world, memberAt(number), await world.key());
}

export function inside(folder: string): Promise<string> {
  return mkdtemp(join(folder, "run-"));
}
