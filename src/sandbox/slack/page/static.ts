import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname } from "node:path";
import { sendText } from "../wire/http.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** The libraries of the page, as the ES modules that their packages hold, and its font for emoji. */
const vendor: Record<string, string> = {
  "/vendor/preact.js": "preact",
  "/vendor/preact-hooks.js": "preact/hooks",
  "/vendor/htm.js": "htm",
  "/vendor/twemoji.woff2": "twemoji-colr-font/twemoji.woff2",
};

const pageFolder = new URL("../../page/", import.meta.url);

/** Serves a file of the page; 404 for what is none. */
export async function serveStatic(path: string, response: ServerResponse): Promise<void> {
  const file = fileOf(path);
  const content = file && (await readFile(file).catch(() => undefined));
  if (!file || !content) return sendText(response, 404, "There is nothing here.");
  response.writeHead(200, {
    "content-type": types[extname(file.pathname)] ?? "application/octet-stream",
    "cache-control": "no-cache",
  });
  response.end(content);
}

function fileOf(path: string): URL | undefined {
  const library = vendor[path];
  if (library !== undefined) return new URL(import.meta.resolve(library));
  if (path === "/") return new URL("index.html", pageFolder);
  const inFolder = /^\/([\w-]+(?:\/[\w-]+)*\.(?:html|js|css|svg|png))$/.exec(path)?.[1];
  return inFolder === undefined ? undefined : new URL(inFolder, pageFolder);
}
