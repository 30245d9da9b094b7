import { App, HTTPReceiver, type Logger, LogLevel, SocketModeReceiver } from "@slack/bolt";
import type { FetchFunction } from "@slack/web-api";
import type { Handler } from "../http.ts";

/** How the workspace is reached: over a socket, or by its own signed posts. */
export type SlackConnection = { botToken: string; apiUrl: string } & (
  | { mode: "socket"; appToken: string }
  | { mode: "http"; signingSecret: string }
);

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
export function createBolt(slack: SlackConnection, fetch: FetchFunction, logger: Logger): Bolt {
  const clientOptions = {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch,
    logger,
  };
  const common = {
    token: slack.botToken,
    clientOptions,
    logger,
    convoStore: false,
    tokenVerificationEnabled: false,
    ignoreSelf: false,
    // Nothing reads these two. Without them Bolt asks Slack who it is before it acknowledges, each time.
    botId: "",
    botUserId: "",
  } as const;
  if (slack.mode === "http") {
    const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger });
    const app = new App({ ...common, receiver });
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
    // The socket asks again and again for its address: losing it is what it must live through.
    installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
  });
  const app = new App({ ...common, receiver });
  return {
    app,
    events: null,
    start: async () => {
      await receiver.start();
    },
    stop: async () => {
      await receiver.stop();
    },
    connected: () => receiver.client.websocket?.isActive() === true,
  };
}
