import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { registry } from "../../src/operations/index.ts";
import { type Clock, systemClock } from "../../src/process/clock.ts";
import { freePort } from "../../src/sandbox/bench/ports.ts";
import { type Practice, startPractice } from "../../src/sandbox/practice.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { ownFolder } from "../own-folder.ts";
import { fileStore } from "./story.ts";

/** The app as `npm start` starts it, as a process of its own. */
export interface Main {
  child: ChildProcess;
  url: string;
  /** The answer of `/readyz`: its status and its text. */
  ready(): Promise<string>;
  /** How the process ended, and how many milliseconds after the signal. */
  terminate(): Promise<{ code: number | null; signal: string | null; ms: number }>;
  /** True while it runs. */
  alive(): boolean;
  /** All that it has said on standard error. */
  errors: Promise<string>;
  lines: string[];
}

export async function openPractice(
  environment: Record<string, string> = {},
  { clock = systemClock, pace = 1 }: { clock?: Clock; pace?: number } = {},
): Promise<Practice> {
  const practice = await startPractice({
    clock,
    pace,
    manifest: manifestOf(registry),
    environment: { STORE_URL: fileStore(), PORT: String(await freePort()), ...environment },
  });
  onTestFinished(async () => {
    practice.platform.faults.resume();
    await practice.close();
  });
  return practice;
}

/** `http`: Slack posts to it; the usual is Socket Mode. `entry`: another file than the sources' own. Resolves when it says that it is ready. */
export async function startMain(
  practice: Practice,
  options: { http?: boolean; becomesReady?: boolean; entry?: string } = {},
): Promise<Main> {
  const { environment, slack } = practice;
  const http = { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret };
  const { entry = fileURLToPath(new URL("../../src/start.js", import.meta.url)) } = options;
  // In a folder of its own, where no `.env` of a developer is.
  const child = spawn(process.execPath, [entry], {
    cwd: ownFolder(),
    env: { PATH: process.env.PATH ?? "", ...environment, ...(options.http ? http : {}) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  child.stdout.on("data", (chunk) => lines.push(String(chunk)));
  const url = `http://127.0.0.1:${environment.PORT}`;
  const main: Main = {
    child,
    url,
    lines,
    errors: text(child.stderr),
    alive: () => child.exitCode === null && child.signalCode === null,
    async ready() {
      try {
        const answer = await fetch(`${url}/readyz`);
        return `${answer.status} ${await answer.text()}`;
      } catch {
        return "not listening";
      }
    },
    async terminate() {
      const ended = once(child, "exit");
      const began = performance.now();
      child.kill("SIGTERM");
      const [code, signal] = await ended;
      return { code, signal, ms: performance.now() - began };
    },
  };
  if (options.becomesReady !== false)
    await expect.poll(async () => (main.alive() ? lines.join("") : main.errors)).toContain("Rackbell is ready");
  if (options.http) slack.deliverTo(`${url}/slack/events`);
  return main;
}
