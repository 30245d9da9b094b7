import { Writable } from "node:stream";
import { type Running, startApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import { registry } from "../../../src/operations/index.ts";
import { createLog } from "../../../src/process/log.ts";
import { createMetrics } from "../../../src/process/metrics.ts";
import { type Practice, startPractice } from "../../../src/sandbox/practice.ts";
import type { WorkspaceSnapshot } from "../../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../../src/slack/manifest.ts";
import type { Store } from "../../../src/storage/store.ts";
import { createDisk, type Disk } from "./disk.ts";
import { installNetwork, type Network } from "./network.ts";
import { installRandomness } from "./randomness.ts";
import { createSchedule, type Schedule } from "./schedule.ts";
import { createSimulatedClock, installTime, type SimulatedClock } from "./time.ts";

/** So long a start may take of the world's time before it counts as failed. */
const startMs = 120_000;

const bootMs = 300;

/** The real app between a practice Slack and a practice platform, all in this process and on simulated time. */
export interface Deployment {
  schedule: Schedule;
  network: Network;
  disk: Disk;
  practice: Practice;
  /** Slack's and the platform's own time. */
  clock: SimulatedClock;
  /** Every line that the app has logged, over all its starts. */
  log: string[];
  /** Runs the world until the app is ready; false where it did not come to be, as where it died meanwhile. */
  boot(): Promise<boolean>;
  /** The app dies as by a power cut. */
  crash(): void;
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
  /** The last event at which anything left or reached the app: what comes after it is the app's own idling. */
  readonly lastBusy: number;
  /** Sets the time of day of the app's machine forward or back. */
  adjust(ms: number): void;
  /** Sets it right again. */
  setRight(): void;
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

/** A world at rest. Its platform is as it began: only reads may have reached it. */
export interface Saved {
  seed: number;
  environment: Record<string, string>;
  /** How long each answer of the platform takes. */
  latencyMs: number;
  time: number;
  slack: WorkspaceSnapshot;
  store: Uint8Array;
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
export async function deploy(
  seed: number,
  environment: Record<string, string> = byHttp,
  from?: Saved,
  latencyMs = from?.latencyMs ?? 0,
): Promise<Deployment> {
  network.end();
  await schedule.rest();
  schedule.begin(from?.seed ?? seed);
  network.begin();
  network.outside = true;
  const clock = createSimulatedClock(schedule);
  const disk = createDisk(schedule, from?.store);
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
    environment: { STORE_URL: "sqlite:/nowhere/rackbell.db", ...environment },
    ...(from ? { from: from.slack } : {}),
  });
  void starting.then((started) => {
    practice = started;
  });
  await schedule.run(() => practice !== undefined, startMs);
  if (!practice) throw new Error("The practice workspace did not start");
  const { slack, platform, deliverTo, environment: given } = practice;
  network.name(Number(new URL(slack.url).port), "slack");
  network.name(Number(new URL(platform.url).port), "platform");
  network.outside = false;
  // A message of the same millisecond would bear a timestamp that is taken.
  if (from) schedule.goOn(seed, from.time + 1);

  let life: { app: Running | undefined; clock: SimulatedClock } | undefined;
  let opened: Store | undefined;
  let adjusted = 0;
  const crashedAt: number[] = [];
  const diedAt: number[] = [];

  let lastBusy = 0;
  network.onTraffic = () => {
    lastBusy = schedule.events;
  };

  function die(): void {
    life?.clock.stop();
    life = undefined;
    network.cutApp();
    disk.crash();
  }

  const deployment: Deployment = {
    schedule,
    network,
    disk,
    practice,
    clock,
    log,
    crashedAt,
    unstoredAt,
    faults: 0,
    otherFaults: 0,
    faultsEndedAt: Number.POSITIVE_INFINITY,
    diedAt,
    get crashes() {
      return crashedAt.length;
    },
    get lastBusy() {
      return lastBusy;
    },
    isUp: () => life?.app !== undefined,
    async boot() {
      // A process takes its time to start: calls in progress arrive or are lost meanwhile.
      await schedule.run(() => false, schedule.time + bootMs);
      const own: NonNullable<typeof life> = { app: undefined, clock: createSimulatedClock(schedule) };
      own.clock.adjust(adjusted);
      life = own;
      let failed = false;
      const config = readConfig({ ...given, SLACK_SIGNING_SECRET: slack.signingSecret });
      const appLog = createLog({ level: "info", destination });
      const opening = disk.open({ clock: own.clock, log: appLog });
      opening.then(
        (store) => {
          opened = store;
        },
        () => {},
      );
      startApp({ config, log: appLog, clock: own.clock, metrics, opening }).then(
        (app) => {
          if (life !== own) return;
          own.app = app;
          deliverTo(app.url);
          // With a token for a socket the app connects to Slack, and Slack to nobody.
          if (given.SLACK_APP_TOKEN === "") slack.deliverTo(`${app.url}/slack/events`);
        },
        (error: unknown) => {
          failed = true;
          log.push(`${JSON.stringify({ level: "fatal", msg: `The app did not start: ${String(error)}` })}\n`);
        },
      );
      await schedule.run(() => own.app !== undefined || failed || life !== own, schedule.time + startMs);
      if (own.app !== undefined && life === own) return true;
      // A process that could not start ends, and lets go of its file.
      if (life === own) die();
      return false;
    },
    crash() {
      if (!life) return;
      crashedAt.push(schedule.events);
      diedAt.push(clock.now());
      die();
      schedule.trace?.push(`${(schedule.time / 1000).toFixed(3).padStart(9)} s  *** the app dies`);
    },
    adjust(ms) {
      adjusted += ms;
      life?.clock.adjust(ms);
    },
    setRight: () => deployment.adjust(-adjusted),
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
      if (!opened) throw new Error("The app has opened no store");
      let answer: { value: T } | undefined;
      const reading = read(opened).then((value) => {
        answer = { value };
      });
      await schedule.run(() => answer !== undefined, schedule.time + 60_000);
      if (!answer) await reading;
      if (!answer) throw new Error("The store never answered");
      return answer.value;
    },
    save() {
      deployment.crash();
      return { seed, environment, latencyMs, time: schedule.time, slack: slack.snapshot(), store: disk.image() };
    },
    end() {
      deployment.crash();
      disk.end();
    },
  };
  return deployment;
}
