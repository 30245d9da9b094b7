import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Draws } from "./draws.ts";
import { pause } from "./pause.ts";

/** Keeps the app running, as a container's platform does, and ends it at random while the storm lasts. */
export interface Supervisor {
  /** Kills and stops the app at random until `calm`. */
  storm(draws: Draws): void;
  /** From now on nobody ends it; resolves when it is ready. */
  calm(): Promise<void>;
  /** Stops it for good: how it ended, and after how many milliseconds. */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** True while there is an app to talk to. */
  isUp(): boolean;
  figures: { starts: number; kills: number; stops: number };
  /** Faults of the process: it ended by itself, ended badly, or not in time. */
  findings: string[];
}

const script = fileURLToPath(new URL("../stories/app-child.ts", import.meta.url));
/** Real time that a stop may take: its grace is a fraction of it, for the app's time runs faster. */
const mostStopMs = 5_000;
/** The app's words when Slack refuses it at its start: then it is started again. */
const slackIsAway = /SLACK_BOT_TOKEN or SLACK_API_URL|SLACK_APP_TOKEN/;

export function createSupervisor(environment: Record<string, string>): Supervisor {
  const figures = { starts: 0, kills: 0, stops: 0 };
  const findings: string[] = [];
  let storming = false;
  let keeping = Promise.resolve();
  let child: ChildProcess | null = null;

  /** The app once it is ready; null where Slack would not have it. */
  async function start(): Promise<ChildProcess | null> {
    figures.starts += 1;
    const started = spawn(process.execPath, [script], {
      env: { NODE_COMPILE_CACHE: "node_modules/.cache/rackbell/compiled", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let words = "";
    started.stderr.on("data", (chunk) => {
      words = `${words}${String(chunk)}`.slice(-4_000);
    });
    started.once("exit", (code, signal) => {
      if (signal === null && code !== 0 && !slackIsAway.test(words))
        findings.push(`The app ended by itself with ${code}: ${words.slice(-1_500)}`);
    });
    const ready = once(started.stdout, "data").then(() => true);
    const isReady = await Promise.race([ready, once(started, "exit").then(() => false)]);
    return isReady ? started : null;
  }

  async function startUntilReady(): Promise<ChildProcess> {
    for (;;) {
      const started = await start();
      if (started) return started;
      await pause(200);
    }
  }

  async function end(ending: ChildProcess, how: "SIGKILL" | "SIGTERM"): Promise<{ code: number | null; ms: number }> {
    if (ending.exitCode !== null || ending.signalCode !== null) return { code: ending.exitCode, ms: 0 };
    const began = performance.now();
    const ended = once(ending, "exit");
    ending.kill(how);
    const [code] = await ended;
    const ms = performance.now() - began;
    if (how === "SIGTERM" && (code !== 0 || ms > mostStopMs))
      findings.push(`A stop ended with ${code} after ${Math.round(ms)} ms`);
    return { code, ms };
  }

  async function keep(draws: Draws): Promise<void> {
    while (storming) {
      child ??= await startUntilReady();
      await pause(draws.between(300, 6_000));
      if (!storming) return;
      const how = draws.chance(0.65) ? "SIGKILL" : "SIGTERM";
      figures[how === "SIGKILL" ? "kills" : "stops"] += 1;
      await end(child, how);
      child = null;
      await pause(draws.between(0, 300));
    }
  }

  return {
    figures,
    findings,
    isUp: () => child !== null && child.exitCode === null && child.signalCode === null,
    storm(draws) {
      storming = true;
      keeping = keep(draws);
    },
    async calm() {
      storming = false;
      await keeping;
      if (child && child.exitCode === null && child.signalCode === null) return;
      child = await startUntilReady();
    },
    async stop() {
      storming = false;
      await keeping;
      return child ? end(child, "SIGTERM") : { code: 0, ms: 0 };
    },
  };
}
