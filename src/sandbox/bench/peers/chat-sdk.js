import { createServer } from "node:http";
import { createSlackAdapter } from "@chat-adapter/slack";
import { createRedisState } from "@chat-adapter/state-redis";
import { Chat } from "chat";
import { becomeReady, settings, startMachine } from "./job.js";

// Vercel's Chat SDK with its state in Redis, behind Node's own server, as its documentation has it. It looks each member up in that state
// before it acknowledges, and stores no command: a crash loses each one that is acknowledged and not done.
const { token, signingSecret, slackApiUrl, redisUrl } = settings;

const chat = new Chat({
  userName: "peer",
  adapters: { slack: createSlackAdapter({ botToken: token, signingSecret, apiUrl: slackApiUrl }) },
  state: createRedisState({ url: redisUrl }),
  logger: "warn",
});
chat.onSlashCommand(async ({ channel, text }) => {
  await channel.post(await startMachine(text));
});

/** The web's own request, which the SDK takes, of the one that Node's server got. */
async function webRequestOf(message) {
  const chunks = [];
  for await (const chunk of message) chunks.push(chunk);
  const { url, method, headers } = message;
  return new Request(`http://127.0.0.1${url}`, { method, headers, body: Buffer.concat(chunks) });
}

const server = createServer(async (message, response) => {
  const answer = await chat.webhooks.slack(await webRequestOf(message), { waitUntil: () => {} });
  response.writeHead(answer.status).end(await answer.text());
});
await chat.initialize();
server.listen(0, "127.0.0.1", () => becomeReady(server));
