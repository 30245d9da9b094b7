import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registry } from "../../src/operations/index.ts";
import type { Request } from "../../src/requests/request.ts";
import { freePort } from "../../src/sandbox/bench/ports.ts";
import { type Practice, startPractice } from "../../src/sandbox/practice.ts";
import { type Actor, said } from "../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { escapeText } from "../../src/views/text.ts";
import { createFastClock } from "../stories/fast-clock.ts";
import { createDraws } from "./draws.ts";
import { belowFloors } from "./floors.ts";
import { connect, createLedger, link, mostResold, resoldId, reveal, work } from "./members.ts";
import { pause } from "./pause.ts";
import { readStore } from "./store-contents.ts";
import { startStorm } from "./storm.ts";
import { createSupervisor } from "./supervisor.ts";
import { judge } from "./verdict.ts";

/** How much faster than ours the app's time runs, and that of everything around it. */
const speed = 20;
const names = ["ana", "ben", "caro"] as const;
/** Real time in which all must have come to its end once nothing fails any more: half an hour of the app's, which checks outcomes for ten minutes. */
const calmMs = 90_000;
const stillMs = 1_500;

export interface RoundResult {
  /** How it was run: who approves, and how Slack reaches the app. */
  setup: string;
  findings: string[];
  figures: Record<string, number>;
}

/** How the app of a round is set up. */
interface Setup {
  approvals: "self" | "peer";
  http: boolean;
}

/**
 * One round: for `stormMs` of real time members work while the app is killed and stopped and everything around it fails; then nothing
 * fails any more, all comes to its end, and it is read from the practice platform, the workspace and the store what became of it.
 */
export async function runRound({ seed, stormMs }: { seed: number; stormMs: number }): Promise<RoundResult> {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-torture-"));
  const url = `sqlite:${join(folder, "rackbell.db")}`;
  const start = Date.now();
  const clock = createFastClock(start, speed);
  const setup = setupOf(seed);
  const practice = await startPractice({
    clock,
    manifest: manifestOf(registry),
    bulk: 300,
    environment: {
      STORE_URL: url,
      APPROVALS: setup.approvals,
      APPROVAL_TTL: "5m",
      SPEED: String(speed),
      START: String(start),
      TOLD: "error",
    },
  });
  const port = await freePort();
  const http = setup.http ? overHttp(practice, port) : {};
  const supervisor = createSupervisor({ ...practice.environment, PORT: String(port), ...http });
  try {
    prepare(practice);
    await supervisor.calm();
    if (!setup.http) await practice.slack.connected();
    for (const name of names) await link(practice, name);
    await connect(practice);
    const { tried, faults } = await stormOver(practice, supervisor, { seed, stormMs });
    await supervisor.calm();
    const began = Date.now();
    const late = await settle(practice, port);
    const revealed = new Set((await Promise.all(names.map((name) => reveal(practice.slack.as(name))))).flat());
    const settledMs = Date.now() - began;
    const stopped = await supervisor.stop();
    const contents = await readStore(url);
    const findings = [
      ...supervisor.findings,
      ...late.map((words) => `${words} ${storedOf(contents.requests, words)}`),
      ...judge({ practice, ...contents, revealed }),
      ...belowFloors({ practice, ...contents }, stormMs),
    ];
    const writes = practice.platform.calls().filter(({ method }) => method !== "GET").length;
    return {
      setup: `${setup.approvals} approvals, ${setup.http ? "HTTP" : "Socket"} Mode`,
      findings,
      figures: {
        ...supervisor.figures,
        faults,
        settledMs,
        stopMs: Math.round(stopped.ms),
        revealed: revealed.size,
        requests: contents.requests.length,
        auditEntries: contents.audit.length,
        writes,
        ...Object.fromEntries(Object.entries(tried).map(([what, count]) => [`tried ${what}`, count])),
        ...countStates(contents.requests),
      },
    };
  } finally {
    await supervisor.stop();
    practice.platform.faults.resume();
    await practice.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each seed chooses a setup, and each setup has its seeds. */
function setupOf(seed: number): Setup {
  const draws = createDraws(seed + 9);
  return { approvals: draws.pick(["self", "peer"]), http: draws.chance(0.5) };
}

/** Slack posts to the app, whichever process it is by then. */
function overHttp({ slack }: Practice, port: number): Record<string, string> {
  slack.deliverTo(`http://127.0.0.1:${port}/slack/events`);
  return { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret };
}

/** Nobody lacks money or calls. */
function prepare({ platform }: Practice): void {
  platform.settings.hourlyLimit = 1_000_000;
  for (const name of names) platform.changeUser(name, { balance: 10_000_000 });
  platform.addVps(mostResold, "sold");
  for (let number = 1; number <= mostResold; number += 1)
    platform.reseller.resell(platform.findVps(`sold-${String(number).padStart(5, "0")}`).id, resoldId(number));
}

async function stormOver(
  practice: Practice,
  supervisor: ReturnType<typeof createSupervisor>,
  { seed, stormMs }: { seed: number; stormMs: number },
): Promise<{ tried: Record<string, number>; faults: number }> {
  const ledger = createLedger();
  const end = Date.now() + stormMs;
  const storm = startStorm(practice, createDraws(seed));
  supervisor.storm(createDraws(seed + 1));
  await Promise.all(
    names.map((name, at) =>
      work(
        { practice, actor: practice.slack.as(name), draws: createDraws(seed + 2 + at), ledger },
        { isUp: supervisor.isUp, isOver: () => Date.now() > end },
      ),
    ),
  );
  return { tried: ledger.tried, faults: await storm.end() };
}

const goesOn = /:hourglass_flowing_sand:|:raised_hand:|I am checking the outcome/;

/** Waits until nothing moves any more; what still does when the time is up. Orders are paid meanwhile. */
async function settle({ slack, platform }: Practice, port: number): Promise<string[]> {
  const end = Date.now() + calmMs;
  let since = Date.now();
  let before = "";
  for (;;) {
    for (const { id, status } of platform.documents())
      if (status === "unpaid" || status === "pending") platform.payByOperator(id);
    const messages = Object.values(slack.state().channels).flat();
    const cards = messages.filter((message) => goesOn.test(said(message))).map(said);
    const moving =
      cards.length > 0 ? cards : await unfinished(port, slack.as("ana"), slack.as("ben"), slack.as("caro"));
    const print = messages.map(({ ts, edited }) => `${ts} ${edited?.ts}`).join();
    if (print !== before || moving.length > 0) since = Date.now();
    before = print;
    if (Date.now() - since > stillMs) return [];
    if (Date.now() > end) return moving.map((words) => `This still goes on: ${words}`);
    await pause(300);
  }
}

async function unfinished(port: number, ...actors: Actor[]): Promise<string[]> {
  const waiting = await waitingOf(...actors);
  return waiting.length > 0 ? waiting : failingTasks(port);
}

/** The tasks that failed at their last try. A post that Slack refused in the storm is tried again up to ten minutes later. */
async function failingTasks(port: number): Promise<string[]> {
  const page = await fetch(`http://127.0.0.1:${port}/metrics`);
  const metrics = await page.text();
  if (!metrics.includes("rackbell_queue_failing{")) return [`The metrics have no failing tasks: ${page.status}`];
  return metrics.match(/^rackbell_queue_failing\{.*\} [1-9]\d*$/gm) ?? [];
}

/** The open requests, each as its requester sees it: a channel shows no price. */
async function waitingOf(...actors: Actor[]): Promise<string[]> {
  const waiting = await Promise.all(
    actors.map(async (actor) => {
      const before = actor.sees().length;
      await actor.type("/rackbell approvals").catch(() => {});
      await pause(700);
      const words = actor.sees().slice(before).map(said).join("\n");
      return /There are no open requests that you can see/.test(words)
        ? []
        : [`${actor.user.name}: ${words || "no answer"}`];
    }),
  );
  return waiting.flat();
}

/** How the store has the requests for a machine that these words name: a card may be stale, or its request may hang. */
function storedOf(requests: Request[], words: string): string {
  const named = requests.filter(({ target }) => target !== null && words.includes(escapeText(target.name)));
  const told = named.map(
    ({ command, state, looks, version }) => `${command}: ${state}, ${looks} looks, step ${version}`,
  );
  return `(stored: ${told.join("; ") || "no request for it"})`;
}

function countStates(requests: Request[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { command, state } of requests)
    for (const what of [`ended ${state}`, `${command} ${state}`]) counts[what] = (counts[what] ?? 0) + 1;
  return counts;
}
