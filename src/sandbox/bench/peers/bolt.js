import { App, HTTPReceiver } from "@slack/bolt";
import { becomeReady, settings, startMachine } from "./job.js";

// Bolt as its documentation has it, in forty lines with `job.js`: it acknowledges, calls the platform and posts the answer. A crash loses
// each command that is acknowledged and not done.
const { token, signingSecret, slackApiUrl } = settings;

const receiver = new HTTPReceiver({ signingSecret });
const app = new App({ token, receiver, clientOptions: { slackApiUrl } });
app.command(/.*/, async ({ ack, command, client }) => {
  await ack();
  await client.chat.postMessage({ channel: command.channel_id, text: await startMachine(command.text) });
});
becomeReady(await app.start({ port: 0, host: "127.0.0.1" }));
