// web/passkeys/: the pages that ask for a passkey, plain HTML of our own on the app's listener.

import type { ServerResponse } from "node:http";
import type { Fact } from "../../operation/answer.ts";

/** A page in parts. All texts are plain: they are escaped here. */
export interface Page {
  title: string;
  /** Paragraphs; the first of a page with a form is its loss. */
  text: string[];
  facts?: Fact[];
  form?: { label: string; danger: boolean; fields: Field[]; kind: "sign" | "register"; options: object; note: string };
}

interface Field {
  name: "key" | "name";
  label: string;
  hint: string;
  secret: boolean;
}

/**
 * Nothing but our own script and style runs here, no page frames this one, and no address or content stays behind: the link is a
 * capability, and the form may hold a key.
 */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
};

/** `more`: headers of this deployment alone, such as those for https. */
export function sendPage(response: ServerResponse, status: number, page: Page, more: Record<string, string>): void {
  const html = htmlOf(page);
  response.writeHead(status, { ...headers, ...more, "content-length": Buffer.byteLength(html) });
  response.end(html);
}

/** The answer to the page's script. */
export function sendJson(response: ServerResponse, status: number, body: object, more: Record<string, string>): void {
  const text = JSON.stringify(body);
  const type = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...more, ...type });
  response.end(text);
}

/** A file of the pages: no secret is in it. */
export function sendFile(response: ServerResponse, type: string, content: string): void {
  const length = { "content-type": type, "content-length": Buffer.byteLength(content) };
  response.writeHead(200, { ...headers, ...length, "cache-control": "no-cache" });
  response.end(content);
}

function htmlOf({ title, text, facts = [], form }: Page): string {
  const data = form ? ` data-page="${form.kind}" data-options="${escaped(JSON.stringify(form.options))}"` : "";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escaped(title)}</title><link rel="stylesheet" href="../passkey.css"></head><body><main${data}>`,
    `<h1>${escaped(title)}</h1>`,
    ...text.map((each, at) => `<p${form && at === 0 && form.danger ? ' class="loss"' : ""}>${escaped(each)}</p>`),
    ...(facts.length > 0 ? [`<dl>${facts.map(factHtml).join("")}</dl>`] : []),
    ...(form ? [formHtml(form)] : []),
    '</main><script type="module" src="../passkey.js"></script></body></html>',
  ].join("\n");
}

function factHtml({ label, value }: Fact): string {
  return `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`;
}

function formHtml({ label, danger, fields, note }: NonNullable<Page["form"]>): string {
  return [
    '<form autocomplete="off">',
    ...fields.map(
      ({ name, label: asked, hint, secret }) =>
        `<label for="${name}">${escaped(asked)}</label><input id="${name}" name="${name}" type="${secret ? "password" : "text"}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="${secret ? 300 : 40}" aria-describedby="${name}-hint" ${secret ? "required" : ""}><div class="soft" id="${name}-hint">${escaped(hint)}</div>`,
    ),
    `<button type="submit"${danger ? ' class="danger"' : ""}>${escaped(label)}</button></form>`,
    `<p role="status" aria-live="polite"></p><p class="soft">${escaped(note)}</p>`,
    "<noscript><p>This page needs JavaScript: without it a browser asks for no passkey.</p></noscript>",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
