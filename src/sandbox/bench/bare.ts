import { App, HTTPReceiver } from "@slack/bolt";

// The smallest Bolt app there is: it acknowledges, and does nothing. The real app is compared with it.
const { BOT_TOKEN: token = "", SIGNING_SECRET: signingSecret = "", SLACK_API_URL: slackApiUrl = "" } = process.env;

const receiver = new HTTPReceiver({ signingSecret });
const app = new App({ token, receiver, clientOptions: { slackApiUrl } });
app.command(/.*/, ({ ack }) => ack());
const server = await app.start({ port: 0, host: "127.0.0.1" });
const address = server.address();
const port = address !== null && typeof address === "object" ? address.port : 0;
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
process.once("SIGTERM", () => process.exit(0));
