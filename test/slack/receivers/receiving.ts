import { createHmac } from "node:crypto";
import { connect, type Socket } from "node:net";
import { App, HTTPReceiver } from "@slack/bolt";
import { onTestFinished } from "vitest";
import type { Workspace } from "../../../src/messages/chat/people.ts";
import { createHttp, type Handler } from "../../../src/process/http.ts";
import { createIntake } from "../../../src/process/intake.ts";
import { createLog } from "../../../src/process/log.ts";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import { createHttpReceiver } from "../../../src/slack/receivers/http-receiver.ts";
import { takeOnlyFrom } from "../../../src/slack/receivers/own-workspace.ts";
import { quiet } from "../../sandbox/slack/app.ts";

export const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
export const team = "T0OWN";
const token = "xoxb-1";

export interface Receiving {
  url: string;
  app: App;
  clock: SandboxClock;
  lines: string[];
  refused: string[];
  stop(): Promise<unknown>;
  /** Lets the time pass after which a request counts as not acknowledged. */
  giveUp(): void;
}

async function serve(handle: Handler): Promise<string> {
  const http = await createHttp({ host: "127.0.0.1", port: 0, routes: { "POST /slack/events": handle }, log: silent });
  onTestFinished(() => http.close());
  return `${http.url}/slack/events`;
}

const silent = createLog({ level: "silent" });
const common = { token, botId: "", botUserId: "", tokenVerificationEnabled: false, convoStore: false } as const;

/** Our receiver under a real Bolt app, on a real listener. */
export async function receiveOurs(
  secret = signingSecret,
  workspace: Workspace = { team, enterprise: null },
): Promise<Receiving> {
  const clock = createSandboxClock();
  const lines: string[] = [];
  const refused: string[] = [];
  const receiver = createHttpReceiver({
    signingSecret: secret,
    intake: createIntake({ clock }),
    clock,
    log: createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } }),
    onRefused: (kind) => refused.push(kind),
  });
  const app = new App({ ...common, receiver, logger: quiet });
  takeOnlyFrom(workspace, app);
  const url = await serve(receiver.handle);
  return { url, app, clock, lines, refused, stop: () => receiver.stop(), giveUp: () => clock.skip(3_001) };
}

/** Bolt's own, in the same place. */
async function receiveBolts(secret = signingSecret): Promise<Receiving> {
  const receiver = new HTTPReceiver({ signingSecret: secret, logger: quiet, unhandledRequestTimeoutMillis: 50 });
  const app = new App({ ...common, receiver, logger: quiet });
  const url = await serve((request, response) => receiver.requestListener(request, response));
  const stop = async () => {};
  return { url, app, clock: createSandboxClock(), lines: [], refused: [], stop, giveUp: () => {} };
}

export const receivers: [name: string, receive: (secret?: string) => Promise<Receiving>][] = [
  ["our receiver", receiveOurs],
  ["Bolt's own", receiveBolts],
];

export const form = "application/x-www-form-urlencoded";
export const jsonType = "application/json";

export interface Sent {
  type?: string | null;
  /** Seconds that the request's own time differs from now; its signature fits. */
  ahead?: number;
  headers?: Record<string, string>;
}

export function signed(body: string | Uint8Array, { type = form, ahead = 0, headers = {} }: Sent = {}) {
  const timestamp = String(Math.floor(Date.now() / 1_000) + ahead);
  const signature = createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body).digest("hex");
  const signing = { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${signature}` };
  return { ...(type === null ? {} : { "content-type": type }), ...signing, ...headers };
}

/** The head of a post that `signed` headers go with, as it is written on a socket; its signature is well-formed, and of some other body. */
export function rawHead(...lines: string[]): string {
  const signing = Object.entries(signed("other")).map(([name, value]) => `${name}: ${value}`);
  return ["POST /slack/events HTTP/1.1", "Host: x", ...signing, ...lines, "", ""].join("\r\n");
}

/** A connection to the address, for what no client of HTTP would send. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on("error", () => {});
}

/** Posts as Slack does; `headers` in place of those of a right signature. */
export async function post(url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const answer = await fetch(url, { method: "POST", body, headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

export function command(fields: Record<string, string> = {}): string {
  return new URLSearchParams({
    command: "/vps",
    text: "list",
    team_id: team,
    user_id: "U1",
    channel_id: "C1",
    ...fields,
  }).toString();
}

export function press(fields: Record<string, unknown> = {}): string {
  const payload = { type: "block_actions", team: { id: team }, user: { id: "U1" }, actions: [{ action_id: "go" }] };
  return new URLSearchParams({ payload: JSON.stringify({ ...payload, ...fields }) }).toString();
}

export function event(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: "event_callback",
    team_id: team,
    event: { type: "app_home_opened", user: "U1", tab: "home", channel: "D1" },
    ...fields,
  });
}
