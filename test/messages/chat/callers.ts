import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { WebClient } from "@slack/web-api";
import { onTestFinished } from "vitest";
import { type BlockSupport, createBlockSupport, refusedBlocks } from "../../../src/messages/chat/block-support.ts";
import { createCaller } from "../../../src/messages/chat/calling.ts";
import { slackFault } from "../../../src/messages/chat/errors.ts";
import { createPeople, type People, peopleChanges } from "../../../src/messages/chat/people.ts";
import type { ResponseUses } from "../../../src/messages/chat/response-uses.ts";
import { createSlackFetch, createWire } from "../../../src/messages/chat/wire.ts";
import type { Clock } from "../../../src/process/clock.ts";
import type { SandboxClock } from "../../../src/sandbox/clock.ts";
import { createPaces } from "../../../src/storage/create.ts";
import { createTurns } from "../../../src/storage/sqlite/engine.ts";
import type { Paces, Timers } from "../../../src/storage/store.ts";
import { quiet } from "../../sandbox/slack/app.ts";
import { openMemory } from "../../storage/memory.ts";

export const token = "xoxb-111111111111-222222222222-abcdefghijklmnop";

/** One post of a message, by either way. */
export type Post = (args: { channel: string; text: string; blocks?: object[] }) => Promise<unknown>;

type MakePost = (options: { apiUrl: string; clock: Clock; token: string }) => Post;

/** The ways by which the app calls Slack: our own for the chat methods, and Slack's client for the rest. Both keep the promises of either. */
export const callers: [name: string, make: MakePost][] = [
  [
    "our own caller",
    ({ apiUrl, clock, token }) => {
      const caller = createCaller({ wire: wireFor(clock), apiUrl, token });
      return (args) => caller.call("chat.postMessage", args);
    },
  ],
  [
    "Slack's client",
    ({ apiUrl, clock, token }) => {
      const client = createClient({ apiUrl, clock, token });
      return (args) =>
        client.apiCall("chat.postMessage", args).catch((error: unknown) => {
          throw slackFault("chat.postMessage", error);
        });
    },
  ],
];

export function wireFor(clock: Clock) {
  const wire = createWire({ clock });
  onTestFinished(() => wire.close());
  return wire;
}

/** Block support for a workspace that has refused no block yet. */
export async function supportFor(clock: SandboxClock): Promise<BlockSupport> {
  const { store, log } = await openMemory({ clock });
  return createBlockSupport({ values: store.keyv(refusedBlocks), version: "1.0.0", clock, log });
}

/** Paces without a store. `prove`: of the run for which a turn is taken. */
export function pacesFor(clock: Clock, prove: Timers["prove"] = async () => {}): Paces {
  const takeTurn = createTurns(clock.monotonic);
  return createPaces({ turn: async (...turn) => takeTurn(...turn) }, { prove });
}

/** Response URLs whose uses the test counts itself. */
export const uncounted: ResponseUses = { received() {}, take: async () => true };

/** Slack's client as the app makes it. */
export function createClient(options: { apiUrl: string; clock: Clock; token: string }): WebClient {
  const { apiUrl, clock } = options;
  return new WebClient(options.token, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: createSlackFetch({ wire: wireFor(clock) }),
    logger: quiet,
  });
}

/** People as the app knows them, of whom no change reaches it: what is remembered of a person stays. */
export async function peopleFor(
  client: WebClient,
  of: { clock: SandboxClock; team: string; enterprise?: string | null; readsQuiet?: boolean },
): Promise<People> {
  const { clock, team, enterprise = null, readsQuiet = true } = of;
  const { store, log } = await openMemory({ clock });
  const changes = store.keyv(peopleChanges);
  const workspace = { team, enterprise };
  return createPeople({ client, wire: wireFor(clock), changes, clock, log, workspace, readsQuiet });
}

export interface Got {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A server on loopback that answers as the test says, until the test ends. */
export async function startSlack(answer: (response: ServerResponse, got: Got) => void) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const one = { url: request.url ?? "", headers: request.headers, body: await text(request) };
    got.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return { url, apiUrl: `${url}/api/`, got };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

export function page(status: number, body: string, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "text/html", ...headers });
    response.end(body);
  };
}

export const reset = (response: ServerResponse) => void response.socket?.destroy();

export function breakOff(response: ServerResponse): void {
  response.writeHead(200, { "content-length": "100" });
  response.write("{", () => response.destroy());
}

export function trickle(response: ServerResponse): void {
  response.writeHead(200);
  response.write("{");
}

export function silence(): void {}

/** The error that `work` ends with. */
export function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error("It was expected to fail, and did not");
    },
    (error: unknown) => error,
  );
}
