import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { registry } from "../../src/operations/index.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { startPractice } from "../../src/sandbox/practice.ts";
import { type Actor, type Message, type PracticeSlack, said } from "../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { wasTooSlow } from "../torture/pair.ts";
import { createFastClock } from "./fast-clock.ts";
import { holds, opened } from "./opened.ts";

export interface Crashing {
  slack: PracticeSlack;
  platform: PracticePlatform;
  /** The environment that the app is started with. */
  environment: Record<string, string>;
  ana: Actor;
  sees(actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  ask(actor: Actor, command: string, ...texts: (string | RegExp)[]): Promise<Message>;
  modal(actor: Actor, ...texts: (string | RegExp)[]): Promise<void>;
  /** Links a key through the form, until an answer shows all of these texts. */
  link(actor: Actor, key: string, ...texts: string[]): Promise<void>;
  /** Ends the app as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The app's process, while it runs. */
  pid(): number;
  /** Its log so far, if `TOLD` in its environment names a level. */
  output(): string;
  /** Waits up to 90 seconds, or so many milliseconds, for what may take long. */
  later<T>(look: () => T | undefined | false, what: string | (() => string), patienceMs?: number): Promise<T>;
}

/** The app's own clock runs this much faster, so that a minute of looking takes three seconds. */
const speed = 20;

/** A practice workspace and platform with the real app between them as a process of its own, on a real file. */
export async function startCrashingStory({
  environment: more = {},
  oneTime = false,
}: {
  environment?: Record<string, string>;
  /** Time runs as fast for Slack and the platform as for the app: who looks for what was posted goes by both clocks. */
  oneTime?: boolean;
} = {}): Promise<Crashing> {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-crash-"));
  const began = Date.now();
  const practice = await startPractice({
    clock: oneTime ? createFastClock(began, speed) : createSandboxClock(),
    manifest: manifestOf(registry),
    environment: { STORE_URL: `sqlite:${join(folder, "rackbell.db")}`, ...more },
  });
  const { slack, platform, environment } = practice;

  let child: ChildProcess | null = null;
  let output = "";

  async function start(): Promise<void> {
    const script = fileURLToPath(new URL("./app-child.ts", import.meta.url));
    const started = spawn(process.execPath, [script], {
      env: {
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
        ...environment,
        SPEED: String(speed),
        START: String(began),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    started.stderr.on("data", (chunk) => {
      output += String(chunk);
    });
    await Promise.race([
      once(started.stdout, "data"),
      once(started, "exit").then(() => Promise.reject(new Error(`The app ended before it was ready: ${output}`))),
    ]);
    await slack.connected();
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    child = null;
  }

  onTestFinished(async () => {
    await kill();
    platform.faults.resume();
    await practice.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function later<T>(
    look: () => T | undefined | false,
    what: string | (() => string),
    patienceMs = 90_000,
  ): Promise<T> {
    const end = Date.now() + patienceMs;
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end) throw new Error(`It did not come to pass: ${typeof what === "string" ? what : what()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Rejects where no form opens within some seconds. */
  const formOpens = (actor: Actor) =>
    opened(actor, ["API key"], (look) => later(look, "a form for the API key", 10_000));

  const crashing: Crashing = {
    slack,
    platform,
    environment,
    ana: slack.as("ana"),
    kill,
    start,
    pid() {
      if (child?.pid === undefined) throw new Error("The app does not run.");
      return child.pid;
    },
    output: () => output,
    later,
    sees: (actor, ...texts) =>
      later(
        () =>
          actor
            .sees()
            .toReversed()
            .find((message) => texts.every((text) => holds(said(message), text))),
        () =>
          `#ops shows ${texts.join(" + ")}; it shows\n${actor
            .sees()
            .map((message) => said(message).slice(0, 300))
            .join("\n---\n")}`,
      ),
    async ask(actor, command, ...texts) {
      await actor.type(command);
      return crashing.sees(actor, ...texts);
    },
    async link(actor, key, ...texts) {
      // An app that has just started on a busy machine may need longer than Slack waits for an answer, or for a form. A person then types
      // the command again.
      const isTaken = () => actor.type("/rackbell link").then(() => true, wasTooSlow);
      const isOpened = () =>
        formOpens(actor).then(
          () => true,
          () => false,
        );
      while (!((await isTaken()) && (await isOpened())));
      await actor.fill({ "API key": key });
      await actor.submit();
      await crashing.sees(actor, ...texts);
    },
    modal: (actor, ...texts) => opened(actor, texts, (look) => later(look, `a modal with ${texts}`)),
  };
  await start();
  await crashing.link(crashing.ana, platform.keys.ana.key, "is linked");
  return crashing;
}
