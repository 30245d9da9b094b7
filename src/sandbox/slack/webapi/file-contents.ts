import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, sendText } from "../wire/http.ts";
import type { PracticeFile, Workspace } from "../workspace/workspace.ts";

/** `/files/upload/<id>` takes an upload, `/files/<id>/<name>` gives a file to the app (bot token) and to the page. */
export async function serveFile(
  workspace: Workspace,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, first = "", second = ""] = path.split("/").slice(1);
  if (request.method === "POST") return takeUpload(workspace.files.get(second), request, response);
  const file = workspace.files.get(first);
  if (!file || !mayRead(workspace, request)) return sendText(response, 404, "There is no such file.");
  response.writeHead(200, {
    "content-type": file.mimetype,
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    "content-length": file.content.length,
  });
  response.end(file.content);
}

/** A browser on this machine has no token: the page may read every file. An app needs its scope. */
function mayRead(workspace: Workspace, request: IncomingMessage): boolean {
  const { authorization } = request.headers;
  if (authorization === undefined) return request.headers["sec-fetch-site"] !== undefined;
  return authorization === `Bearer ${workspace.botToken}` && workspace.scopes.has("files:read");
}

async function takeUpload(file: PracticeFile | undefined, request: IncomingMessage, response: ServerResponse) {
  const content = contentOf(await readBody(request), request.headers["content-type"] ?? "");
  if (!file || file.content.length > 0) return sendText(response, 404, "There is no such upload.");
  if (content.length !== file.size) return sendText(response, 400, "The length is not the one that was announced.");
  file.content = content;
  sendText(response, 200, `OK - ${content.length}`);
}

/** The first part of a multipart body, or the body itself. */
function contentOf(body: Buffer, type: string): Buffer {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary === undefined) return body;
  const start = body.indexOf("\r\n\r\n") + 4;
  const end = body.indexOf(`\r\n--${boundary}`, start);
  return start < 4 || end < 0 ? Buffer.alloc(0) : body.subarray(start, end);
}
