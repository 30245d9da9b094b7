import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { SlackContext } from "./actor/composer.ts";
import type { Sockets } from "./delivery/socket.ts";
import { servePage } from "./page/api.ts";
import { serveStatic } from "./page/static.ts";
import { serveFile } from "./webapi/file-contents.ts";
import { serveApi } from "./webapi/serve.ts";
import type { FaultInjector } from "./wire/faults.ts";
import { readBody, readJson, sendJson, sendText } from "./wire/http.ts";

export interface ServerContext extends SlackContext {
  sockets: Sockets;
  faults: FaultInjector;
  log: Logger | undefined;
}

/** Routes each request by the first part of its path; what nobody expected is a 500 and a log line. */
export function answerRequest(context: ServerContext, request: IncomingMessage, response: ServerResponse): void {
  route(context, request, response).catch((error: unknown) => {
    context.log?.error({ err: error }, "practice Slack could not answer");
    if (!response.headersSent) sendText(response, 500, "The practice workspace could not answer.");
  });
}

async function route(context: ServerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const [, first = ""] = url.pathname.split("/");
  if (first === "api") return answerApi(context, url.pathname.replace("/api/", ""), request, response);
  if (first === "commands" || first === "actions") return answerResponse(context, url.pathname, request, response);
  if (first === "files") return serveFile(context.workspace, url.pathname, request, response);
  if (first === "page") return servePage(context, url, request, response);
  return serveStatic(url.pathname, response);
}

async function answerApi(
  context: ServerContext,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { workspace, triggers, events, sockets, faults, log } = context;
  const forMethods = { workspace, triggers, events, socketUrl: sockets.newUrl };
  const answer = await serveApi(method, { request, response }, await readBody(request), forMethods, faults);
  if (!answer) return;
  const { status, headers, body } = answer;
  log?.debug({ method, outcome: body.ok === true ? "ok" : body.error }, "practice Slack was called");
  sendJson(response, body, status, headers);
}

async function answerResponse(
  { responses, faults }: ServerContext,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  const broken = faults.meetResponseUrl();
  if (broken !== undefined) return sendText(response, broken, "");
  const { status, error } = responses.answer(path, body);
  if (error === undefined) sendText(response, status, "ok");
  else sendJson(response, { ok: false, error }, status);
}
