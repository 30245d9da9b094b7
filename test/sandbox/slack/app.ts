import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from "@slack/bolt";
import type { KnownBlock, ModalView } from "@slack/types";
import { WebAPIPlatformError } from "@slack/web-api";
import { onTestFinished } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import { createPracticeSlack, type PracticeSlack } from "../../../src/sandbox/slack/server.ts";
import { noteAccepted } from "../coverage.ts";

/** For Slack's libraries, whose complaints are what the tests provoke. */
export const quiet = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

export interface Stage {
  clock: SandboxClock;
  slack: PracticeSlack;
  app: App;
  /** The address at which the app takes signed posts; empty in Socket Mode. */
  endpoint: string;
}

/** Notes the Web API methods that this workspace has answered with ok. */
export function noteMethods(slack: PracticeSlack): void {
  noteAccepted(slack.calls().flatMap(({ method, outcome }) => (outcome === "ok" ? [method] : [])));
}

/** A practice workspace and a real Bolt app that is connected to it, by socket or by signed posts; both end with the test. */
export async function setStage(
  mode: "socket" | "http" = "socket",
  scopes?: string[],
  shared?: PracticeSlack,
): Promise<Stage> {
  const clock = createSandboxClock();
  const slack = shared ?? (await createPracticeSlack({ clock, ...(scopes && { scopes }) }));
  const { app, endpoint, stop } = mode === "socket" ? await bySocket(slack) : await byHttp(slack);
  onTestFinished(async () => {
    noteMethods(slack);
    await stop();
    if (!shared) await slack.close();
  });
  return { clock, slack, app, endpoint };
}

async function bySocket(slack: PracticeSlack) {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: quiet,
    installerOptions: { clientOptions },
    clientPingTimeout: 200,
  });
  const app = new App({ token: slack.botToken, receiver, clientOptions, logger: quiet });
  await app.start();
  return { app, endpoint: "", stop: () => receiver.client.disconnect() };
}

async function byHttp(slack: PracticeSlack) {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: quiet, port: 0 });
  const app = new App({ token: slack.botToken, receiver, clientOptions, logger: quiet });
  const server = await receiver.start({ port: 0, host: "127.0.0.1" });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const endpoint = `http://127.0.0.1:${address.port}/slack/events`;
  slack.deliverTo(endpoint);
  return { app, endpoint, stop: () => receiver.stop() };
}

/** Acknowledges each use of this control; all that came with it. */
export function pressesOf({ app }: Stage, action_id: string): unknown[] {
  const bodies: unknown[] = [];
  app.action(action_id, async ({ ack, body }) => {
    bodies.push(body);
    await ack();
  });
  return bodies;
}

/** Acknowledges each submission of this form; all that came with it. */
export function submissionsOf({ app }: Stage, callback_id: string): unknown[] {
  const bodies: unknown[] = [];
  app.view(callback_id, async ({ ack, body }) => {
    bodies.push(body);
    await ack();
  });
  return bodies;
}

/** Opens a modal for Ana by a command, and gives its id. */
export async function openForAna({ app, slack }: Stage, view: ModalView): Promise<string> {
  app.command("/open", async ({ ack, client, command }) => {
    await ack();
    await client.views.open({ trigger_id: command.trigger_id, view });
  });
  await slack.as("ana").type("/open");
  return (await slack.until(() => slack.as("ana").modal(), "the modal")).id;
}

/** Posts blocks as the app in #ops; the message's channel and time. */
export async function postInOps({ app, slack }: Stage, ...blocks: KnownBlock[]) {
  const channel = slack.channels.ops?.id ?? "";
  const { ts = "" } = await app.client.chat.postMessage({ channel, text: "x", blocks });
  return { channel, ts };
}

/** The texts that somebody sees in #ops. */
export function textsSeenBy(name: string, { slack }: Stage): string[] {
  return slack
    .as(name)
    .sees()
    .map((message) => message.text);
}

export interface Refused {
  error: string;
  reasons: string[];
}

/** The Web API's refusal of a call; throws when it did not refuse. */
export async function refusalOf(call: Promise<unknown>): Promise<Refused> {
  try {
    await call;
  } catch (error) {
    if (error instanceof WebAPIPlatformError) {
      return { error: error.data.error, reasons: error.data.response_metadata?.messages ?? [] };
    }
    throw error;
  }
  throw new Error("Slack did not refuse.");
}

/** A section that says something in markup. */
export function section(text: string, block_id?: string) {
  return { type: "section" as const, text: { type: "mrkdwn" as const, text }, ...(block_id && { block_id }) };
}

export function plain(text: string) {
  return { type: "plain_text" as const, text };
}

/** An actions block with one button. */
export function buttons(...elements: Record<string, unknown>[]) {
  return {
    type: "actions" as const,
    block_id: "buttons",
    elements: elements.map((one) => ({ type: "button" as const, text: plain("Go"), ...one })),
  };
}
