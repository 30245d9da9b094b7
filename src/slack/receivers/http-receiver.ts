// slack/receivers/: how Slack's requests come in under Bolt: over HTTP, signed, or over a socket.
// May import: slack/, chat/, the clock, http.ts.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { App, Receiver } from "@slack/bolt";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { type Handler, readBody } from "../../http.ts";
import { createAcknowledgement } from "./acknowledgement.ts";
import { isBareSslCheck, type Payload, readPayload } from "./body.ts";
import { OtherWorkspace } from "./own-workspace.ts";
import { type CountRefusal, createSlackRefusals, type Refusal } from "./refusals.ts";
import { createVerifier } from "./signature.ts";

/** Bolt's receiver for HTTP mode, mounted on our own listener. */
export interface HttpReceiver extends Receiver {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What answers `POST /slack/events`, whatever arrives: always once, and never with an exception. */
  handle: Handler;
}

/** What Slack's own receivers take, too. */
const mostBytes = 4 * 1024 * 1024;
/** Slack shows a failure after three seconds: what comes later reaches nobody. */
const acknowledgeWithinMs = 3_001;

/** All that is refused before it is known to be Slack's gets the same words. */
const statuses: Record<Refusal, number> = {
  unsigned: 401,
  stale: 401,
  ahead: 401,
  forged: 401,
  "too large": 413,
  "broken off": 400,
  malformed: 400,
  "other workspace": 403,
  stopping: 503,
};

/** Throws when the signing secret is empty. `onRefused` counts what was not taken, by why. */
export function createHttpReceiver(options: {
  signingSecret: string;
  clock: Clock;
  log: Logger;
  onRefused: CountRefusal;
}): HttpReceiver {
  const { clock, log } = options;
  const verify = createVerifier(options.signingSecret, clock);
  const count = createSlackRefusals(options);
  let app: App | undefined;
  let stopping = false;

  function refuse(response: ServerResponse, kind: Refusal): void {
    count(kind);
    // What was not read to its end cannot be followed by another request.
    if (kind === "too large") response.setHeader("connection", "close");
    if (kind === "stopping") response.setHeader("retry-after", "5");
    response.writeHead(statuses[kind], { "content-length": 0 }).end();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, mostBytes);
    if (typeof body === "string") return refuse(response, body);
    const type = request.headers["content-type"];
    const unverified = verify(request.headers, body);
    if (unverified === "unsigned" && isBareSslCheck(type, body)) return empty(response);
    if (unverified) return refuse(response, unverified);
    if (stopping) return refuse(response, "stopping");
    const payload = readPayload(type, body);
    if (!payload) return refuse(response, "malformed");
    if (payload.ssl_check === "1") return empty(response);
    if (payload.type === "url_verification") return challenge(response, payload);
    await deliver(payload, request, response);
  }

  async function deliver(payload: Payload, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const callOff = clock.after(acknowledgeWithinMs, () => {
      if (fail(503)) log.error({ type: payload.type ?? "command" }, "Slack's request was not acknowledged within 3 s");
    });
    const { ack, fail } = createAcknowledgement(response, callOff);
    const { "x-slack-retry-num": retryNum, "x-slack-retry-reason": retryReason } = request.headers;
    try {
      await app?.processEvent({
        body: payload,
        ack,
        ...(typeof retryNum === "string" && /^\d{1,3}$/.test(retryNum) ? { retryNum: Number(retryNum) } : {}),
        ...(typeof retryReason === "string" ? { retryReason } : {}),
      });
    } catch (error) {
      // Slack need not try again what will never be for this app.
      if (error instanceof OtherWorkspace) {
        count("other workspace");
        fail(statuses["other workspace"], { "x-slack-no-retry": "1" });
        return;
      }
      log.error({ err: error }, "What Slack sent could not be handled");
      fail(500);
    }
  }

  return {
    handle,
    init(bolt) {
      app = bolt;
    },
    async start() {
      stopping = false;
    },
    /** What comes from now on is told to come again: there may be another instance by then. */
    async stop() {
      stopping = true;
    },
  };
}

function empty(response: ServerResponse): void {
  response.writeHead(200, { "content-length": 0 }).end();
}

function challenge(response: ServerResponse, { challenge }: Payload): void {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify({ challenge }));
}
