import { createHmac, timingSafeEqual } from "node:crypto";
import { Agent, createServer, type IncomingMessage, type RequestOptions, request } from "node:http";
import * as z from "zod";
import { openAppend } from "./append.ts";

// The limit of any program that does this work with Rackbell's calls: it checks the signature, writes one line to the disk, acknowledges,
// reads the machine, starts it and posts the answer. It asks Slack once about each channel, which costs no time beside the read.
// The line comes first, so that no crash leaves a member waiting.
const {
  PLATFORM_URL = "",
  PLATFORM_KEY = "",
  SLACK_API_URL = "",
  BOT_TOKEN = "",
  SIGNING_SECRET = "",
  FILE = "",
} = process.env;

const keepAlive = new Agent({ keepAlive: true, maxSockets: 64 });
const Page = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });

function call(url: string, options: RequestOptions, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => textOf(answer).then(resolve, reject));
    // The other side may close an open connection just as it is used: Node's own documentation has it tried again.
    sent.on("error", (error) => (sent.reusedSocket ? resolve(call(url, options, body)) : reject(error)));
    sent.end(body);
  });
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const asMember = { authorization: `Bearer ${PLATFORM_KEY}` };

/** As the app does: reads share open connections, and each write opens one of its own. */
const read = (path: string) => call(`${PLATFORM_URL}${path}`, { agent: keepAlive, headers: asMember });
const write = (path: string) => call(`${PLATFORM_URL}${path}`, { agent: false, method: "POST", headers: asMember });

async function machines(): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const { data } = Page.parse(JSON.parse(await read(`/vps?limit=200&page=${page}`)));
    for (const { id, name } of data) ids.set(name, id);
    if (data.length < 200) return ids;
  }
}

const append = await openAppend(FILE);

function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const base = `v0:${String(headers["x-slack-request-timestamp"])}:${body}`;
  const expected = Buffer.from(`v0=${createHmac("sha256", SIGNING_SECRET).update(base).digest("hex")}`);
  const given = Buffer.from(String(headers["x-slack-signature"]));
  return expected.length === given.length && timingSafeEqual(expected, given);
}

const ids = await machines();

const met = new Set<string>();

function askSlack(method: string, body: object): Promise<string> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${BOT_TOKEN}` };
  return call(`${SLACK_API_URL}${method}`, { agent: keepAlive, method: "POST", headers }, JSON.stringify(body));
}

async function run(text: string, channel: string): Promise<void> {
  const name = text.split(" ").at(-1) ?? "";
  const id = ids.get(name) ?? "";
  const channelKnown = met.has(channel) ? undefined : askSlack("conversations.info", { channel });
  met.add(channel);
  await read(`/vps/${id}`);
  await write(`/vps/${id}/start`);
  await channelKnown;
  await askSlack("chat.postMessage", { channel, text: `${name} was started.` });
}

const server = createServer(async (message, response) => {
  const body = await textOf(message);
  if (!isSigned(message, body)) return response.writeHead(401).end();
  const fields = new URLSearchParams(body);
  await append(JSON.stringify({ at: Date.now(), user: fields.get("user_id"), text: fields.get("text") }));
  response.writeHead(200).end();
  await run(fields.get("text") ?? "", fields.get("channel_id") ?? "");
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.once("SIGTERM", () => process.exit(0));
