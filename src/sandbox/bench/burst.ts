import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import * as z from "zod";
import { createSubscriptions, newSubscription } from "../../alerts/subscriptions.ts";
import { sleep, systemClock } from "../../clock.ts";
import { createRegistry } from "../../operation/registry.ts";
import { operations } from "../../operations/index.ts";
import { manifestOf } from "../../slack/manifest.ts";
import { openStore } from "../../storage/open.ts";
import { type Practice, startPractice } from "../practice.ts";
import { burst, customerOf, rightCards } from "./burst-orders.ts";
import { approving, linkMember, typing } from "./burst-people.ts";
import { type Burst, burstRows } from "./burst-rows.ts";
import { connect } from "./inbox.ts";
import { residentMemory } from "./process-figures.ts";
import type { Row } from "./report.ts";
import { inside, type Run } from "./sides.ts";
import { type Subject, startApp, storeIn } from "./subjects.ts";

const connections = 100;
const secret = "5e".repeat(32);
const typedBefore = 50;
const approvals = 4;
const lookMs = 1_000;
const patienceMs = 270_000;

/** 10,000 deliveries while Slack refuses every other post: how they are answered, when all is told, and whether people wait behind it. */
export async function inBurst({ folder, secrets: { encryptionKey } }: Run): Promise<Row[]> {
  const manifest = manifestOf(createRegistry(operations));
  const practice = await startPractice({ clock: systemClock, manifest, bulk: 2 * approvals });
  const { slack, platform } = practice;
  const secrets = { botToken: slack.botToken, signingSecret: slack.signingSecret, encryptionKey };
  const channels = Array.from({ length: burst.channels }, (_, at) => slack.addChannel(`burst-${at}`, ["ana"]));
  const own = await inside(folder);
  await connect(own, secrets, secret);
  await subscribe(own, channels);
  const world = { platformUrl: platform.url, slackApiUrl: slack.apiUrl };
  const app = await startApp(world, secrets, { folder: own, cache: join(folder, "compiled") });
  slack.deliverTo(`${app.url}/slack/events`);
  await linkMember(practice, slack.as("ana"));
  const measured = await measure(practice, app, channels);
  await app.stop();
  const { violations } = slack.state();
  await practice.close();
  if (violations.length > 0) throw new Error(`Slack was sent what it refuses: ${JSON.stringify(violations[0])}`);
  return burstRows(measured);
}

async function measure(practice: Practice, app: Subject, channels: string[]): Promise<Burst> {
  const { slack } = practice;
  const ana = slack.as("ana");
  const approve = approving(practice, ana, channels[0] ?? "");
  const before = await typing(ana, (typed) => typed < typedBefore);
  const approvedBefore = await several(approvals, approve);
  slack.faults.rateLimit("chat.postMessage", 1, Number.POSITIVE_INFINITY, 2);
  const callsBefore = await callsOf(app.url);

  let stage: "sending" | "posting" | "over" = "sending";
  const began = performance.now();
  const amidSending = typing(ana, () => stage === "sending");
  const approvedAmid = several(approvals, approve);
  const answers = await deliverAll(`${app.url}`, `/webhooks/reseller/${slack.teamId}`);
  const sentMs = performance.now() - began;
  stage = "posting";
  const amidPosting = typing(ana, () => stage === "posting");
  let right = 0;
  while (right < burst.orders && performance.now() - began < patienceMs) {
    await sleep(systemClock, lookMs);
    right = rightCards(ana, channels);
  }
  const rightMs = right === burst.orders ? performance.now() - began : Number.NaN;
  stage = "over";
  const calls = [...(await callsOf(app.url))].map(
    ([name, count]) => [name, count - (callsBefore.get(name) ?? 0)] as const,
  );
  return {
    ...{ answers, sentMs, right, rightMs, calls: new Map(calls), memory: await residentMemory(app.pid) },
    typed: { before, sending: await amidSending, posting: await amidPosting },
    approved: { before: approvedBefore, amid: await approvedAmid },
  };
}

async function several<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let time = 0; time < times; time += 1) all.push(await work());
  return all;
}

/** Has all of it delivered, and gives how long each answer took, in milliseconds. */
async function deliverAll(origin: string, path: string): Promise<number[]> {
  const file = fileURLToPath(new URL("./burst-sender.ts", import.meta.url));
  const child = fork(file, [origin, path, secret, String(connections)], { env: {} });
  const failed = once(child, "exit").then(([code]) => Promise.reject(new Error(`The sender ended with ${code}`)));
  const [told] = await Promise.race([once(child, "message"), failed]);
  failed.catch(() => {});
  return z.array(z.number()).parse(told);
}

/** Each channel is told of one customer, as an admin's `/rackbell alerts add` has it. */
async function subscribe(folder: string, channels: string[]): Promise<void> {
  const log = pino({ level: "silent" });
  const store = await openStore({ url: storeIn(folder), clock: systemClock, log });
  const subscriptions = channels.map((channel, at) =>
    newSubscription(
      { events: [], notEvents: [], about: [customerOf(at)], notAbout: [], products: [], notProducts: [] },
      { channel, by: "U0BENCH", mention: null },
    ),
  );
  await createSubscriptions({ store }).change((routing) => ({ ...routing, subscriptions }));
  await store.close();
}

/** How often each method of Slack's was called so far, with what came of it, as `/metrics` tells. */
async function callsOf(url: string): Promise<Map<string, number>> {
  const page = await (await fetch(`${url}/metrics`)).text();
  const lines = page.matchAll(/^rackbell_slack_calls_total\{method="([^"]+)",outcome="([^"]+)"\} (\d+)/gm);
  return new Map([...lines].map(([, method, outcome, count]) => [`${method} ${outcome}`, Number(count)]));
}
