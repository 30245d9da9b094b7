import { LogLevel, type Receiver, SocketModeReceiver } from "@slack/bolt";
import type { FetchFunction, Logger as SlackLogger } from "@slack/web-api";
import type { Logger } from "pino";
import * as z from "#zod";
import {
  type SlackFault,
  SlackRateLimited,
  SlackRefused,
  SlackUnanswered,
  slackFault,
} from "../../messages/chat/errors.ts";
import { type Clock, settles, sleep } from "../../process/clock.ts";
import { readJson, wellFormedJson } from "../../process/json.ts";
import { OtherWorkspace } from "./own-workspace.ts";
import { type CountRefusal, createSlackRefusals } from "./refusals.ts";

/** Bolt's receiver for Socket Mode, which reconnects as long as the app runs. */
export interface SocketReceiver {
  receiver: Receiver;
  /** Connects. If Slack is not reachable yet, resolves and keeps trying. Rejects with SlackRefused for a wrong token. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Reasons why there is no connection, as sentences; none if there is one. */
  problems(): string[];
  traffic: SocketTraffic;
}

/** The present connection, for those who check that payloads come over it. */
export interface SocketTraffic {
  /** Milliseconds since Slack greeted the connection, and since its last payload (or that greeting); null while there is none. */
  read(): { age: number; quiet: number } | null;
  /** Closes the connection, and makes another. */
  renew(): void;
}

/** Milliseconds. An open socket without a hello by then is dead. */
const helloLimitMs = 20_000;
/** Milliseconds. After a connection of this length the pauses between retries start again. */
const steadyMs = 60_000;
const firstPauseMs = 1_000;
/** Members wait for this pause when Slack is back: every button is dead until then. */
const longestPauseMs = 20_000;
/** For a token that Slack refuses: only an admin ends that. */
const longestRefusedPauseMs = 3 * 60_000;
const crowdedPauseMs = 60_000;
/** Milliseconds for which Slack may still count a connection that it asked to end. */
const overlapMs = 2 * 60_000;
const method = "apps.connections.open";

/** Slack's greeting on a new connection. */
export interface Hello {
  /** The connections that Slack counts for the app, with this one; null if it names none. */
  connections: number | null;
  /** Earlier connections that Slack may still count, since they ended in order. */
  overlap: number;
}

interface SocketOptions {
  appToken: string;
  apiUrl: string;
  fetch: FetchFunction;
  clock: Clock;
  log: Logger;
  slackLogger: SlackLogger;
  onRefused: CountRefusal;
  onHello: (hello: Hello) => void;
}

export function createSocketReceiver(options: SocketOptions): SocketReceiver {
  const { clock, log } = options;
  const stopping = new AbortController();
  // A payload after the goodbye could not be acknowledged any more.
  const receiver = createReceiver(options, { takesMore, onControl });
  const { client } = receiver;
  /** When Slack last asked to connect anew. The process before this one ended in order, too. */
  let askedAt = clock.monotonic();
  /** Slack's reason for the end of the connection; null while there is one, or if it gave none. */
  let reason: string | null = null;
  let greetedAt = clock.monotonic();
  let payloadAt = greetedAt;
  let state: "connecting" | "connected" | "lost" | "crowded" | SlackFault = "connecting";
  let gone = Promise.withResolvers<void>();
  client.on("disconnected", () => gone.resolve());

  function takesMore(): boolean {
    payloadAt = clock.monotonic();
    return !stopping.signal.aborted;
  }

  function onControl(control: Control): void {
    if (control.type === "disconnect") {
      reason = control.reason ?? null;
      askedAt = clock.monotonic();
      return;
    }
    reason = null;
    greetedAt = clock.monotonic();
    payloadAt = greetedAt;
    const overlap = clock.monotonic() - askedAt < overlapMs ? 1 : 0;
    options.onHello({ connections: control.num_connections ?? null, overlap });
  }

  /** Resolves when Slack has sent its hello. */
  async function connect(): Promise<void> {
    gone = Promise.withResolvers<void>();
    const started = client.start();
    // Wait for each attempt to end: two simultaneous ones disturb each other.
    while (!(await settles(started, clock, helloLimitMs))) await client.disconnect();
    await started;
  }

  async function tryToConnect(): Promise<SlackFault | null> {
    try {
      await connect();
      state = "connected";
      return null;
    } catch (error) {
      // An interrupted attempt rejects with undefined.
      const why = "Slack's socket closed before it said hello";
      const fault =
        error === undefined ? new SlackUnanswered(method, { maybeApplied: true, why }) : slackFault(method, error);
      state = fault;
      return fault;
    }
  }

  async function keepConnected(first: SlackFault | null): Promise<void> {
    let fault = first;
    let failures = first ? 1 : 0;
    while (!stopping.signal.aborted) {
      if (!fault && (await lasted()) >= steadyMs) failures = 0;
      const isCrowded = reason === "too_many_websockets";
      const pauseMs = pauseAfter(failures, fault, { isCrowded });
      if (isCrowded) state = "crowded";
      log.warn({ err: fault, pauseMs }, "Slack is not connected");
      await sleep(clock, pauseMs, stopping.signal);
      failures += 1;
      fault = await tryToConnect();
      if (!fault) log.info("Slack is connected again");
    }
    // Ends an attempt that was in progress at the stop.
    await client.disconnect();
  }

  /** Resolves when the connection is lost, with its duration in milliseconds. */
  async function lasted(): Promise<number> {
    const since = clock.monotonic();
    await gone.promise;
    stopping.signal.throwIfAborted();
    state = "lost";
    return clock.monotonic() - since;
  }

  return {
    receiver,
    async start() {
      const fault = await tryToConnect();
      if (fault instanceof SlackRefused) throw fault;
      keepConnected(fault).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.fatal({ err: error }, "Slack's connection is no longer kept");
      });
    },
    async stop() {
      stopping.abort();
      // Do not wait: the other side may take half a minute to close.
      void client.disconnect();
    },
    problems() {
      if (state === "connected") return [];
      return [`Slack is not connected: ${reason === "link_disabled" ? switchedOff : wordsOf(state)}.`];
    },
    traffic: {
      read() {
        if (state !== "connected") return null;
        const now = clock.monotonic();
        return { age: now - greetedAt, quiet: now - payloadAt };
      },
      renew() {
        if (state !== "connected") return;
        // The connection ends in order, so Slack may count it for a moment.
        askedAt = clock.monotonic();
        void client.disconnect();
      },
    },
  };
}

/** Bolt's own receiver, with the rejections caught that it leaves unhandled. */
function createReceiver(
  options: SocketOptions,
  { takesMore, onControl }: { takesMore: () => boolean; onControl: (control: Control) => void },
): SocketModeReceiver {
  const { log } = options;
  const count = createSlackRefusals(options);
  const clientOptions = {
    slackApiUrl: options.apiUrl,
    fetch: options.fetch,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  };
  const receiver = new SocketModeReceiver({
    appToken: options.appToken,
    logger: options.slackLogger,
    logLevel: LogLevel.INFO,
    installerOptions: { clientOptions },
    // Its own reconnect rejects without a handler: for a refused token, a fault of Slack or an interrupted attempt.
    autoReconnectEnabled: false,
    processEventErrorHandler: async ({ error }) => {
      if (error instanceof OtherWorkspace) count("other workspace");
      else log.error({ err: error }, "A request of Slack could not be handled");
      return false;
    },
  });
  const { client } = receiver;

  type Read = ReturnType<typeof client.listeners<"ws_message">>[number];
  async function readMessage(read: Read, [data, isBinary]: Parameters<Read>): Promise<void> {
    const text = wellFormedJson(String(data));
    const isPayload = text.includes('"envelope_id"');
    if (isPayload && !takesMore()) return;
    try {
      // Slack's library reads these itself, and tells nobody what is in them.
      const control = isPayload || isBinary ? null : Control.safeParse(readJson(text)).data;
      if (control) onControl(control);
      await read(isBinary ? data : text, isBinary);
    } catch (error) {
      count("malformed");
      log.debug({ err: error }, "A message over Slack's socket could not be read");
    }
  }

  // Bolt parses messages in an unhandled promise: one malformed message would end the process.
  for (const read of client.listeners("ws_message")) {
    client.off("ws_message", read);
    client.on("ws_message", (...message) => readMessage(read, message));
  }
  return receiver;
}

/** A message of Slack's about the connection itself. */
const Control = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), num_connections: z.number().int().min(0).nullish().catch(null) }),
  z.object({ type: z.literal("disconnect"), reason: z.string().nullish().catch(null) }),
]);
type Control = z.infer<typeof Control>;

/** Milliseconds to wait if Slack has too many connections: it must drop some first, and each attempt adds one. */
function crowdedPauseAfter(failures: number): number {
  return Math.min(longestRefusedPauseMs, crowdedPauseMs * 2 ** Math.min(failures, 2));
}

/** Milliseconds before the next attempt: none after a first loss, then growing. Slack's own demand comes before it. */
function pauseAfter(failures: number, fault: SlackFault | null, { isCrowded }: { isCrowded: boolean }): number {
  const least = isCrowded ? crowdedPauseAfter(failures) : 0;
  if (failures === 0) return least;
  const asked = fault instanceof SlackRateLimited ? fault.retryAfterMs : 0;
  const longest = fault instanceof SlackRefused ? longestRefusedPauseMs : longestPauseMs;
  return Math.max(least, asked, Math.min(longest, firstPauseMs * 2 ** Math.min(failures - 1, 20)));
}

const switchedOff =
  "Socket Mode was turned off for this app; turn it on at api.slack.com/apps. It is asked again now and then";

function wordsOf(state: "connecting" | "lost" | "crowded" | SlackFault): string {
  if (state === "crowded") return "it has too many connections of this app; it is asked again after a pause";
  if (state === "connecting") return "the connection is being made";
  if (state === "lost") return "the connection was lost and is being made anew";
  if (state instanceof SlackRefused)
    return `it refused SLACK_APP_TOKEN (${state.reason}); it is asked again now and then`;
  if (state instanceof SlackRateLimited) return "it asks to slow down";
  return "it does not answer; it is asked again now and then";
}
