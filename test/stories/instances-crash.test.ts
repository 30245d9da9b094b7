import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import { operations } from "../../src/operations/index.ts";
import { type Practice, startPractice } from "../../src/sandbox/practice.ts";
import type { Actor, Message } from "../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { openStore } from "../../src/storage/open.ts";
import { freePort } from "../platform/server.ts";
import { ownRedis } from "../storage/redis/opened.ts";
import { hasRedis, type RedisServer } from "../storage/redis/server.ts";
import { createFastClock } from "./fast-clock.ts";
import { goAhead, said } from "./story.ts";

/** Rounds of the torture: `ROUNDS=20 npx vitest run test/stories/instances-crash.test.ts` for all of them. */
const rounds = Number(process.env.ROUNDS ?? 4);
const patience = { timeout: 25_000 };

interface Instance {
  url: string;
  kill(): Promise<void>;
}

interface Pair extends Practice {
  redis: RedisServer;
  ana: Actor;
  /** Starts an instance; `ahead` is how much later it is for it, so that nobody waits for what it waits for. */
  start(ahead?: number): Promise<Instance>;
  /** Slack posts to this one from now on. */
  toward(instance: Instance): void;
}

/** `speed`: how much faster time runs for the instances, and for all around them but Redis. */
async function pair(speed = 1): Promise<Pair> {
  const redis = await ownRedis();
  const manifest = manifestOf(createRegistry(operations));
  const began = Date.now();
  const practice = await startPractice({
    clock: speed === 1 ? systemClock : createFastClock(began, speed),
    manifest,
    pace: 8,
    environment: { STORE_URL: redis.url },
  });
  onTestFinished(async () => {
    practice.platform.faults.resume();
    await practice.close();
  });
  const { slack } = practice;

  async function start(ahead = 0): Promise<Instance> {
    const port = String(await freePort());
    const script = fileURLToPath(new URL(speed === 1 ? "./app-process.ts" : "./app-child.ts", import.meta.url));
    const http = { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret, PORT: port, LOG_LEVEL: "fatal" };
    const time = { START: String(began), SPEED: String(speed) };
    const env = { ...practice.environment, ...http, ...time };
    const child = spawn(process.execPath, [script, String(ahead)], { env, stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => kill(child));
    for await (const line of createInterface({ input: child.stdout })) if (line === "ready") break;
    child.stdout.resume();
    return { url: `http://127.0.0.1:${port}`, kill: () => kill(child) };
  }

  return {
    ...practice,
    redis,
    ana: slack.as("ana"),
    start,
    toward: ({ url }) => slack.deliverTo(`${url}/slack/events`),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function link({ slack, platform, ana }: Pair): Promise<void> {
  await ana.type("/rackbell link");
  await expect.poll(() => JSON.stringify(ana.modal() ?? {}), patience).toContain("API key");
  await ana.fill({ "API key": platform.keys.ana.key });
  await ana.submit();
  await slack.until(() => ana.sees().some((message) => said(message).includes("is linked")), "the link");
}

async function sees(actor: Actor, ...texts: string[]): Promise<Message> {
  const find = () => actor.sees().findLast((message) => texts.every((text) => said(message).includes(text)));
  await expect.poll(find, patience).toBeDefined();
  const found = find();
  if (!found) throw new Error(`Nobody sees ${texts.join(" + ")} any more.`);
  return found;
}

function deletes({ platform }: Pair): string[] {
  return platform.calls().flatMap(({ method, path }) => (method === "DELETE" ? [path] : []));
}

describe.runIf(hasRedis)("of two instances on one Redis", () => {
  test("one that is killed between the claim and the answer is taken over by the other, which finds out and runs nothing again", async () => {
    const story = await pair();
    const { ana, platform } = story;
    const first = await story.start();
    story.toward(first);
    await link(story);
    const second = await story.start(60_000);
    await ana.type("/vps cancel web-1");
    const request = await sees(ana, "asks to");
    platform.faults.next({ how: "hang", method: "DELETE", applied: true });
    await ana.press(request, goAhead);
    await expect.poll(() => deletes(story), patience).toHaveLength(1);
    await first.kill();
    story.toward(second);
    // That it was interrupted may be told for a moment only.
    await sees(ana, ":white_check_mark: It was done after all");
    expect(deletes(story)).toHaveLength(1);
  }, 90_000);

  test("one that is killed in the middle of a change holds up nobody who asks for it again once it is clear", async () => {
    const story = await pair(20);
    const { ana, platform } = story;
    const first = await story.start();
    story.toward(first);
    await link(story);
    platform.faults.next({ how: "hang", method: "POST" });
    await ana.type("/vps snapshot web-2 name=before");
    await expect.poll(() => platform.calls().at(-1)?.method, patience).toBe("POST");
    await first.kill();
    story.toward(await story.start());
    await sees(ana, "It was not done", "it is safe to ask again");
    await ana.type("/vps snapshot web-2 name=before");
    await sees(ana, "Taking the snapshot");
  }, 90_000);

  test("one that is killed while it follows is taken over by the other, to the end", async () => {
    const story = await pair();
    const { ana, platform } = story;
    const first = await story.start();
    story.toward(first);
    await link(story);
    await ana.type("/vps snapshot web-2 name=before");
    await sees(ana, "Taking the snapshot");
    const second = await story.start();
    await first.kill();
    story.toward(second);
    await sees(ana, "The snapshot `before` is taken");
    expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
  }, 90_000);

  test(
    `and Redis any may be killed at any time: nothing destructive is sent twice, and no entry is lost or doubled (${rounds} rounds)`,
    async () => {
      const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
      process.stdout.write(`SEED=${seed} ROUNDS=${rounds}\n`);
      const random = generator(seed);
      const story = await pair();
      const { ana, redis, platform } = story;
      platform.addVps(rounds, "victim");
      const instances = [await story.start(), await story.start()];
      const any = (): Instance => instances[Math.floor(random() * 2)] ?? raise();
      story.toward(any());
      await link(story);
      for (let round = 1; round <= rounds; round += 1) {
        story.toward(any());
        const name = `victim-${String(round).padStart(5, "0")}`;
        await ana.type(`/vps cancel ${name}`);
        const request = await sees(ana, "asks to", name);
        story.toward(any());
        // Some are pressed twice, in both.
        const presses = [ana.press(request, goAhead).catch(() => {})];
        if (random() < 0.5) presses.push(ana.press(request, goAhead).catch(() => {}));
        await new Promise((resolve) => setTimeout(resolve, random() * 150));
        const victim = Math.floor(random() * 3);
        if (victim === 2) {
          await redis.kill();
          await redis.start();
        } else {
          await instances[victim]?.kill();
          instances[victim] = await story.start();
        }
        await Promise.all(presses);
        await Promise.all(instances.map(({ url }) => expect.poll(() => isReady(url), patience).toBe(true)));
      }
      // The dust settles: it is later, and what is unclear is looked into until it is clear.
      for (const instance of instances) await instance.kill();
      const last = await story.start(10 * 60_000);
      const store = await openStore({ url: redis.url, clock: systemClock, log: pino({ level: "silent" }) });
      onTestFinished(() => store.close());
      const open = async (): Promise<number> =>
        (await store.index("requests-claimed").size()) + (await store.index("requests-working").size());
      await expect.poll(open, { timeout: 60_000, interval: 500 }).toBe(0);
      await last.kill();
      const sent = deletes(story);
      expect(sent.length).toBeLessThanOrEqual(rounds);
      expect(new Set(sent).size).toBe(sent.length);
      const entries = await store.log("audit", { retentionMs: 1 }).read({ limit: 5_000 });
      const steps = entries.map(({ data }) => JSON.stringify([field(data, "request"), field(data, "what")]));
      expect(new Set(steps).size).toBe(steps.length);
      const told = entries.flatMap(({ data }) => (field(data, "what") === "asked" ? [field(data, "request")] : []));
      expect(told).toHaveLength(rounds);
      // Whatever was sent was approved first, on record.
      const approved = entries.filter(({ data }) => field(data, "what") === "approved");
      expect(approved.length).toBeGreaterThanOrEqual(sent.length);
    },
    60_000 + rounds * 20_000,
  );
});

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function field(data: unknown, name: string): unknown {
  return new Map(Object.entries(data ?? {})).get(name);
}

function raise(): never {
  throw new Error("There are two instances.");
}

/** Numbers from 0 to 1 that the seed decides: a linear congruential generator. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
