import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "#zod";
import { type Handler, pathIn } from "../../process/http.ts";
import { readJson } from "../../process/json.ts";
import type { Ending, WebApp } from "./app.ts";
import { approve, approvePage } from "./approve.ts";
import { sendFile, sendJson, sendPage } from "./html.ts";
import { register, registerPage } from "./register.ts";

/** Bytes: an answer of a browser has some thousand, a certificate in it included. */
const mostBody = 64 * 1024;

const Body = z.object({
  key: z.string().max(300).optional(),
  name: z.string().max(200).optional(),
  signed: z.unknown().optional(),
  made: z.unknown().optional(),
});
type Body = z.infer<typeof Body>;

/** The pages that ask for a passkey: `GET` shows one and changes nothing, `POST` takes what the browser signed. */
export function createPages<C>(web: WebApp<C>): Record<string, Handler> {
  const { site, intake } = web;
  const isHttps = site.origin.startsWith("https:");
  const more: Record<string, string> = isHttps ? { "strict-transport-security": "max-age=31536000" } : {};

  /** A proxy that took the page over plain http says so. Whoever listens there could change it. */
  function isDowngraded({ headers }: IncomingMessage): boolean {
    return (
      isHttps &&
      String(headers["x-forwarded-proto"] ?? "https")
        .split(",")[0]
        ?.trim() !== "https"
    );
  }

  /**
   * A page of another site can send a form here, and cannot say that it is ours: the browser alone writes both headers. Under the page's
   * own referrer policy it leaves the origin out.
   */
  function isOwnPage({ headers }: IncomingMessage): boolean {
    const { origin = "null", "sec-fetch-site": from } = headers;
    return origin === site.origin || (origin === "null" && from === "same-origin");
  }

  const shows =
    (page: typeof approvePage<C>): Handler =>
    async (request, response) => {
      if (isDowngraded(request)) return refuse(response, 403, "Open this page with https.");
      const { status, page: shown } = await page(web, nonceOf(request));
      sendPage(response, status, shown, more);
    };

  const takes =
    (act: (web: WebApp<C>, nonce: string, body: Body) => Promise<Ending>): Handler =>
    async (request, response) => {
      if (isDowngraded(request)) return refuse(response, 403, "Open this page with https.");
      if (!isOwnPage(request)) return refuse(response, 403, "This address serves its own page alone.");
      const read = await intake.read(request, (bytes) => bytes, mostBody);
      const body = typeof read === "string" ? null : Body.safeParse(readJson(read.verified.toString("utf8"))).data;
      if (!body) return refuse(response, 400, "This is not what the page sends. Open the link again.");
      sendJson(response, 200, await act(web, nonceOf(request), body), more);
    };

  function refuse(response: ServerResponse, status: number, sentence: string): void {
    response.setHeader("connection", "close");
    sendJson(response, status, { title: "It was not done", text: [sentence] }, more);
  }

  const file = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url), "utf8");
  const [script, style] = [file("passkey.js"), file("passkey.css")];
  return {
    "GET /approve/*": shows(approvePage),
    "POST /approve/*": takes(approve),
    "GET /passkey/*": shows(registerPage),
    "POST /passkey/*": takes(register),
    "GET /passkey.js": (_, response) => sendFile(response, "text/javascript; charset=utf-8", script),
    "GET /passkey.css": (_, response) => sendFile(response, "text/css; charset=utf-8", style),
  };
}

/** The last part of the address. */
function nonceOf(request: IncomingMessage): string {
  return pathIn(request).split("/").at(-1) ?? "";
}
