import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as z from "zod";
import { sleep, systemClock } from "../../process/clock.ts";
import { type Answered, Button, type WorldMessage } from "./orders.ts";

const team = "T0BENCH";
/** Every flag that Slack sends: the app takes one that is missing as no answer. */
const member = { name: "somebody", is_admin: true, deleted: false, is_restricted: false, is_ultra_restricted: false };
const ownChannel = { is_member: true, is_private: false, is_im: false, is_mpim: false, is_ext_shared: false };
const Text = z.looseObject({
  channel: z.string().default(""),
  text: z.string().default(""),
  thread_ts: z.string().optional(),
});
const Rows = z.looseObject({
  blocks: z.array(z.looseObject({ elements: z.array(z.unknown()).optional() })).optional(),
});
const Opened = z.looseObject({ trigger_id: z.string(), view: z.unknown() });

/**
 * The methods of Slack's Web API that the app calls, and the response URLs, answered as cheaply as can be. So the figures are the
 * app's own. The practice workspace checks the calls; the sink only takes them.
 */
export async function openSink(send: (message: WorldMessage) => void, latencyMs: number): Promise<{ url: string }> {
  let messages = 0;

  const methods: Record<string, (body: unknown) => object> = {
    "auth.test": () => ({ team_id: team, user_id: "U0BOT", bot_id: "B0BOT", url: "http://127.0.0.1/" }),
    "users.info": (body) => ({ user: { ...member, id: fieldOf(body, "user"), team_id: team } }),
    "conversations.info": (body) => ({ channel: { ...ownChannel, id: fieldOf(body, "channel") } }),
    "conversations.open": (body) => ({ channel: { id: `D${fieldOf(body, "users")}` } }),
    "chat.postMessage": (body) => {
      const { channel, thread_ts: thread } = Text.parse(body);
      if (thread === undefined) send({ type: "answer", channel, ...answered(body) });
      messages += 1;
      return { channel, ts: `1700000000.${String(messages).padStart(6, "0")}` };
    },
    "chat.postEphemeral": (body) => {
      send({ type: "answer", channel: Text.parse(body).channel, ...answered(body) });
      return { message_ts: "1700000000.000000" };
    },
    "views.publish": (body) => {
      send({ type: "view", trigger: `home ${fieldOf(body, "user_id")}`, view: null });
      return { view: { id: "V0HOME", hash: "1" } };
    },
    "views.open": (body) => {
      const { trigger_id: trigger, view } = Opened.parse(body);
      send({ type: "view", trigger, view });
      return { view: { id: `V${trigger}`, hash: "1" } };
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, room, name = ""] = (request.url ?? "").split("/");
    const body = readBody(request.headers["content-type"] ?? "", await textOf(request));
    if (latencyMs > 0) await sleep(systemClock, latencyMs);
    if (room === "answers") send({ type: "answer", channel: name, ...answered(body) });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ok: true, ...methods[name]?.(body) }));
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { url: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}` };
}

function answered(body: unknown): Answered {
  const elements = Rows.parse(body).blocks?.flatMap((block) => block.elements ?? []) ?? [];
  return { text: Text.parse(body).text, buttons: elements.flatMap((element) => Button.safeParse(element).data ?? []) };
}

function fieldOf(body: unknown, name: string): string {
  const fields = z.looseObject({}).parse(body);
  return String(fields[name] ?? "");
}

function readBody(type: string, text: string): unknown {
  if (type.startsWith("application/json")) return JSON.parse(text);
  const fields: Record<string, unknown> = Object.fromEntries(new URLSearchParams(text));
  if (typeof fields.view === "string") fields.view = JSON.parse(fields.view);
  return fields;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
