import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { systemClock } from "../../clock.ts";
import type { World } from "./the-world.ts";

/** A process under test: the app, or the bare app that it is told against. */
export interface Subject {
  /** Where Slack posts to. */
  url: string;
  /** From the start of the process until it is ready, in milliseconds. */
  readyMs: number;
  /** False for the bare app: its commands are done when they are acknowledged. */
  answers: boolean;
  /** Resident memory, in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

export interface Secrets {
  botToken: string;
  signingSecret: string;
  encryptionKey: string;
}

const startLimit = 30_000;
const stopLimit = 10_000;
const Ready = z.object({ url: z.string() });

/** The app as `npm start` starts it, in HTTP mode, with its store in `folder`, or where `storeUrl` says; ready when it says so. */
export function startApp(
  world: World,
  secrets: Secrets,
  options: { folder: string; cache: string; node?: string[]; storeUrl?: string },
): Promise<Subject> {
  const { folder, cache, node = [], storeUrl = `sqlite:${folder}/rackbell.db` } = options;
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
  return start([...node, fileURLToPath(new URL("../../main.ts", import.meta.url))], environment, true);
}

export function startBare(world: World, secrets: Secrets, options: { cache: string }): Promise<Subject> {
  const { botToken, signingSecret } = secrets;
  const environment = { NODE_COMPILE_CACHE: options.cache };
  const bare = fileURLToPath(new URL("./bare.ts", import.meta.url));
  return start([bare, botToken, signingSecret, world.slackApiUrl], environment, false);
}

async function start(args: string[], environment: Record<string, string>, answers: boolean): Promise<Subject> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  // Nothing outlives the bench, whatever ends it.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code} before it was ready`)));
    const callOff = systemClock.after(startLimit, () => reject(new Error(`${args[0]} was not ready in time`)));
    lines.on("line", (line) => {
      const ready = line.includes('"url"') ? Ready.safeParse(JSON.parse(line)) : undefined;
      if (!ready?.success) return;
      callOff();
      resolve(ready.data.url);
    });
  });
  return {
    url: `${url}/slack/events`,
    readyMs: performance.now() - began,
    answers,
    memory: () => residentMemory(child),
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const callOff = systemClock.after(stopLimit, () => child.kill("SIGKILL"));
  await ended;
  callOff();
}

async function residentMemory(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
