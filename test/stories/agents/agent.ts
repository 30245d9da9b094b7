import { request as send } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { type Actor, type Story, type StoryOptions, startStory } from "../story.ts";

/** A real client of the protocol that calls the app with an agent's token. */
export interface TestAgent {
  token: string;
  client: Client;
  /** The structured result of a tool, or its sentence where it failed. */
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Asks for the status of a request, while time passes, until it is over. */
  end(request: unknown): Promise<Record<string, unknown>>;
  /** The sentence of a call that failed. */
  refused(name: string, args: Record<string, unknown>): Promise<string>;
}

/** The environment in which members' agents may call. */
export const agentsOn = { AGENTS: "on" };

/** Makes an agent in Slack, as a member does, and returns its token. */
export async function newToken(story: Story, actor: Actor, name: string, values: string): Promise<string> {
  await story.ask(actor, `/rackbell agent new ${name} ${values}`, `The agent \`${name}\` is ready`);
  await actor.press(await story.seesIn("dm", actor, `Token of ${name}`), "Reveal");
  await story.modal(actor, `Token of ${name}`, "rba_");
  const [token = ""] = /rba_[\w-]{43}/.exec(JSON.stringify(actor.modal())) ?? [];
  story.secrets.add(token);
  return token;
}

/** A connected client of the protocol. */
async function connectClient(story: Story, token: string, era: "2026" | "2025" = "2026"): Promise<Client> {
  const versionNegotiation = { mode: era === "2026" ? { pin: "2026-07-28" } : ("legacy" as const) };
  const client = new Client({ name: "test-client", version: "1.0.0" }, { versionNegotiation });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${story.app.url}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

const Answer = z.object({ result: z.looseObject({}).optional(), error: z.object({ message: z.string() }).optional() });

/** A call as a client makes it that takes tasks. The SDK's own client takes none, so this one writes the messages itself. */
export async function callWithTasks(story: Story, token: string, method: string, params: Record<string, unknown>) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "task-client", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  const name = params.name ?? params.taskId;
  const answer = await fetch(`${story.app.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": String(name),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const { result, error } = Answer.parse(await answer.json());
  if (!result) throw new Error(error?.message);
  return result;
}

export async function connect(story: Story, token: string, era: "2026" | "2025" = "2026"): Promise<TestAgent> {
  const client = await connectClient(story, token, era);
  async function called(name: string, args: Record<string, unknown>) {
    return client.callTool({ name, arguments: args });
  }
  async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { isError, structuredContent, content } = await called(name, args);
    if (isError || typeof structuredContent !== "object") throw new Error(JSON.stringify(content));
    return { ...structuredContent };
  }
  return {
    token,
    client,
    call,
    async end(request) {
      for (let tries = 0; tries < 2_000; tries += 1) {
        const status = await call("request_status", { request });
        if (status.over === true) return status;
        story.clock.skip(1_000);
      }
      throw new Error("The request does not end");
    },
    async refused(name, args) {
      const { isError, content } = await called(name, args);
      if (!isError) throw new Error(`${name} was not refused: ${JSON.stringify(content)}`);
      return JSON.stringify(content);
    },
  };
}

export const reboot = { command: "vps reboot", target: "web-1", why: "It hangs", key: "reboot-web-1-a" };

/** A story with Ana's agent that may propose. */
export async function withAgent(more: StoryOptions = {}) {
  const story = await startStory({
    linked: ["ana"],
    pace: 60,
    ...more,
    environment: { ...agentsOn, ...more.environment },
  });
  const token = await newToken(story, story.ana, "claude", "may=propose channel=#ops");
  return { story, ana: story.ana, token, agent: await connect(story, token) };
}

/** The status of a bare call, with headers that no client of the protocol would send. */
export function bare(
  story: Story,
  headers: Record<string, string>,
  { path = "/mcp", body = "{}" } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    send(`${story.app.url}${path}`, { method: "POST", headers: all }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end(body);
  });
}
