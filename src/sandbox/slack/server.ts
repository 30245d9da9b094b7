// slack/: the practice workspace: an imitation of Slack on loopback. Starting it, who answers which path (routes.ts),
// and what an administrator of the workspace changes (administration.ts).

import { createServer } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "../../process/clock.ts";
import { type Actor, createActor } from "./actor/actor.ts";
import { type Administration, createAdministration, userNamed } from "./administration.ts";
import { createDelivery } from "./delivery/delivery.ts";
import { createEvents } from "./delivery/events.ts";
import { createResponses } from "./delivery/response-urls.ts";
import { createSockets } from "./delivery/socket.ts";
import { createTriggers } from "./delivery/triggers.ts";
import { answerRequest } from "./routes.ts";
import { restore, snapshotOf, type WorkspaceSnapshot } from "./snapshot.ts";
import { until } from "./until.ts";
import { createFaults, type Faults } from "./wire/faults.ts";
import type { Json } from "./wire/json.ts";
import { createWorkspace } from "./workspace/create-workspace.ts";
import { readManifest } from "./workspace/manifest.ts";
import { type WorkspaceState, workspaceState } from "./workspace/state.ts";
import type { User } from "./workspace/users.ts";
import type { Call, Change, Channel, Sent } from "./workspace/workspace.ts";

export type { Actor } from "./actor/actor.ts";
export type { FieldValue } from "./actor/entered-values.ts";
export type { Target } from "./blocks/controls.ts";
export { said } from "./blocks/text.ts";
export type { WorkspaceSnapshot } from "./snapshot.ts";
export type { Faults } from "./wire/faults.ts";
export type { WorkspaceState } from "./workspace/state.ts";
export type { User } from "./workspace/users.ts";
export type { Call, Change, Channel, Happening, Message, PracticeAgent, Sent, View } from "./workspace/workspace.ts";

export interface PracticeSlackOptions {
  clock: Clock;
  host?: string;
  port?: number;
  /** The bot's scopes. When given, a manifest does not change them. */
  scopes?: string[];
  log?: Logger;
  /** The state of another workspace, from which this one continues. */
  from?: WorkspaceSnapshot;
}

export interface PracticeSlack extends Administration {
  url: string;
  /** For SLACK_API_URL. */
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  teamId: string;
  appId: string;
  botId: string;
  botUserId: string;
  /** Takes the app's manifest: its commands, scopes, events and tabs apply from now on. */
  manifest(manifest: unknown): void;
  /** Posts signed payloads to this address instead of the socket; null goes back. */
  deliverTo(url: string | null): void;
  user(name: string): User;
  readonly users: Record<string, User>;
  readonly channels: Record<string, Channel>;
  as(name: string): Actor;
  /** Sends an event, whether or not the app subscribes to its type. */
  sendEvent(event: Json): Promise<void>;
  /** Resolves when that many sockets are open (1 unless said). */
  connected(count?: number): Promise<void>;
  faults: Faults;
  state(): WorkspaceState;
  /** The state from which another workspace can continue. */
  snapshot(): WorkspaceSnapshot;
  /** The Web API calls so far, without tokens. */
  calls(method?: string): Call[];
  /** The payloads that went to the app, oldest first. */
  deliveries(type?: Sent["type"]): Sent[];
  onChange(listener: (change: Change) => void): () => void;
  /** Looks now, after every change and a few times a second until there is something; rejects after 15 seconds of real time. */
  until<T>(look: () => T | undefined | false, what?: string): Promise<T>;
  close(): Promise<void>;
}

/** Starts a practice workspace on its own HTTP server; on a free port of 127.0.0.1 unless said otherwise. */
export async function createPracticeSlack(options: PracticeSlackOptions): Promise<PracticeSlack> {
  const { clock, host = "127.0.0.1", port = 0, scopes, log } = options;
  const workspace = createWorkspace(clock, scopes);
  const server = createServer((request, response) => {
    response.setHeader("date", new Date(clock.now()).toUTCString());
    answerRequest(context, request, response);
  });
  const sockets = createSockets(server, workspace.appId, () => workspace.url);
  const faults = createFaults(sockets);
  const delivery = createDelivery(workspace, sockets, faults);
  const events = createEvents(workspace, delivery);
  const triggers = createTriggers(clock);
  const responses = createResponses(workspace);
  const context = { workspace, sockets, faults, delivery, events, triggers, responses, log };
  if (options.from) restore(options.from, workspace, responses);

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const actualPort = typeof address === "object" && address ? address.port : port;
  workspace.url = `http://${host}:${actualPort}`;
  const { url, botToken, appToken, signingSecret, teamId, appId, botId, botUserId } = workspace;

  return {
    url,
    apiUrl: `${url}/api/`,
    botToken,
    appToken,
    signingSecret,
    teamId,
    appId,
    botId,
    botUserId,
    ...createAdministration(workspace, events),
    manifest(manifest) {
      workspace.manifest = readManifest(manifest);
      if (!scopes) workspace.scopes = new Set(workspace.manifest.scopes);
      workspace.changed({ what: "state" });
    },
    deliverTo: delivery.deliverTo,
    user: (name) => userNamed(workspace, name),
    get users() {
      return Object.fromEntries([...workspace.users.values()].map((user) => [user.name, user]));
    },
    get channels() {
      const named = [...workspace.channels.values()].filter((channel) => channel.kind !== "im");
      return Object.fromEntries(named.map((channel) => [channel.name, channel]));
    },
    as: (name) => createActor(context, userNamed(workspace, name)),
    async sendEvent(event) {
      await events.send(event);
    },
    async connected(count = 1) {
      await until(sockets.onConnect, () => sockets.count() >= count, `${count} open sockets`);
    },
    faults,
    state: () => workspaceState(workspace),
    snapshot: () => snapshotOf(workspace, responses),
    calls: (method) =>
      structuredClone(workspace.calls.filter((call) => method === undefined || call.method === method)),
    deliveries: (type) =>
      structuredClone(workspace.deliveries.filter((one) => type === undefined || one.type === type)),
    onChange: workspace.onChange,
    until: (look, what) => until(workspace.onChange, look, what),
    async close() {
      delivery.close();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
