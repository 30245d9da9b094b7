// slack/: the door to Slack: Bolt, the Home tab, what a press or a submit hands on; the manifest and the catalogue.
// May import: slack/*, operations/, operations/*, engine/, engine/*, operation/, views/, chat/, identities/, platform/, platform/*, storage/, the clock, http.ts.

import { App, type Receiver } from "@slack/bolt";
import type { FetchFunction, Logger as SlackLogger } from "@slack/web-api";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Handler } from "../http.ts";
import { createHttpReceiver } from "./receivers/http-receiver.ts";
import type { CountRefusal } from "./receivers/refusals.ts";
import { createSocketReceiver } from "./receivers/socket-receiver.ts";

/** How the workspace is reached: over a socket, or by its own signed posts. */
export type SlackConnection = { botToken: string; apiUrl: string } & (
  | { mode: "socket"; appToken: string }
  | { mode: "http"; signingSecret: string }
);

export interface Bolt {
  app: App;
  /** In HTTP mode: what answers `POST /slack/events`. */
  events: Handler | null;
  /** Begins to take what Slack sends. Rejects with SlackRefused when Slack refuses the app token. */
  start(): Promise<void>;
  /** Takes nothing more; what was taken goes on. */
  stop(): Promise<void>;
  /** Why Slack does not reach the app, as sentences; none when it does. */
  problems(): string[];
}

interface Deps {
  fetch: FetchFunction;
  clock: Clock;
  log: Logger;
  /** For Slack's own libraries. */
  slackLogger: SlackLogger;
  onRefused: CountRefusal;
}

/** Bolt over Socket Mode or signed HTTP posts; retries and rate limits are ours (`chat/`), so the client does neither. */
export function createBolt(slack: SlackConnection, deps: Deps): Bolt {
  if (slack.mode === "http") {
    const receiver = createHttpReceiver({ ...deps, signingSecret: slack.signingSecret });
    return {
      app: createApp(slack, receiver, deps),
      events: receiver.handle,
      start: () => receiver.start(),
      stop: () => receiver.stop(),
      problems: () => [],
    };
  }
  const socket = createSocketReceiver({ ...deps, appToken: slack.appToken, apiUrl: slack.apiUrl });
  return {
    app: createApp(slack, socket.receiver, deps),
    events: null,
    start: socket.start,
    stop: socket.stop,
    problems: socket.problems,
  };
}

function createApp(slack: SlackConnection, receiver: Receiver, { fetch, slackLogger: logger }: Deps): App {
  const app = new App({
    token: slack.botToken,
    receiver,
    clientOptions: {
      slackApiUrl: slack.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      fetch,
      logger,
    },
    logger,
    convoStore: false,
    tokenVerificationEnabled: false,
    ignoreSelf: false,
    // Nothing reads these two. Without them Bolt asks Slack who it is before it acknowledges, each time.
    botId: "",
    botUserId: "",
  });
  // The receivers log what goes wrong: Bolt's own way would log it a second time, and wrap it.
  app.error(async (error) => {
    throw error.original ?? error;
  });
  return app;
}
