import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { type Agent, agentOfToken } from "../../members/identities/agents.ts";
import type { Handler } from "../../process/http.ts";
import type { Intake } from "../../process/intake.ts";
import { readJson } from "../../process/json.ts";
import { traced } from "../../process/trace.ts";
import { refusalReason } from "../../requests/checks.ts";
import { agentRight } from "../../requests/facets/agent/right.ts";
import type { AgentCaller, McpApp } from "./app.ts";
import { unmarkedText } from "./errors.ts";
import { createAgentServer } from "./server.ts";

/** Calls of one agent at the same time in this instance; further ones wait for their turn. */
const mostAtOnce = 4;
/** Calls that may wait. More would hold sockets that nobody reads. */
const mostWaiting = 32;

/** Makes the server of one call. The judges of the protocol put theirs, which serves more tools, in place of ours. */
export type ServeAgent = typeof createAgentServer;

export interface McpEndpoint {
  handle: Handler;
  /** Ends the calls under way. */
  close(): Promise<void>;
}

/**
 * The door for agents: `POST /mcp`, for MCP 2026-07-28 and the revisions of 2025. A call has the token of a member's agent in its
 * Authorization header. A page in a browser, or a request that reached this app under another name, gets nothing.
 */
export function createMcpEndpoint(
  app: McpApp,
  { url, intake, serve = createAgentServer }: { url: string; intake: Intake; serve?: ServeAgent },
): McpEndpoint {
  const { log } = app;
  const { hostname } = new URL(url);
  const callers = new Map<string, AgentCaller>();
  const taken = new Map<string, { running: number; waiting: (() => void)[] }>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = callers.get(authInfo?.clientId ?? "");
      if (!caller) throw new Error("A call has no agent");
      return serve(app, caller);
    },
    { onerror: (err) => log.debug({ err }, "A message of an agent was refused") },
  );

  /** The agent with the links that are left to it, or the way in which its right ended. Throws a Refusal about its member. */
  async function findCaller(request: IncomingMessage): ReturnType<typeof agentRight> {
    const [, token = ""] = /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? "") ?? [];
    return agentRight(app.requests, await agentOfToken(app, token, url));
  }

  async function answer(request: IncomingMessage, response: ServerResponse, caller: AgentCaller): Promise<void> {
    const read = await intake.read(request, (bytes) => bytes);
    if (typeof read === "string")
      return refuse(response, read === "too large" ? 413 : 408, "The body is too long or too slow.");
    // One call, one message: a batch would be many calls at the price of one. Later revisions of the protocol have no batches.
    if (isBatch(read.verified)) return refuse(response, 400, "Send one message a call.");
    const id = randomUUID();
    callers.set(id, caller);
    try {
      const asked = new Request(url, {
        method: "POST",
        headers: headersOf(request),
        body: new Uint8Array(read.verified),
      });
      await send(response, await handler.fetch(asked, { authInfo: { token: "", clientId: id, scopes: [] } }));
    } finally {
      callers.delete(id);
    }
  }

  /** Runs the work when one of the agent's turns is free. */
  async function inTurn({ id }: Agent, response: ServerResponse, work: () => Promise<void>): Promise<void> {
    const turns = taken.get(id) ?? { running: 0, waiting: [] };
    taken.set(id, turns);
    if (turns.waiting.length >= mostWaiting) {
      response.setHeader("retry-after", "5");
      return refuse(response, 429, `${mostWaiting} calls of yours wait already. Send the next one after an answer.`);
    }
    if (turns.running >= mostAtOnce) await new Promise<void>((begin) => turns.waiting.push(begin));
    else turns.running += 1;
    try {
      await work();
    } finally {
      // The turn passes on as it is: counted down first, a new call could take it before the one that waits.
      const next = turns.waiting.shift();
      if (next) next();
      else turns.running -= 1;
      if (turns.running === 0) taken.delete(id);
    }
  }

  return {
    async handle(request, response) {
      const bare = new Request(url, { headers: headersOf(request) });
      const rejected =
        hostHeaderValidationResponse(bare, [hostname, ...localhostAllowedHostnames()]) ??
        originValidationResponse(bare, [hostname]);
      if (rejected) return refuse(response, 403, "This address serves programs, under its own name.");
      // A query ends up in logs of proxies: nothing secret may be in one, least of all a token.
      if (request.url?.includes("?")) return refuse(response, 400, "This address takes no query.");
      const caller = await findCaller(request).catch((error: unknown) => ({ barred: refusalReason(error) }));
      if ("barred" in caller) return refuse(response, 403, unmarkedText(caller.barred));
      if ("ended" in caller && caller.ended === "switched off")
        return refuse(response, 403, "An admin switched all agents off.");
      if ("ended" in caller) {
        response.setHeader("www-authenticate", "Bearer");
        return refuse(
          response,
          401,
          "Send the token of an agent that works: none expired, none removed, and its member's key still linked. A member makes one in Slack with /rackbell agent new.",
        );
      }
      await inTurn(caller.agent, response, () => traced("agent", {}, () => answer(request, response, caller)));
    },
    close: handler.close,
  };
}

/** Parsed as the protocol's own handler does, which also answers what is no JSON: any amount of blanks may come before the bracket. */
function isBatch(body: Buffer): boolean {
  return Array.isArray(readJson(new TextDecoder().decode(body)));
}

/** Answers without reading the body. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
  response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(body);
}

function headersOf({ headers }: IncomingMessage): Headers {
  const made = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (typeof value === "string" && name !== "authorization") made.set(name, value);
  return made;
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  try {
    await pipeline(Readable.from(answer.body), response);
  } catch (error) {
    // An agent that hangs up is no failure of ours. Its request stays, and the same key finds it.
    if (!response.destroyed) throw error;
  }
}
