import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Desk } from "./actor/composer.ts";
import type { Sockets } from "./delivery/socket.ts";
import type { FaultBox } from "./faults.ts";
import { servePage } from "./page/api.ts";
import { serveStatic } from "./page/static.ts";
import { readBody, readJson, sendJson, sendText } from "./web.ts";
import { serveFile } from "./webapi/file-contents.ts";
import { serveApi } from "./webapi/serve.ts";

export interface Rooms extends Desk {
  sockets: Sockets;
  faults: FaultBox;
  log: Logger | undefined;
}

/** Leads each request to its room; what nobody expected is a 500 and a log line. */
export function answerRequest(rooms: Rooms, request: IncomingMessage, response: ServerResponse): void {
  route(rooms, request, response).catch((error: unknown) => {
    rooms.log?.error({ err: error }, "practice Slack could not answer");
    if (!response.headersSent) sendText(response, 500, "The practice workspace could not answer.");
  });
}

async function route(rooms: Rooms, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const [, room = ""] = url.pathname.split("/");
  if (room === "api") return answerApi(rooms, url.pathname.replace("/api/", ""), request, response);
  if (room === "commands" || room === "actions") return answerResponse(rooms, url.pathname, request, response);
  if (room === "files") return serveFile(rooms.workspace, url.pathname, request, response);
  if (room === "page") return servePage(rooms, url, request, response);
  return serveStatic(url.pathname, response);
}

async function answerApi(
  rooms: Rooms,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { workspace, triggers, sockets, faults, log } = rooms;
  const desk = { workspace, triggers, socketUrl: sockets.newUrl };
  const { status, headers, body } = await serveApi(method, request, await readBody(request), desk, faults);
  log?.debug({ method, outcome: body.ok === true ? "ok" : body.error }, "practice Slack was called");
  sendJson(response, body, status, headers);
}

async function answerResponse(
  { responses, faults }: Rooms,
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
