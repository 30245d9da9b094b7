import { App, HTTPReceiver } from "@slack/bolt";
import { Queue, Worker } from "bullmq";
import { becomeReady, settings, startMachine } from "./job.js";

// Bolt with a queue in Redis, as a careful team has it: Redis has each command on its disk before it is acknowledged, so that a crash
// loses none. A worker in the same process takes them from there.
const { token, signingSecret, slackApiUrl, redisUrl } = settings;

const { hostname: host, port } = new URL(redisUrl);
const connection = { host, port: Number(port) };
const atOnce = 50;

const receiver = new HTTPReceiver({ signingSecret });
const app = new App({ token, receiver, clientOptions: { slackApiUrl } });
const queue = new Queue("commands", { connection, defaultJobOptions: { removeOnComplete: true } });
const worker = new Worker(
  queue.name,
  async ({ data }) => {
    await app.client.chat.postMessage({ channel: data.channel, text: await startMachine(data.text) });
  },
  { connection, concurrency: atOnce },
);
worker.on("failed", (_, error) => process.stderr.write(`A job failed: ${error.message}\n`));

app.command(/.*/, async ({ ack, command }) => {
  await queue.add("start", { channel: command.channel_id, text: command.text });
  await ack();
});
await worker.waitUntilReady();
becomeReady(await app.start({ port: 0, host: "127.0.0.1" }));
