// slack/receivers/: how Slack's requests come in under Bolt: over HTTP, signed, or over a socket.

import type { IncomingMessage, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import { type App, type Receiver, ReceiverMultipleAckError } from "@slack/bolt";
import type { Logger } from "pino";
import * as z from "#zod";
import type { Clock } from "../../process/clock.ts";
import type { Handler } from "../../process/http.ts";
import type { Intake } from "../../process/intake.ts";
import { parseJson } from "../../process/json.ts";
import { OtherWorkspace } from "./own-workspace.ts";
import { type CountRefusal, createSlackRefusals, type RefusalKind } from "./refusals.ts";
import { createVerifier } from "./signature.ts";

/** Bolt's receiver for HTTP mode, mounted on our own listener. */
export interface HttpReceiver extends Receiver {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The handler of `POST /slack/events`. It answers every request exactly once, and never throws. */
  handle: Handler;
}

/** Slack's check of our certificate has no signature and few bytes. */
const sslCheckBytes = 1_000;
/** Slack shows a failure after three seconds, so a later acknowledgement is useless. */
const acknowledgeWithinMs = 3_001;

/** Refusals without reading the whole body: the connection cannot be reused. */
const notRead: ReadonlySet<RefusalKind> = new Set([
  ...(["unsigned", "stale", "ahead"] as const),
  ...(["too large", "too slow", "crowded out", "broken off"] as const),
]);

/** Refusals before the signature is verified reveal nothing but the status. */
const statuses: Record<RefusalKind, number> = {
  unsigned: 401,
  stale: 401,
  ahead: 401,
  forged: 401,
  "too large": 413,
  "too slow": 408,
  "crowded out": 503,
  "broken off": 400,
  malformed: 400,
  "other workspace": 403,
  stopping: 503,
};

/** Throws if the signing secret is empty. Calls `onRefused` with the kind of each refused request. */
export function createHttpReceiver(options: {
  signingSecret: string;
  intake: Intake;
  clock: Clock;
  log: Logger;
  onRefused: CountRefusal;
}): HttpReceiver {
  const { intake, clock, log } = options;
  const verifier = createVerifier(options.signingSecret, clock);
  const count = createSlackRefusals(options);
  let app: App | undefined;
  let stopping = false;

  function refuse(response: ServerResponse, kind: RefusalKind): void {
    count(kind);
    if (notRead.has(kind)) response.setHeader("connection", "close");
    if (kind === "stopping") response.setHeader("retry-after", "5");
    response.writeHead(statuses[kind], { "content-length": 0 }).end();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    const wrong = verifier.look(headers);
    if (wrong === "unsigned" && (await isSslCheck(request))) return empty(response);
    if (wrong) return refuse(response, wrong);
    const read = await intake.read(request, (body) => ({ body, unverified: verifier.verify(headers, body) }));
    if (typeof read === "string") return refuse(response, read);
    const { body, unverified } = read.verified;
    if (unverified) return refuse(response, unverified);
    if (stopping) return refuse(response, "stopping");
    const payload = readPayload(headers["content-type"], body);
    if (!payload) return refuse(response, "malformed");
    await answer(payload, request, response);
  }

  async function answer(payload: Payload, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (payload.ssl_check === "1") return empty(response);
    if (payload.type === "url_verification") return challenge(response, payload);
    await deliver(payload, request, response);
  }

  /** Reads an unsigned body only if its declared length is as short as Slack's check. */
  async function isSslCheck(request: IncomingMessage): Promise<boolean> {
    const { "content-type": type, "content-length": length } = request.headers;
    if (length === undefined) return false;
    const read = await intake.read(request, (body) => isBareSslCheck(type, body), sslCheckBytes);
    return typeof read !== "string" && read.verified;
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
      // Tell Slack not to retry: this app will never accept it.
      if (error instanceof OtherWorkspace) {
        count("other workspace");
        fail(statuses["other workspace"], { "x-slack-no-retry": "1" });
        return;
      }
      log.error({ err: error }, "A request of Slack could not be handled");
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
    /** From now on requests get a 503, so that Slack retries, perhaps at another instance. */
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

/** The common fields of all payloads: a command, an interaction, or an event in its envelope. */
const CommonPayload = z.object({
  command: z.string().optional(),
  type: z.string().optional(),
  event: z.object({ type: z.string() }).optional(),
  actions: z.array(z.object({})).min(1).optional(),
  ssl_check: z.string().optional(),
});
type Payload = z.infer<typeof CommonPayload> & Record<string, unknown>;

/** Parses a verified body by its content type: JSON, a form, or a form around JSON. Null if it is no payload of Slack. */
export function readPayload(contentType: string | undefined, body: Buffer): Payload | null {
  const read = isForm(contentType) ? fromForm(body) : fromJson(body.toString());
  return isPayload(read) ? read : null;
}

// A type guard on the original object: the payload must keep its unknown fields.
function isPayload(read: unknown): read is Payload {
  const { success, data } = CommonPayload.safeParse(read);
  return success && (data.command ?? data.type ?? data.ssl_check) !== undefined;
}

/**
 * True for Slack's unsigned check of our certificate, and only if nothing else is in the body: a payload beside it would bypass the
 * signature.
 */
export function isBareSslCheck(contentType: string | undefined, body: Buffer): boolean {
  if (!isForm(contentType)) return false;
  const fields = new URLSearchParams(body.toString());
  return fields.get("ssl_check") === "1" && [...fields.keys()].every((name) => ["ssl_check", "token"].includes(name));
}

function isForm(contentType = ""): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType);
}

function fromForm(body: Buffer): unknown {
  const fields = parse(body.toString());
  return typeof fields.payload === "string" ? fromJson(fields.payload) : fields;
}

function fromJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The one HTTP answer to one request: an acknowledgement or a failure. */
interface Acknowledgement {
  /** A second call rejects. After `fail` it has no effect. */
  ack(body?: unknown): Promise<void>;
  /** Answers with a failure and returns true, unless the request was answered before. */
  fail(status: number, headers?: Record<string, string>): boolean;
}

/** Calls `onAnswered` once, with the answer. */
function createAcknowledgement(response: ServerResponse, onAnswered: () => void): Acknowledgement {
  let acknowledged = false;
  let answered = false;

  function answer(status: number, headers: Record<string, string>, content: string): boolean {
    if (answered) return false;
    answered = true;
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(content) });
    response.end(content);
    onAnswered();
    return true;
  }

  return {
    async ack(body) {
      if (acknowledged) throw new ReceiverMultipleAckError();
      const { headers, content } = contentOf(body);
      acknowledged = true;
      answer(200, headers, content);
    },
    fail: (status, headers = {}) => answer(status, headers, ""),
  };
}

function contentOf(body: unknown): { headers: Record<string, string>; content: string } {
  if (body === undefined || body === null || body === "") return { headers: {}, content: "" };
  if (typeof body === "string") return { headers: { "content-type": "text/plain; charset=utf-8" }, content: body };
  return { headers: { "content-type": "application/json; charset=utf-8" }, content: JSON.stringify(body) };
}
