import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { systemClock } from "../../process/clock.ts";
import { startRedis } from "./redis.ts";
import type { World } from "./the-world.ts";

/** A process under test: the app, or one of the programs that the bench compares it with. */
export interface Subject {
  /** Its address. */
  url: string;
  /** From the start of the process until it is ready, in milliseconds. */
  readyMs: number;
  /** False for the bare app: its commands are done when they are acknowledged. */
  answers: boolean;
  pid: number;
  /** Its process and those of its servers: the processor of all of them counts. */
  pids: readonly number[];
  /** The next figure of this name that the process prints, as a line of JSON. Listen before you send the signal. */
  figure(name: string): Promise<number>;
  stop(): Promise<void>;
}

export interface Secrets {
  botToken: string;
  signingSecret: string;
  encryptionKey: string;
}

/** The flags of Node.js with which `npm start` runs the app. */
const { scripts } = z
  .object({ scripts: z.object({ start: z.string() }) })
  .parse(JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")));
const flags = scripts.start.split(" ").filter((word) => word.startsWith("--"));

const startsWithin = 30_000;
const stopsWithin = 10_000;
const Ready = z.object({ url: z.string() });

export interface AppOptions {
  folder: string;
  cache: string;
  node?: string[];
  storeUrl?: string;
  /** Another file than the sources' own. */
  entry?: string;
  /** The file of a cgroup that takes the process before it begins. */
  within?: string;
}

/** The app as `npm start` starts it, in HTTP mode, with its store in `folder`, or at `storeUrl`. */
export function startApp(
  world: Pick<World, "platformUrl" | "slackApiUrl">,
  secrets: Secrets,
  options: AppOptions,
): Promise<Subject> {
  const {
    folder,
    cache,
    node = [],
    storeUrl = storeIn(folder),
    entry = fileURLToPath(new URL("../../app/main.ts", import.meta.url)),
    within,
  } = options;
  const environment = {
    PLATFORM_URL: world.platformUrl,
    SLACK_BOT_TOKEN: secrets.botToken,
    SLACK_SIGNING_SECRET: secrets.signingSecret,
    SLACK_API_URL: world.slackApiUrl,
    ENCRYPTION_KEY: secrets.encryptionKey,
    STORE_URL: storeUrl,
    HOST: "127.0.0.1",
    PORT: "0",
    NODE_COMPILE_CACHE: cache,
  };
  return start([...flags, ...node, entry], environment, true, within);
}

export function storeIn(folder: string): string {
  return `sqlite:${folder}/rackbell.db`;
}

/** The smallest Bolt app. */
export function startBare(world: World, secrets: Secrets, { cache }: { cache: string }): Promise<Subject> {
  return start(
    [fileURLToPath(new URL("./bare.ts", import.meta.url))],
    { ...slackOf(world, secrets), NODE_COMPILE_CACHE: cache },
    false,
  );
}

/** The program that does the same and nothing else; the key is a member's. */
export async function startLimit(
  world: World,
  secrets: Secrets,
  { folder, node = [] }: { folder: string; node?: string[] },
): Promise<Subject> {
  const own = { PLATFORM_URL: world.platformUrl, PLATFORM_KEY: await world.key(), FILE: `${folder}/lines.jsonl` };
  const args = [...node, fileURLToPath(new URL("./limit.ts", import.meta.url))];
  return start(args, { ...slackOf(world, secrets), ...own }, true);
}

/** Bolt in forty lines, which does the whole job; the key is a member's. */
export function startBolt(world: World, secrets: Secrets, { cache }: PeerOptions): Promise<Subject> {
  return startPeer(new URL("./peers/bolt.js", import.meta.url), world, secrets, { NODE_COMPILE_CACHE: cache });
}

/** Bolt with a queue of BullMQ in a Redis of its own, which stops with it. */
export function startBullmq(world: World, secrets: Secrets, options: PeerOptions): Promise<Subject> {
  return startWithRedis(new URL("./peers/bolt-bullmq.js", import.meta.url), world, secrets, options);
}

/** The Chat SDK with its state in a Redis of its own, which stops with it. */
export function startChatSdk(world: World, secrets: Secrets, options: PeerOptions): Promise<Subject> {
  return startWithRedis(new URL("./peers/chat-sdk.js", import.meta.url), world, secrets, options);
}

interface PeerOptions {
  folder: string;
  cache: string;
}

async function startWithRedis(file: URL, world: World, secrets: Secrets, options: PeerOptions): Promise<Subject> {
  const redis = await startRedis(options.folder);
  const own = { NODE_COMPILE_CACHE: options.cache, REDIS_URL: redis.url };
  const subject = await startPeer(file, world, secrets, own);
  return {
    ...subject,
    pids: [subject.pid, redis.pid],
    async stop() {
      await subject.stop();
      await redis.stop();
    },
  };
}

async function startPeer(file: URL, world: World, secrets: Secrets, own: Record<string, string>): Promise<Subject> {
  const environment = { PLATFORM_URL: world.platformUrl, PLATFORM_KEY: await world.key(), ...own };
  return start([fileURLToPath(file)], { ...slackOf(world, secrets), ...environment }, true);
}

/** The program that checks a delivery's signature, appends it to a file, and answers. */
export function startBareWebhook(signingSecret: string, { folder }: { folder: string }): Promise<Subject> {
  return start(
    [fileURLToPath(new URL("./bare-webhook.ts", import.meta.url))],
    { SIGNING_SECRET: signingSecret, FILE: `${folder}/lines.jsonl` },
    false,
  );
}

/** Signals a program of the bench to print its figures, and gives those of these names. */
export async function figuresOf<Name extends string>(
  { figure, pid }: Subject,
  names: readonly Name[],
): Promise<Map<Name, number>> {
  const printed = Promise.all(names.map(async (name) => [name, await figure(name)] as const));
  process.kill(pid, "SIGUSR2");
  return new Map(await printed);
}

/** One figure alone. */
export async function figureOf(subject: Subject, name: string): Promise<number> {
  return (await figuresOf(subject, [name])).get(name) ?? Number.NaN;
}

/** Opens a store as the app does in a process of its own, and gives the milliseconds that this took. */
export async function openingMs(url: string, cache: string): Promise<number> {
  const file = fileURLToPath(new URL("./opening.ts", import.meta.url));
  const opened = await start([file], { STORE_URL: url, NODE_COMPILE_CACHE: cache }, false);
  const ms = await figureOf(opened, "openingMs");
  await opened.stop();
  return ms;
}

function slackOf({ slackApiUrl }: World, { botToken, signingSecret }: Secrets): Record<string, string> {
  return { SLACK_API_URL: slackApiUrl, BOT_TOKEN: botToken, SIGNING_SECRET: signingSecret };
}

async function start(
  args: string[],
  environment: Record<string, string>,
  answers: boolean,
  within?: string,
): Promise<Subject> {
  const began = performance.now();
  // The shell joins the cgroup and becomes the process: its id stays, and Node.js sees the limit as it starts.
  const joined = ["-c", 'echo $$ > "$0" && exec "$@"', within ?? "", process.execPath, ...args];
  const [program, given] = within === undefined ? [process.execPath, args] : ["/bin/sh", joined];
  const child = spawn(program, given, { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  // Kill the process however the bench ends.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code} before it was ready`)));
    const callOff = systemClock.after(startsWithin, () => reject(new Error(`${args[0]} was not ready in time`)));
    lines.on("line", (line) => {
      const ready = line.includes('"url"') ? Ready.safeParse(JSON.parse(line)) : undefined;
      if (!ready?.success) return;
      callOff();
      resolve(ready.data.url);
    });
  });
  return {
    figure(name) {
      const printed = `{"${name}":`;
      return new Promise((resolve) => {
        const take = (line: string) => {
          if (!line.startsWith(printed)) return;
          lines.off("line", take);
          resolve(Number.parseFloat(line.slice(printed.length)));
        };
        lines.on("line", take);
      });
    },
    url,
    readyMs: performance.now() - began,
    answers,
    pid: child.pid ?? 0,
    pids: [child.pid ?? 0],
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const callOff = systemClock.after(stopsWithin, () => child.kill("SIGKILL"));
  await ended;
  callOff();
}
