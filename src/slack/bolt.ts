import { App, HTTPReceiver, type Logger, LogLevel, SocketModeReceiver } from "@slack/bolt";
import type { SlackConfig } from "../config.ts";
import type { Handler } from "../http.ts";

export interface Bolt {
  app: App;
  /** In HTTP mode: what answers `POST /slack/events`. */
  events: Handler | null;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Where Slack can be reached: false while the socket is down. */
  connected(): boolean;
}

/** Bolt over Socket Mode or signed HTTP posts; retries and rate limits are ours (`chat/`), so the client does neither. */
export function createBolt(slack: SlackConfig, logger: Logger): Bolt {
  const clientOptions = {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger,
  };
  if (slack.mode === "http") {
    const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger });
    const app = new App({
      token: slack.botToken,
      receiver,
      clientOptions,
      logger,
      convoStore: false,
      tokenVerificationEnabled: false,
      ignoreSelf: false,
    });
    return {
      app,
      events: (request, response) => receiver.requestListener(request, response),
      start: async () => {},
      stop: async () => {},
      connected: () => true,
    };
  }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger,
    logLevel: LogLevel.INFO,
    installerOptions: { clientOptions },
  });
  const app = new App({
    token: slack.botToken,
    receiver,
    clientOptions,
    logger,
    convoStore: false,
    tokenVerificationEnabled: false,
    ignoreSelf: false,
  });
  let connected = false;
  receiver.client.on("connected", () => {
    connected = true;
  });
  for (const event of ["disconnected", "reconnecting", "disconnecting"]) {
    receiver.client.on(event, () => {
      connected = false;
    });
  }
  return {
    app,
    events: null,
    start: async () => {
      await receiver.start();
    },
    stop: async () => {
      await receiver.stop();
    },
    connected: () => connected,
  };
}
