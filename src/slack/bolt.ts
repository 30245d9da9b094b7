// slack/: Slack's requests to the app: Bolt, commands, modals, buttons and the Home tab; the manifest and the catalogue.

import { App, type Receiver, type ReceiverEvent } from "@slack/bolt";
import type { FetchFunction, Logger as SlackLogger } from "@slack/web-api";
import type { Logger } from "pino";
import { type Clock, settles } from "../process/clock.ts";
import type { Handler } from "../process/http.ts";
import type { Intake } from "../process/intake.ts";
import { createHttpReceiver } from "./receivers/http-receiver.ts";
import type { CountRefusal } from "./receivers/refusals.ts";
import { createSocketReceiver, type Hello, type SocketTraffic } from "./receivers/socket-receiver.ts";

/** The connection to the workspace: a socket, or signed HTTP posts. */
export type SlackConnection = { botToken: string; apiUrl: string } & (
  | { mode: "socket"; appToken: string }
  | { mode: "http"; signingSecret: string }
);

export interface Bolt {
  app: InterceptedApp;
  /** In HTTP mode the handler of `POST /slack/events`; else null. */
  events: Handler | null;
  /** Starts to accept payloads. Rejects with SlackRefused if Slack refuses the app token. */
  start(): Promise<void>;
  /** Accepts no more payloads. Resolves when the accepted ones are acknowledged and queued. */
  stop(): Promise<void>;
  /** Reasons why Slack does not reach the app, as sentences; none if it does. */
  problems(): string[];
  /** In HTTP mode null. */
  socket: SocketTraffic | null;
}

/** Does something before and after Bolt's own part, `process`, which acknowledges the payload. */
export type Intercept = (body: unknown, process: () => Promise<void>) => Promise<void>;

/** Bolt's app. Bolt acknowledges an event before any middleware sees it, so what must come first overrides its entrance. */
export class InterceptedApp extends App {
  intercept: Intercept = (_, process) => process();
  readonly #running = new Set<Promise<void>>();

  override async processEvent(event: ReceiverEvent): Promise<void> {
    const running = this.intercept(event.body, () => super.processEvent(event));
    this.#running.add(running);
    await running.finally(() => this.#running.delete(running));
  }

  /**
   * Resolves when the payloads that are here now have been acknowledged and queued. A stop that looks at the queue alone would abandon a
   * command that is still being stored.
   */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

interface Deps {
  fetch: FetchFunction;
  intake: Intake;
  clock: Clock;
  log: Logger;
  /** For Slack's own libraries. */
  slackLogger: SlackLogger;
  onRefused: CountRefusal;
  /** Called when Slack greets a new socket. */
  onHello: (hello: Hello) => void;
}

/** Milliseconds. Slack gives up a request that is not acknowledged by then. */
const acknowledgedWithinMs = 3_000;

/** Bolt over Socket Mode or signed HTTP posts; retries and rate limits are ours (`chat/`), so the client does neither. */
export function createBolt(slack: SlackConnection, deps: Deps): Bolt {
  if (slack.mode === "http") {
    const receiver = createHttpReceiver({ ...deps, signingSecret: slack.signingSecret });
    const app = createApp(slack, receiver, deps);
    return {
      app,
      events: receiver.handle,
      start: () => receiver.start(),
      async stop() {
        await receiver.stop();
        await app.settled();
      },
      problems: () => [],
      socket: null,
    };
  }
  const socket = createSocketReceiver({ ...deps, appToken: slack.appToken, apiUrl: slack.apiUrl });
  const app = createApp(slack, socket.receiver, deps);
  return {
    app,
    events: null,
    start: socket.start,
    async stop() {
      // Acknowledgements need the socket: without one Slack tells the member that the app failed, although it acts.
      await settles(app.settled(), deps.clock, acknowledgedWithinMs);
      await socket.stop();
      await app.settled();
    },
    problems: socket.problems,
    socket: socket.traffic,
  };
}

function createApp(slack: SlackConnection, receiver: Receiver, { fetch, slackLogger: logger }: Deps): InterceptedApp {
  const app = new InterceptedApp({
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
    // Nothing reads these two. Without values Bolt would call Slack for them before each acknowledgement.
    botId: "",
    botUserId: "",
  });
  // The receivers log errors; Bolt would log them a second time, and wrap them.
  app.error(async (error) => {
    throw error.original ?? error;
  });
  return app;
}
