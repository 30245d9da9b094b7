import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { registry } from "../../src/operations/index.ts";
import { systemClock } from "../../src/process/clock.ts";
import { freePort } from "../../src/sandbox/bench/ports.ts";
import { type Practice, startPractice } from "../../src/sandbox/practice.ts";
import { type Actor, type Message, said } from "../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { type RedisServer, startRedis } from "../storage/redis/server.ts";
import { opened } from "../stories/opened.ts";
import { pause } from "./pause.ts";

const patienceMs = 45_000;

export interface Instance {
  url: string;
  kill(): Promise<void>;
  /** Stops and continues it, as a starved host or a live migration does. */
  freeze(): void;
  thaw(): void;
}

/** Instances of the app as processes of their own on one Redis, in a practice workspace that posts to the chosen one. */
export interface Pair extends Practice {
  redis: RedisServer;
  ana: Actor;
  /** `ahead` is how much later it is for it (ms), and `speed` how many times faster its time runs: so that nobody waits for what it waits for. */
  start(clock?: { ahead?: number; speed?: number }): Promise<Instance>;
  /** Slack and the supplier post to this one from now on. */
  toward(instance: Instance): void;
  /** Kills all that runs. */
  end(): Promise<void>;
}

/** `mode`: how Slack reaches them. Over sockets it takes the next of all that are open, and has no choice. */
export async function createPair(
  environment: Record<string, string> = {},
  mode: "http" | "socket" = "http",
): Promise<Pair> {
  const redis = await startRedis();
  const practice = await startPractice({
    clock: systemClock,
    manifest: manifestOf(registry),
    pace: 30,
    environment: { STORE_URL: redis.url, ...environment },
  });
  const { slack } = practice;
  const children = new Set<ChildProcess>();

  async function start({ ahead = 0, speed = 1 } = {}): Promise<Instance> {
    const port = String(await freePort());
    const script = fileURLToPath(new URL("../stories/app-process.ts", import.meta.url));
    const http = mode === "http" ? { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret } : {};
    const compiled = { NODE_COMPILE_CACHE: "node_modules/.cache/rackbell/compiled" };
    const env = { ...compiled, ...practice.environment, ...http, PORT: port, LOG_LEVEL: "fatal" };
    const child = spawn(process.execPath, [script, String(ahead), String(speed)], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.add(child);
    for await (const line of createInterface({ input: child.stdout })) if (line === "ready") break;
    child.stdout.resume();
    return {
      url: `http://127.0.0.1:${port}`,
      kill: () => kill(child),
      freeze: () => void child.kill("SIGSTOP"),
      thaw: () => void child.kill("SIGCONT"),
    };
  }

  return {
    ...practice,
    redis,
    ana: slack.as("ana"),
    start,
    toward({ url }) {
      if (mode === "http") slack.deliverTo(`${url}/slack/events`);
      practice.deliverTo(url);
    },
    async end() {
      practice.platform.faults.resume();
      for (const child of children) await kill(child);
      await practice.close();
      await redis.remove();
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Looks again and again, for longer than anything here should take. */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  withinMs = patienceMs,
): Promise<T> {
  for (const end = Date.now() + withinMs; ; await pause(25)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`It did not come to pass: ${what}`);
  }
}

/** Waits until the actor sees a message with all the texts. */
export function sees(actor: Actor, ...texts: string[]): Promise<Message> {
  const shown = () => actor.sees().map((message) => said(message).slice(0, 300));
  return eventually(
    () => actor.sees().findLast((message) => texts.every((text) => said(message).includes(text))),
    `${actor.user.name} sees ${texts.join(" + ")}`,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}. They see\n${shown().slice(-5).join("\n---\n")}`);
  });
}

/** True when an instance says that it works. */
export async function isReady({ url }: Instance): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Links ana's key of the one API, through the form. */
export async function link({ platform, ana }: Pair, api: "customer" | "reseller" = "customer"): Promise<void> {
  const { key } = api === "customer" ? platform.keys.ana : platform.reseller.keys.ana;
  const before = ana.sees().length;
  // An instance that has just started on a busy machine may need longer than Slack waits, and a person then types the command again.
  await eventually(() => ana.type("/rackbell link").then(() => true, wasTooSlow), "the command to link is taken");
  await filled(ana, { "API key": key });
  await eventually(
    () =>
      ana
        .sees()
        .slice(before)
        .some((one) => said(one).includes("is linked")),
    "the link",
  );
}

/** False for Slack's error of a command that was not acknowledged in time. Throws any other error. */
export function wasTooSlow(error: unknown): false {
  if (error instanceof Error && error.message.includes("operation_timeout")) return false;
  throw error;
}

/** Connects the workspace to the reseller account, as an admin does, and has its events ring in #ops. */
export async function ring(pair: Pair): Promise<void> {
  const { platform, ana } = pair;
  await link(pair, "reseller");
  await ana.type("/rackbell connect");
  await filled(ana, { "Signing secret": platform.reseller.signingSecret() ?? "" });
  await ana.press(await sees(ana, "The signing secret is set"), "Set webhook address…");
  await ana.press(await sees(ana, "The address before gets no more events"), "request:press");
  await sees(ana, "Events now go to");
  await ana.type("/rackbell alerts add #ops");
  await sees(ana, "Saved");
}

async function filled(actor: Actor, values: Record<string, string>): Promise<void> {
  const [name = ""] = Object.keys(values);
  await opened(actor, [name], (look) => eventually(look, `a form that asks for ${name}`));
  await actor.fill(values);
  await actor.submit();
}
