import type { FetchFunction } from "@slack/web-api";
import { parseJson, wellFormedJson } from "../../platform/http/json.ts";
import { faultOfStatus } from "./errors.ts";
import { fileLimitMs, type Wire } from "./wire.ts";

/**
 * The `fetch` for Slack's own client: over our connections, with their limits. The global fetch makes streams and signals that outlive
 * the call; under load they doubled the old garbage. Throws SlackUnanswered or the fault of the status; the client passes it on as its
 * error's `original`.
 */
export function createSlackFetch({ wire }: { wire: Wire }): FetchFunction {
  return async (url, { headers: given, body = "" } = {}) => {
    // The URL of an upload is a secret, so errors name the call by its purpose.
    const method = typeof body === "string" ? (new URL(url).pathname.split("/").at(-1) ?? "") : "files.upload";
    const sent = typeof body === "string" ? { headers: {}, body } : await encoded(body);
    const to = { method, url: String(url) };
    const { status, headers, content } = await wire.send({ ...to, ...sent, headers: { ...given, ...sent.headers } });
    if (status !== 200) throw faultOfStatus(method, status, headers["retry-after"]);
    const text = () => content.toString();
    return {
      ok: true,
      status,
      statusText: "",
      url: String(url),
      // Using the global Headers would load Node's own fetch: a fifteenth of the start.
      headers: { get: (name) => headers[name] ?? null, entries: () => Object.entries(headers) },
      arrayBuffer: async () => new Uint8Array(content).buffer,
      json: async () => parseJson(text()),
      text: async () => wellFormedJson(text()),
    };
  };
}

/** A form with a file as the bytes of its body, which may take longer to send. */
async function encoded(form: FormData) {
  const response = new Response(form);
  const headers = { "content-type": response.headers.get("content-type") ?? "" };
  return { headers, body: Buffer.from(await response.arrayBuffer()), limitMs: fileLimitMs };
}
