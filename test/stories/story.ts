import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { type Running, startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/process/log.ts";
import type { Request } from "../../src/requests/request.ts";
import { createSandboxClock, type SandboxClock } from "../../src/sandbox/clock.ts";
import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { startPractice } from "../../src/sandbox/practice.ts";
import { findControl } from "../../src/sandbox/slack/blocks/controls.ts";
import {
  type Actor,
  type Message,
  type PracticeSlack,
  said,
  type Target,
  type View,
} from "../../src/sandbox/slack/server.ts";
import { openStore } from "../../src/storage/open.ts";
import type { ServeAgent } from "../../src/web/mcp/endpoint.ts";
import { checkAlways } from "./always.ts";
import { installedManifest } from "./manifest.ts";
import { holds, opened } from "./opened.ts";
import { recordCalls } from "./record-calls.ts";
import { forgetCalls, rest } from "./rest.ts";
import { noticingKeys } from "./review-keys.ts";

export type { Actor, Message };

/** The two buttons of a request, by their action: what they say is the operation's to choose. */
export const goAhead = "request:press";
export const backOut = "request:withdraw";

/** The environment of a workspace in which another member than the requester approves. */
export const peer = { APPROVALS: "peer" };

export { said };

export interface Story {
  clock: SandboxClock;
  slack: PracticeSlack;
  platform: PracticePlatform;
  app: Running;
  /** The environment that the app was started with. */
  environment: Record<string, string>;
  ana: Actor;
  ben: Actor;
  caro: Actor;
  dave: Actor;
  gus: Actor;
  zed: Actor;
  /** Every line that the app logged. */
  log: string[];
  /** Every request that the app stored, as it stored it last, by its id. */
  requests: ReadonlyMap<string, Request>;
  /** Secrets that only the modal that reveals them may show: all keys and tokens, and those that the story adds. Checked at its end. */
  secrets: Set<string>;
  /** Types a key, the member's own by default, into the modal of `/rackbell link`, and sends it. */
  typeKey(actor: Actor, key?: string): Promise<void>;
  /** Links the member's practice key through the form, as a person does. */
  link(actor: Actor, key?: string): Promise<void>;
  /** Waits for a message that holds all the texts, in what the actor sees of the channel. */
  sees(actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  seesIn(channel: string, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Types a command and waits for the answer that holds the texts. */
  ask(actor: Actor, command: string, ...texts: (string | RegExp)[]): Promise<Message>;
  askIn(channel: string, actor: Actor, command: string, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Types a command again and again until its answer, which holds `answer`, holds the words: what it shows may come to be a moment later. */
  askUntil(actor: Actor, command: string, answer: string, words: string | RegExp): Promise<Message>;
  /** Presses a button and waits for what is new after it and holds the texts. */
  pressing(actor: Actor, message: Message, target: Target, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Waits until a modal is open and shows the texts. */
  modal(actor: Actor, ...texts: (string | RegExp)[]): Promise<void>;
  /** Opens the details of a card, waits until they hold the texts, and resolves with all that they say. */
  details(actor: Actor, card: Message, ...texts: string[]): Promise<string>;
  /**
   * Skips time in steps, so that the story can look in between, until the look succeeds. `stepMs` is for what takes many
   * minutes. A fixed number of steps would be too few on a busy machine, where an answer comes after the next skip.
   */
  passes<T>(look: () => T | undefined | false, what: string, stepMs?: number): Promise<T>;
  /**
   * Skips time until the actor sees a message that holds all the texts: for what the platform needs minutes for. Resolves with the oldest one,
   * which is the request itself, and not the short reply that notifies of its end.
   */
  comesToSee(actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  comesToSeeIn(channel: string, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  restart(environment?: Record<string, string>): Promise<void>;
}

export type Member = "ana" | "ben" | "caro" | "dave";
export const everybody: Member[] = ["ana", "ben", "caro", "dave"];

export interface StoryOptions {
  environment?: Record<string, string>;
  linked?: Member[];
  /** Approval rules that ana adds as an admin, such as `demand=two-approvals risk=destroy`. */
  rules?: string[];
  /** How many times faster the platform works and cools down; 1 by default. */
  pace?: number;
  /** How Slack reaches the app: Socket Mode by default. */
  mode?: "socket" | "http";
  /** How much work the app takes; the app's own limits by default. */
  work?: { running: number; waiting: number };
  /** The server of an agent's call; the product's own by default. */
  serveAgent?: ServeAgent;
  /** Errors with which Slack refuses calls because of what the story does, such as `is_archived`. Any other fails the story. */
  slackRefuses?: string[];
  /** Scopes of the manifest that the workspace did not grant. */
  without?: string[];
}

/** Starts a practice workspace and platform with the real app between them; all end with the test. */
export async function startStory(options: StoryOptions = {}): Promise<Story> {
  forgetCalls();
  const clock = createSandboxClock();
  const practice = await startPractice({
    clock,
    manifest: installedManifest(options.without ?? []),
    pace: options.pace ?? 1,
    cooldownPace: options.pace ?? 1,
    ...(options.environment ? { environment: options.environment } : {}),
  });
  const { slack, platform, environment } = practice;
  const lines: string[] = [];
  const unknownKeys = new Set<string>();
  const requests = new Map<string, Request>();
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const http = options.mode === "http" ? { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret } : {};
  const start = async (more: Record<string, string> = {}) => {
    const config = readConfig({ ...environment, ...http, ...more });
    const log = createLog({ level: "info", destination });
    const started = await startApp({
      config,
      ...(options.work ? { work: options.work } : {}),
      ...(options.serveAgent ? { serveAgent: options.serveAgent } : {}),
      log,
      clock,
      opening: openStore({
        url: config.storeUrl,
        prefix: config.storePrefix,
        clock,
        log,
      }).then((store) => noticingKeys(store, unknownKeys, requests)),
    });
    practice.deliverTo(started.url);
    return started;
  };
  const actors = {
    ana: slack.as("ana"),
    ben: slack.as("ben"),
    caro: slack.as("caro"),
    dave: slack.as("dave"),
    gus: slack.as("gus"),
    zed: slack.as("zed"),
  };
  let app = await start();
  const checks = checkAlways({ slack, platform, log: lines, unknownKeys, slackRefuses: options.slackRefuses ?? [] });
  onTestFinished(async () => {
    platform.faults.resume();
    await app.stop();
    checks.read();
    recordCalls(slack);
    await practice.close();
    checks.expectGood();
  });
  if (options.mode === "http") slack.deliverTo(`${app.url}/slack/events`);
  else await slack.connected();

  function found(
    actor: Actor,
    channel: string,
    texts: (string | RegExp)[],
    before: Set<string> = new Set(),
  ): Message | undefined {
    return actor
      .sees(channel)
      .filter((message) => !before.has(printOf(message)))
      .toReversed()
      .find((message) => holdsAll(message, texts));
  }

  function seesIn(channel: string, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message> {
    return seesNew(new Set(), channel, actor, texts);
  }

  /** Waits for what comes within seconds. The clock skips them while nothing runs: Slack's pace may delay the next post. */
  async function waits<T>(look: () => T | undefined | false, what: string): Promise<T> {
    let isOver = false;
    const seen = slack.until(look, what).finally(() => {
      isOver = true;
    });
    // Its caller sees the rejection. Until then Node must not treat it as unhandled.
    seen.catch(() => {});
    for (let passedMs = 0; !isOver && passedMs < 10_000; ) {
      if (!(await rest(15)) || isOver) continue;
      clock.skip(50);
      passedMs += 50;
    }
    return seen;
  }

  /** Of messages that were there before, only what changed since counts. */
  async function seesNew(
    before: Set<string>,
    channel: string,
    actor: Actor,
    texts: (string | RegExp)[],
  ): Promise<Message> {
    try {
      return await waits(() => found(actor, channel, texts, before), `${channel} to show ${texts.join(" + ")}`);
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
    requests,
    secrets: checks.secrets,
    async typeKey(actor, key) {
      const ownKey = Object.entries(platform.keys).find(([name]) => name === actor.user.name)?.[1].key;
      await actor.type("/rackbell link");
      await story.modal(actor, "API key");
      await actor.fill({ "API key": key ?? ownKey ?? "" });
      await actor.submit();
    },
    async link(actor, key) {
      const before = new Set(actor.sees("#ops").map(printOf));
      await story.typeKey(actor, key);
      await seesNew(before, "#ops", actor, ["is linked"]);
    },
    sees: (actor, ...texts) => seesIn("#ops", actor, ...texts),
    seesIn,
    ask: (actor, command, ...texts) => story.askIn("#ops", actor, command, ...texts),
    async askIn(channel, actor, command, ...texts) {
      const before = new Set(actor.sees(channel).map(printOf));
      await actor.type(command, channel);
      return seesNew(before, channel, actor, texts);
    },
    async askUntil(actor, command, answer, words) {
      for (let tries = 0; tries < 60; tries += 1) {
        const shown = await story.ask(actor, command, answer);
        if (holdsAll(shown, [words])) return shown;
        await rest(250);
      }
      throw new Error(`${command} does not come to show ${words}.`);
    },
    async pressing(actor, message, target, ...texts) {
      const channel = Object.entries(slack.channels).find(([, { id }]) => id === message.channel)?.[0];
      const where = channel ? `#${channel}` : "dm";
      const before = new Set(actor.sees(where).map(printOf));
      await actor.press(await withControl(actor, message, target, slack.until), target);
      // A message in progress repeats its request, which may hold the same words.
      return seesNew(before, where, actor, [...texts, notUnderWay]);
    },
    async modal(actor, ...texts) {
      await opened(actor, texts, (look) =>
        slack.until(look, `a modal with ${texts.join(" + ")}; it is ${JSON.stringify(actor.modal())?.slice(0, 1500)}`),
      );
    },
    async details(actor, card, ...texts) {
      await actor.press(card, "Details");
      const shown = () => said({ text: "", blocks: actor.modal()?.blocks ?? [] });
      const whole = () =>
        shown() !== "" && !shown().includes("One moment") && texts.every((text) => shown().includes(text));
      await slack.until(whole, `the details to show ${texts.join(" + ")}; they are ${shown()}`);
      const found = shown();
      await actor.closeModal();
      return found;
    },
    async passes(look, what, stepMs) {
      // Seconds at first, and then greater steps: what takes minutes is not looked for in a hundred small ones.
      // A busy machine gets more of them: the app may still be at work on days that a story let pass at once.
      const begin = performance.now();
      for (let step = 0; step < 300 || performance.now() - begin < patienceMs; step += 1) {
        const result = look();
        if (result !== undefined && result !== false) return result;
        clock.skip(stepMs ?? (step < 100 ? 1_000 : 5_000));
        await rest(step < 200 ? 15 : 100);
      }
      throw new Error(`It did not come to pass: ${what}\n${lines.slice(-5).join("")}`);
    },
    comesToSee: (actor, ...texts) => story.comesToSeeIn("#ops", actor, ...texts),
    comesToSeeIn: (channel, actor, ...texts) =>
      story.passes(
        () => actor.sees(channel).find((message) => holdsAll(message, texts)),
        `${channel} to show ${texts.join(" + ")}`,
      ),
    async restart(more) {
      await app.stop();
      app = await start(more);
      await slack.connected();
    },
  };
  for (const name of options.linked ?? []) await story.link(actors[name]);
  for (const rule of options.rules ?? []) await story.ask(actors.ana, `/rackbell policy add ${rule}`, "In effect now");
  return story;
}

/** Milliseconds of real time for which a story waits at least, while it lets the app's time pass. */
const patienceMs = 25_000;

/** The message, if it has the control; else its *Details…*, opened as a person does. */
export async function withControl(
  actor: Actor,
  message: Message,
  target: Target,
  until: (look: () => Message | View | undefined, what: string) => Promise<Message | View>,
): Promise<Message | View> {
  const details = findControl(message.blocks, { actionId: "request:details" });
  if (!details || findControl(message.blocks, target)) return message;
  // A person closes what covers the message.
  if (actor.modal()) await actor.closeModal({ all: true });
  await actor.press(message, { actionId: "request:details" });
  const before = new Set(actor.sees().map(({ ts }) => ts));
  // A busy machine is too late for a modal, and gets the details as a message.
  return until(
    () =>
      [actor.modal(), ...actor.sees().filter(({ ts }) => !before.has(ts))].find(
        (one) => one && findControl(one.blocks, target),
      ),
    `the details with ${JSON.stringify(target)}`,
  );
}

/** The style and the question of the button that decides. */
export async function decision(actor: Actor, request: Message) {
  const { confirm } = await actor.press(request, goAhead, { confirm: false });
  return { style: findControl(request.blocks, goAhead)?.element.style, asks: JSON.stringify(confirm) };
}

/** Presses a button in the *Details…* of a request, where the presser also reads a refusal. */
export async function pressInDetails(
  { slack, modal }: Pick<Story, "slack" | "modal">,
  actor: Actor,
  request: Message,
  target: Target,
  ...texts: (string | RegExp)[]
): Promise<void> {
  await actor.press(await withControl(actor, request, target, slack.until), target);
  if (texts.length > 0) await modal(actor, ...texts);
}

export function holdsAll(message: Message, texts: (string | RegExp)[]): boolean {
  return texts.every((text) => holds(said(message), text));
}

/** No words of a message that only says that the act is on its way. */
const notUnderWay = /^(?![\s\S]*is being carried out)/;

function printOf(message: Message): string {
  return `${message.ts} ${said(message)}`;
}

/** A store that survives a restart of the app. The end of the test deletes it. */
export function fileStore(): string {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-story-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, "rackbell.db")}`;
}

/** The calls that would change something at the platform, oldest first. */
export function writes({ platform }: Pick<Story, "platform">) {
  return platform.calls().filter(({ method }) => method !== "GET");
}

/** The same as texts without ids, such as `POST /vps/{id}/reboot`. */
export function writeRoutes(story: Pick<Story, "platform">): string[] {
  return writes(story).map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, "{id}")}`);
}
