import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import { type Running, startApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import { operations } from "../../src/operations/index.ts";
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
import { manifestOf } from "../../src/slack/manifest.ts";
import { openStore } from "../../src/storage/open.ts";
import { rest } from "./rest.ts";
import { noticingKeys } from "./review-keys.ts";
import { startInSharedThread } from "./shared-thread.ts";
import { readTexts } from "./shown-texts.ts";

export type { Actor, Message };

/** The two buttons of a request, by their action: what they say is the operation's to choose. */
export const goAhead = "request:press";
export const backOut = "request:withdraw";

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
  /** Secrets that only the modal that reveals them may show: all keys and tokens, and those that the story adds. Checked at its end. */
  secrets: Set<string>;
  /** Links the member's practice key through the form, as a person does. */
  link(actor: Actor, key?: string): Promise<void>;
  /** Waits for a message that holds all the texts, in what the actor sees of the channel. */
  sees(actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  seesIn(channel: string, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Types a command and waits for the answer that holds the texts. */
  ask(actor: Actor, command: string, ...texts: (string | RegExp)[]): Promise<Message>;
  askIn(channel: string, actor: Actor, command: string, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Presses a button and waits for what is new after it and holds the texts. */
  pressing(actor: Actor, message: Message, target: Target, ...texts: (string | RegExp)[]): Promise<Message>;
  /** Waits until a modal is open and shows the texts. */
  modal(actor: Actor, ...texts: (string | RegExp)[]): Promise<void>;
  /** Opens the details of a card, waits until they hold the texts, and resolves with all that they say. */
  details(actor: Actor, card: Message, ...texts: string[]): Promise<string>;
  /**
   * Skips time in steps, so that what is followed can be looked at in between, until the look succeeds. `stepMs` is for what takes many
   * minutes. A fixed number of steps would be too few on a busy machine, where an answer comes after the next skip.
   */
  passes<T>(look: () => T | undefined | false, what: string, stepMs?: number): Promise<T>;
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
    /** How much work the app takes; the usual unless said. */
    work?: { running: number; waiting: number };
    /** Scopes of the manifest that whoever installed the app left out. */
    without?: string[];
  } = {},
): Promise<Story> {
  const clock = createSandboxClock();
  const manifest = installed(manifestOf(createRegistry(operations)), options.without ?? []);
  const practice = await startPractice({
    clock,
    manifest,
    pace: options.pace ?? 1,
    cooldownPace: options.pace ?? 1,
    ...(options.environment ? { environment: options.environment } : {}),
  });
  const { slack, platform, environment } = practice;
  const lines: string[] = [];
  const unknownKeys = new Set<string>();
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
      log,
      clock,
      opening: openStore({
        ...{ url: config.storeUrl, prefix: config.storePrefix },
        ...{ clock, log, start: startInSharedThread },
      }).then((store) => noticingKeys(store, unknownKeys)),
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
  const { keys, reseller } = platform;
  const secrets = new Set([
    ...[...Object.values(keys), ...Object.values(reseller.keys)].map(({ key }) => key),
    ...[reseller.signingSecret() ?? slack.botToken, slack.botToken, slack.appToken],
  ]);
  const faultsOfTexts = readTexts(slack, platform);
  slack.onChange(() => {
    for (const secret of revealed(slack.state().modals)) secrets.add(secret);
  });
  onTestFinished(async () => {
    platform.faults.resume();
    await app.stop();
    const shown = everythingShown(slack);
    const invented = platform.calls().flatMap(({ path, body }) => inventedIn(body).map((name) => `${path}: ${name}`));
    await practice.close();
    // Every story checks it: a name is the member's, or the platform makes it.
    expect(invented).toEqual([]);
    expect(lines.filter((line) => line.includes("handles these timers"))).toEqual([]);
    expect([...unknownKeys], "review-keys.ts says how a key of preconditions is renamed").toEqual([]);
    // Every story checks it: what is secret stands in no line, message, view or file but the one that reveals it.
    for (const secret of [...secrets, slack.signingSecret]) {
      expect(shown.find((text) => text.includes(secret))).toBeUndefined();
      expect(lines.find((line) => line.includes(secret))).toBeUndefined();
    }
    expect(shown.flatMap((text) => text.match(escapedTwice) ?? [])).toEqual([]);
    expect(faultsOfTexts()).toEqual([]);
    // Every story checks it: of several buttons with one label, a screen reader hears which is which.
    expect(everyBlocks(slack).flatMap(unnamedButtons)).toEqual([]);
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
      .find((message) => texts.every((text) => holds(said(message), text)));
  }

  function seesIn(channel: string, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message> {
    return seesNew(new Set(), channel, actor, texts);
  }

  /** Waits for what comes within seconds. They pass at once while nothing is under way, as where Slack's pace holds up the next post. */
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
    secrets,
    async link(actor, key) {
      const known = Object.entries(platform.keys).find(([name]) => name === actor.user.name)?.[1].key;
      await actor.type("/rackbell link");
      await story.modal(actor, "API key");
      await actor.fill({ "API key": key ?? known ?? "" });
      const before = new Set(actor.sees("#ops").map(printOf));
      await actor.submit();
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
    async pressing(actor, message, target, ...texts) {
      const channel = Object.entries(slack.channels).find(([, { id }]) => id === message.channel)?.[0];
      const where = channel ? `#${channel}` : "dm";
      const before = new Set(actor.sees(where).map(printOf));
      await actor.press(await withControl(actor, message, target, slack.until), target);
      // On the way a message says again what was asked, which may hold the same words.
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
    async restart(more) {
      await app.stop();
      app = await start(more);
      await slack.connected();
    },
  };
  for (const name of options.linked ?? []) await story.link(actors[name]);
  return story;
}

const Scopes = z.looseObject({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) });

/** The manifest as Slack installs it without these scopes. */
function installed(manifest: unknown, without: string[]): unknown {
  const whole = Scopes.parse(manifest);
  const bot = whole.oauth_config.scopes.bot.filter((scope) => !without.includes(scope));
  return { ...whole, oauth_config: { scopes: { bot } } };
}

/** The app's own markup that was escaped as if it were foreign text, and foreign text that was escaped twice. */
const escapedTwice = /(?:&amp;(?:lt|gt|amp);|&lt;(?:[#@][A-Z0-9]{6}|!date\^|!subteam\^)|ˋ\/[a-z]).{0,80}/;

/** The fields by which the platform takes a write once; each has the id of a request. */
const onceFields = new Set(["externalOrderId", "externalReference", "idempotencyKey"]);
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Texts of a body that were made from an id. A whole id names a resource of the platform. */
function inventedIn(body: unknown, field = ""): string[] {
  if (typeof body === "string")
    return uuid.test(body) && !onceFields.has(field) && body.replace(uuid, "") !== "" ? [body] : [];
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => inventedIn(value, Array.isArray(body) ? field : name));
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

/** No words of a message that only says that the act is on its way. */
const notUnderWay = /^(?![\s\S]*is being carried out)/;

/**
 * Waits for a form that holds all the texts. Slack lets one open for three seconds: a busy machine is offered a button in its place, which
 * is pressed then.
 */
export async function opened(
  actor: Actor,
  texts: (string | RegExp)[],
  until: (look: () => boolean) => Promise<unknown>,
): Promise<void> {
  const latest = Date.now() + 3_000;
  const isOpen = () => {
    const view = actor.modal();
    return view !== undefined && texts.every((text) => holds(JSON.stringify(view), text));
  };
  const offer = () => actor.sees().findLast((message) => said(message).includes("Press to open it"));
  await until(() => isOpen() || (Date.now() > latest && offer() !== undefined));
  const late = offer();
  if (isOpen() || late === undefined) return;
  await actor.press(late, { index: 0 });
  await until(isOpen);
}

/** A wanted text that begins with a number is not found inside "12 done" or "0 of 2 done": the message is not there yet. */
export function holds(text: string, wanted: string | RegExp): boolean {
  if (typeof wanted !== "string") return wanted.test(text);
  if (!/^\d/.test(wanted)) return text.includes(wanted);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (!/(\d|\d of )$/.test(text.slice(0, at))) return true;
  return false;
}

function printOf(message: Message): string {
  return `${message.ts} ${said(message)}`;
}

/** The texts that a reveal modal shows in its code blocks. */
function revealed(modals: Record<string, View[]>): string[] {
  const views = Object.values(modals)
    .flat()
    .filter(({ callback_id }) => callback_id === "reveal");
  return [...JSON.stringify(views.map(({ blocks }) => blocks)).matchAll(/```(.+?)```/g)].map(
    ([, secret]) => secret ?? "",
  );
}

const SeenButton = z.object({
  type: z.literal("button"),
  text: z.object({ text: z.string() }),
  accessibility_label: z.string().max(75).optional(),
});

/** The labels that several buttons of a message or view have, and by which a screen reader cannot tell them apart. */
function unnamedButtons(blocks: unknown): string[] {
  const found: z.infer<typeof SeenButton>[] = [];
  JSON.stringify(blocks, (_key, value) => {
    const button = SeenButton.safeParse(value);
    if (button.success) found.push(button.data);
    return value;
  });
  return [...Map.groupBy(found, ({ text }) => text.text)].flatMap(([label, alike]) => {
    const names = new Set(alike.map((button) => button.accessibility_label ?? ""));
    const isClear = names.size === alike.length && [...names].every((name) => name.startsWith(label));
    return alike.length < 2 || isClear ? [] : [`${label}: ${[...names].join(", ")}`];
  });
}

/** The blocks of each message and view that anybody sees. */
function everyBlocks(slack: PracticeSlack): unknown[] {
  const { channels, ephemerals, modals, homes } = slack.state();
  const messages = [...Object.values(channels), ...Object.values(ephemerals)].flat();
  return [...messages, ...Object.values(modals).flat(), ...Object.values(homes)].flatMap((one) =>
    one ? [one.blocks] : [],
  );
}

/** A store that survives a restart of the app; gone when the test ends. */
export function fileStore(): string {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-story-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, "rackbell.db")}`;
}

/** All that anybody sees in the workspace, but for what a reveal modal shows and what a person has typed into a form. */
function everythingShown(slack: PracticeSlack): string[] {
  const { channels, ephemerals, modals, homes, files, violations } = slack.state();
  const views = [...Object.values(modals).flat(), ...Object.values(homes)].flatMap((view) =>
    view && view.callback_id !== "reveal" ? [JSON.stringify([view.blocks, view.private_metadata])] : [],
  );
  const messages = [...Object.values(channels), ...Object.values(ephemerals)].flat();
  return [
    ...messages.map((message) => JSON.stringify(message)),
    ...views,
    ...files.map(({ content }) => Buffer.from(content).toString()),
    JSON.stringify(violations),
  ];
}
