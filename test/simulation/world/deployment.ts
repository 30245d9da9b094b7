import { Writable } from "node:stream";
import { type Running, startApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import { registry } from "../../../src/operations/index.ts";
import { createLog } from "../../../src/process/log.ts";
import { createMetrics } from "../../../src/process/metrics.ts";
import type { SandboxClock } from "../../../src/sandbox/clock.ts";
import { type Practice, startPractice } from "../../../src/sandbox/practice.ts";
import type { WorkspaceSnapshot } from "../../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../../src/slack/manifest.ts";
import type { Store } from "../../../src/storage/store.ts";
import type { Dump } from "../redis/keyspace.ts";
import { createDisk, type Disk } from "./disk.ts";
import { installNetwork, type Network } from "./network.ts";
import { createProcess, type Process } from "./processes.ts";
import { installRandomness } from "./randomness.ts";
import { createRedis, type Redis } from "./redis.ts";
import { createSchedule, type Schedule } from "./schedule.ts";
import { createSimulatedClock, installTime } from "./time.ts";

/** So long a start may take of the world's time before it counts as failed. */
const startMs = 120_000;

const bootMs = 300;

/** Webhooks come by rounds of a minute, as steps do: in one moment, either could be first. These take a second more. */
const orderlyPace = 60_000 / 61_003;
/** Of two webhooks of one round, the second could be worked on first. */
const orderlyApartMs = 2_111;

/** The real app between a practice Slack and a practice platform, all in this process and on simulated time. */
export interface Deployment {
  schedule: Schedule;
  network: Network;
  /** The file of a world on SQLite. */
  disk: Disk;
  /** The server of a world on Redis; null on SQLite. */
  redis: Redis | null;
  practice: Practice;
  /** Slack's and the platform's own time. */
  clock: SandboxClock;
  /** Every line that the app has logged, over all its starts. */
  log: string[];
  /** Runs the world until each instance is ready; false where one did not come to be, as where it died meanwhile. */
  boot(): Promise<boolean>;
  /** The app dies as by a power cut: all of its instances, or this one. */
  crash(which?: number): void;
  /** True if each instance is there. */
  isUp(): boolean;
  readonly crashes: number;
  /** The events at which the app died, and those at which it logged that an act was not stored before its answer. */
  readonly crashedAt: readonly number[];
  readonly unstoredAt: readonly number[];
  /** How many other faults there were; their maker counts them. */
  faults: number;
  /** Those that are not about the connection to Slack alone. */
  otherFaults: number;
  /** When faults ended and the app died, by Slack's clock. */
  faultsEndedAt: number;
  readonly diedAt: readonly number[];
  /** When something went wrong last, or the app was up again after that, by Slack's clock. */
  disturbedAt: number;
  /** The longest time for which the app was down after a crash, in milliseconds. */
  readonly longestDownMs: number;
  /** The last event at which anything left or reached the app: what comes after it is the app's own idling. */
  readonly lastBusy: number;
  /** Sets the time of day of the app's machine forward or back; of all instances, or of this one. */
  adjust(ms: number, which?: number): void;
  /** Sets it right again. */
  setRight(): void;
  /** The process of an instance, if it has one. */
  processOf(which: number): Process | undefined;
  /** The instance to which Slack and the platform send. */
  facing(): number;
  /** From now on Slack and the platform turn to another instance, where there is one that answers. */
  turn(): void;
  /** Runs the world until `done` or for `ms`. */
  run(done: () => boolean, ms: number): Promise<boolean>;
  /** Runs the world until a person's act has been answered by Slack; what went wrong for them, where something did. */
  act(work: Promise<unknown>): Promise<{ error?: string }>;
  /** Reads what the app has stored. */
  stored<T>(read: (store: Store) => Promise<T>): Promise<T>;
  /** Ends the app, and stores the state from which another world can continue. */
  save(): Saved;
  end(): void;
}

/** The parts of a world that can differ. */
export interface Setting {
  environment?: Record<string, string>;
  /** The world from which it continues. */
  from?: Saved;
  /** How long each answer of the platform takes. */
  latencyMs?: number;
  /** On a model of Redis, in place of a file. */
  onRedis?: OnRedis;
  /** It goes the same way on either store: see `Schedule`. */
  isOrderly?: boolean;
}

export interface OnRedis {
  instances: number;
  /** Between looks for others' timers, as the store has it unless given. */
  lookEveryMs?: number;
  /** Nobody waits for its signs of life, which are most of what it sends. */
  signs?: { everyMs: number; lastMs: number };
  /** A real Redis goes along with the model, on this port of the machine. */
  realPort?: number;
}

/** A world at rest. Its platform is as it began: only reads may have reached it. */
export interface Saved {
  seed: number;
  environment: Record<string, string>;
  latencyMs: number;
  time: number;
  slack: WorkspaceSnapshot;
  /** The content of the file, or of Redis. */
  store: Uint8Array;
  redis: Dump | undefined;
  onRedis: OnRedis | undefined;
  isOrderly: boolean;
}

/** Slack posts to the app. Without it the app connects to Slack by a socket. */
export const byHttp = { SLACK_APP_TOKEN: "" };

const schedule = createSchedule();
installTime(schedule);
installRandomness(schedule);
const network = installNetwork(schedule);
// Each would count the collections of garbage by an observer of its own, for ever.
const metrics = createMetrics();
const manifest = manifestOf(registry);

/** Begins a new world for the seed. What was made in the one before is dead from here on. */
export async function deploy(seed: number, setting: Setting = {}): Promise<Deployment> {
  const { from } = setting;
  const { environment = from?.environment ?? byHttp, latencyMs = from?.latencyMs ?? 0 } = setting;
  const onRedis = setting.onRedis ?? from?.onRedis;
  const isOrderly = setting.isOrderly ?? from?.isOrderly ?? false;
  network.end();
  await schedule.rest();
  schedule.isOrderly = isOrderly;
  schedule.begin(from?.seed ?? seed);
  network.begin();
  network.outside = true;
  const clock = createSimulatedClock(schedule);
  const disk = createDisk(schedule, from?.store);
  const redis = onRedis ? createRedis({ schedule, network }, { ...onRedis, image: from?.redis }) : null;
  const log: string[] = [];
  const unstoredAt: number[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      if (String(chunk).includes("act could not be stored before its answer")) unstoredAt.push(schedule.events);
      done();
    },
  });
  let practice: Practice | undefined;
  const starting = startPractice({
    clock,
    manifest,
    bulk: 9,
    latencyMs,
    ...(isOrderly ? { pace: orderlyPace } : {}),
    environment: { STORE_URL: "sqlite:/nowhere/rackbell.db", ...environment },
    ...(from ? { from: from.slack } : {}),
  });
  void starting.then((started) => {
    practice = started;
  });
  await schedule.run(() => practice !== undefined, startMs);
  if (!practice) throw new Error("The practice workspace did not start");
  const { slack, platform, deliverTo, environment: given } = practice;
  if (isOrderly) platform.reseller.webhooks.faults.apartMs = orderlyApartMs;
  network.name(Number(new URL(slack.url).port), "slack");
  network.name(Number(new URL(platform.url).port), "platform");
  network.outside = false;
  // A message of the same millisecond would bear a timestamp that is taken.
  if (from) schedule.goOn(seed, from.time + 1);

  const lives: (Life | undefined)[] = Array.from({ length: onRedis?.instances ?? 1 });
  let latest: Store | undefined;
  let toward = 0;
  /** How far the clock of each is set. */
  const adjusted = lives.map(() => 0);
  const crashedAt: number[] = [];
  const diedAt: number[] = [];
  let downSince: number | undefined;
  let longestDownMs = 0;

  let lastBusy = 0;
  network.onTraffic = () => {
    lastBusy = schedule.events;
  };

  function die(which: number): void {
    const process = lives[which]?.process;
    lives[which] = undefined;
    if (!process) return;
    process.kill();
    network.kill(process);
    if (!redis) disk.crash();
  }

  /** Starts an instance in its place. */
  async function begin(which: number): Promise<boolean> {
    const process = createProcess(schedule, `app ${which + 1}`);
    const own: Life = { process, clock: createSimulatedClock(schedule), app: undefined, store: undefined };
    own.clock.adjust(adjusted[which] ?? 0);
    lives[which] = own;
    let failed = false;
    const config = readConfig({ ...given, SLACK_SIGNING_SECRET: slack.signingSecret });
    const appLog = createLog({ level: "info", destination });
    process.run(() => {
      const opening = (redis ?? disk).open({ clock: own.clock, log: appLog });
      opening.then(
        (store) => {
          own.store = store;
          latest = store;
        },
        () => {},
      );
      startApp({ config, log: appLog, clock: own.clock, metrics, opening }).then(
        (app) => {
          if (lives[which] === own) own.app = app;
        },
        (error: unknown) => {
          failed = true;
          log.push(`${JSON.stringify({ level: "fatal", msg: `The app did not start: ${String(error)}` })}\n`);
        },
      );
    });
    await schedule.run(() => own.app !== undefined || failed || lives[which] !== own, schedule.time + startMs);
    if (own.app !== undefined && lives[which] === own) return true;
    // A process that could not start ends, and lets go of its file.
    if (lives[which] === own) die(which);
    return false;
  }

  /** Slack and the platform send to the instance at `toward`, or else to the next one that answers. */
  function face(): void {
    const inTurn = lives.map((_, at) => (toward + at) % lives.length);
    toward = inTurn.find((at) => lives[at]?.app && lives[at].process.state === "running") ?? toward;
    const app = lives[toward]?.app;
    if (!app) return;
    deliverTo(app.url);
    // With a token for a socket the app connects to Slack, and Slack to nobody.
    if (given.SLACK_APP_TOKEN === "") slack.deliverTo(`${app.url}/slack/events`);
  }

  const deployment: Deployment = {
    schedule,
    network,
    disk,
    redis,
    practice,
    clock,
    log,
    crashedAt,
    unstoredAt,
    faults: 0,
    otherFaults: 0,
    disturbedAt: 0,
    faultsEndedAt: Number.POSITIVE_INFINITY,
    diedAt,
    get crashes() {
      return crashedAt.length;
    },
    get longestDownMs() {
      return longestDownMs;
    },
    get lastBusy() {
      return lastBusy;
    },
    isUp: () => lives.every((life) => life?.app !== undefined),
    async boot() {
      // A process takes its time to start: calls in progress arrive or are lost meanwhile.
      await schedule.run(() => false, schedule.time + bootMs);
      for (const [which, life] of lives.entries()) if (!life && !(await begin(which))) return false;
      if (crashedAt.length > 0) deployment.disturbedAt = clock.now();
      face();
      if (!deployment.isUp()) return false;
      longestDownMs = Math.max(longestDownMs, clock.now() - (downSince ?? clock.now()));
      downSince = undefined;
      return true;
    },
    crash(which) {
      const dying = lives.flatMap((life, at) => (life && (which === undefined || which === at) ? [at] : []));
      if (dying.length === 0) return;
      crashedAt.push(schedule.events);
      diedAt.push(clock.now());
      downSince ??= clock.now();
      for (const at of dying) die(at);
      face();
      schedule.trace?.push(`${(schedule.time / 1000).toFixed(3).padStart(9)} s  *** the app dies`);
    },
    adjust(ms, which) {
      for (const [at, life] of lives.entries()) {
        if (which !== undefined && which !== at) continue;
        adjusted[at] = (adjusted[at] ?? 0) + ms;
        life?.clock.adjust(ms);
      }
    },
    setRight() {
      for (const [at, ms] of adjusted.entries()) deployment.adjust(-ms, at);
    },
    facing: () => toward,
    processOf: (which) => lives[which]?.process,
    turn() {
      if (lives.length === 1) return;
      toward = (toward + 1) % lives.length;
      face();
    },
    run: (done, ms) => schedule.run(done, schedule.time + ms),
    async act(work) {
      let answer: { error?: string } | undefined;
      work.then(
        () => {
          answer = {};
        },
        (error: unknown) => {
          answer = { error: error instanceof Error ? error.message : String(error) };
        },
      );
      await schedule.run(() => answer !== undefined, schedule.time + 60_000);
      return answer ?? { error: "Slack never answered" };
    },
    async stored<T>(read: (store: Store) => Promise<T>) {
      const life = lives.find((one) => one?.store && one.process.state === "running");
      const store = life?.store ?? latest;
      if (!store) throw new Error("The app has opened no store");
      let answer: { value: T } | undefined;
      const reading = (life ? life.process.run(() => read(store)) : read(store)).then((value) => {
        answer = { value };
      });
      await schedule.run(() => answer !== undefined, schedule.time + 60_000);
      if (!answer) await reading;
      if (!answer) throw new Error("The store never answered");
      return answer.value;
    },
    save() {
      deployment.crash();
      const store = disk.image();
      const { time } = schedule;
      redis?.lockstep?.close();
      const saved = { seed, environment, latencyMs, time, slack: slack.snapshot(), store, onRedis, isOrderly };
      return { ...saved, redis: redis?.image() };
    },
    end() {
      deployment.crash();
      redis?.lockstep?.close();
      disk.end();
    },
  };
  return deployment;
}

/** An instance of the app, from its start on. */
interface Life {
  process: Process;
  clock: SandboxClock;
  app: Running | undefined;
  store: Store | undefined;
}
