import { Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { type Running, startApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createRegistry } from "../../src/engine/registry.ts";
import { createLog } from "../../src/log.ts";
import { operations } from "../../src/operations/index.ts";
import { createSandboxClock, type SandboxClock } from "../../src/sandbox/clock.ts";
import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { startPractice } from "../../src/sandbox/practice.ts";
import { type Actor, type Message, type PracticeSlack, said } from "../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../src/slack/manifest.ts";

export { said };

export interface Story {
  clock: SandboxClock;
  slack: PracticeSlack;
  platform: PracticePlatform;
  app: Running;
  /** What the app was started with. */
  environment: Record<string, string>;
  ana: Actor;
  ben: Actor;
  caro: Actor;
  dave: Actor;
  gus: Actor;
  zed: Actor;
  /** Every line that the app logged. */
  log: string[];
  /** Links the member's practice key through the form, as a person does. */
  link(actor: Actor, key?: string): Promise<void>;
  /** Waits for a message that holds all the texts, in what the actor sees of the channel. */
  sees(actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  seesIn(channel: string, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Types a command and waits for the answer that holds the texts. */
  ask(actor: Actor, command: string, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Waits until a modal is open and shows the texts. */
  modal(actor: Actor, ...texts: (string | RegExp)[]): Promise<void>;
  /** Skips time in steps, so that what is followed can be looked at in between, until the look succeeds. */
  passes<T>(look: () => T | undefined | false, what: string): Promise<T>;
  restart(environment?: Record<string, string>): Promise<void>;
}

/** A practice workspace and platform with the real app between them, gone when the test ends. */
export async function tell(
  options: {
    environment?: Record<string, string>;
    linked?: ("ana" | "ben" | "caro" | "dave")[];
    /** How many times faster the platform works and cools down; 1 unless said. */
    pace?: number;
    /** How Slack reaches the app: Socket Mode unless said. */
    mode?: "socket" | "http";
  } = {},
): Promise<Story> {
  const clock = createSandboxClock();
  const manifest = manifestOf(createRegistry(operations));
  const practice = await startPractice({
    clock,
    manifest,
    pace: options.pace ?? 1,
    cooldownPace: options.pace ?? 1,
    ...(options.environment ? { environment: options.environment } : {}),
  });
  const { slack, platform, environment } = practice;
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const http = options.mode === "http" ? { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret } : {};
  const start = (more: Record<string, string> = {}) =>
    startApp({
      config: readConfig({ ...environment, ...http, ...more }),
      log: createLog({ level: "info", destination }),
      clock,
    });
  const actors = {
    ana: slack.as("ana"),
    ben: slack.as("ben"),
    caro: slack.as("caro"),
    dave: slack.as("dave"),
    gus: slack.as("gus"),
    zed: slack.as("zed"),
  };
  let app = await start();
  onTestFinished(async () => {
    platform.faults.resume();
    await app.stop();
    await practice.close();
  });
  if (options.mode === "http") slack.deliverTo(`${app.url}/slack/events`);
  else await slack.connected();

  function found(actor: Actor, channel: string, texts: (string | RegExp)[]): Message | undefined {
    return actor
      .sees(channel)
      .toReversed()
      .find((message) => texts.every((text) => holds(said(message), text)));
  }

  async function seesIn(channel: string, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message> {
    try {
      return await slack.until(() => found(actor, channel, texts), `${channel} to show ${texts.join(" + ")}`);
    } catch (error) {
      const shown = actor.sees(channel).map((message) => said(message).slice(0, 600));
      throw new Error(`${String(error)}\nShown in ${channel}:\n${shown.join("\n---\n")}\n${lines.slice(-5).join("")}`);
    }
  }

  const story: Story = {
    clock,
    slack,
    platform,
    get app() {
      return app;
    },
    environment,
    ...actors,
    log: lines,
    async link(actor, key) {
      const known = Object.entries(platform.keys).find(([name]) => name === actor.user.name)?.[1].key;
      await actor.type("/rackbell link");
      await story.modal(actor, "API key");
      await actor.fill({ "API key": key ?? known ?? "" });
      await actor.submit();
      await seesIn("#ops", actor, "is linked");
    },
    sees: (actor, ...texts) => seesIn("#ops", actor, ...texts),
    seesIn,
    async ask(actor, command, ...texts) {
      await actor.type(command);
      return seesIn("#ops", actor, ...texts);
    },
    async modal(actor, ...texts) {
      await slack.until(
        () => {
          const view = actor.modal();
          return view !== undefined && texts.every((text) => holds(JSON.stringify(view), text));
        },
        `a modal with ${texts.join(" + ")}; it is ${JSON.stringify(actor.modal())?.slice(0, 1500)}`,
      );
    },
    async passes(look, what) {
      for (let step = 0; step < 200; step += 1) {
        const result = look();
        if (result !== undefined && result !== false) return result;
        clock.skip(1_000);
        // Real requests need real turns between the skips.
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      throw new Error(`It did not come to pass: ${what}\n${lines.slice(-5).join("")}`);
    },
    async restart(more) {
      await app.stop();
      app = await start(more);
    },
  };
  for (const name of options.linked ?? []) await story.link(actors[name]);
  return story;
}

function holds(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
}
