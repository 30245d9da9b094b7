import type { Server } from "node:http";
import * as z from "zod";

// peers/: small programs that a careful team would write in place of Rackbell, which do the same job as it. The bench compares them.

/** The bench gives them their settings by the environment. */
export const settings = {
  token: process.env.BOT_TOKEN ?? "",
  signingSecret: process.env.SIGNING_SECRET ?? "",
  slackApiUrl: process.env.SLACK_API_URL ?? "",
  redisUrl: process.env.REDIS_URL ?? "",
};
const { PLATFORM_URL = "", PLATFORM_KEY = "" } = process.env;

const headers = { authorization: `Bearer ${PLATFORM_KEY}` };
const Page = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });
const pageSize = 200;

let ids: Promise<Map<string, string>> | undefined;

/**
 * Prints the address as the line that the bench waits for. Only then are the ids of the machines read, so that no program's start
 * includes them; a command that comes sooner waits.
 */
export function becomeReady(server: Server): void {
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
  process.once("SIGTERM", () => process.exit(0));
  ids = readIds();
}

/** Starts the machine that the text of a command ends with, and gives the answer to it. Rejects when the platform refuses. */
export async function startMachine(text: string): Promise<string> {
  const name = text.split(" ").at(-1) ?? "";
  const id = (await ids)?.get(name) ?? "";
  const answer = await fetch(`${PLATFORM_URL}/vps/${id}/start`, { method: "POST", headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`The platform answered ${answer.status}`);
  return `${name} was started.`;
}

async function readIds(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${PLATFORM_URL}/vps?limit=${pageSize}&page=${page}`, { headers });
    const { data } = Page.parse(await answer.json());
    for (const { id, name } of data) found.set(name, id);
    if (data.length < pageSize) return found;
  }
}
