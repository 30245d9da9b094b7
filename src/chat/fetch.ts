import type { FetchFunction } from "@slack/web-api";
import type { Clock } from "../clock.ts";
import { parseJson, wellFormedJson } from "../platform/http/json.ts";
import { faultOfStatus, SlackUnanswered } from "./errors.ts";
import { fileLimitMs, limit, type Wire, type WireAnswer } from "./wire.ts";

/**
 * The `fetch` for Slack's own client: over our connections, with a time limit. The global fetch makes streams and signals that outlive
 * the call; under load they doubled the old garbage. Files still use it, since undici accepts no other library's forms. Throws
 * SlackUnanswered or the fault of the status; the client passes it on as its error's `original`.
 */
export function createSlackFetch({ wire, clock }: { wire: Wire; clock: Clock }): FetchFunction {
  return async (url, init = {}) => {
    const { body } = init;
    // The URL of an upload is a secret, so errors name the call by its purpose.
    const method = typeof body === "string" ? (new URL(url).pathname.split("/").at(-1) ?? "") : "files.upload";
    const answered =
      typeof body === "string"
        ? await wire.send({ method, url: String(url), headers: { ...init.headers }, body })
        : await sendFile(clock, url, init);
    const { status, headers, content } = answered;
    if (status !== 200) throw faultOfStatus(method, status, headers["retry-after"]);
    return {
      ok: true,
      status,
      statusText: "",
      url: String(url),
      // Using the global Headers would load Node's own fetch: a fifteenth of the start.
      headers: { get: (name) => headers[name] ?? null, entries: () => Object.entries(headers) },
      arrayBuffer: async () => new Uint8Array(content).buffer,
      json: async () => parseJson(content.toString()),
      text: async () => wellFormedJson(content.toString()),
    };
  };
}

async function sendFile(clock: Clock, url: string | URL, init: Parameters<FetchFunction>[1]): Promise<WireAnswer> {
  const abort = new AbortController();
  const stopWatch = limit(clock, fileLimitMs, () => abort.abort());
  try {
    const answer = await fetch(url, { ...init, signal: abort.signal });
    const content = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), content };
  } catch (cause) {
    const why = abort.signal.aborted ? `Slack did not answer within ${fileLimitMs / 1_000} s` : "Slack gave no answer";
    throw new SlackUnanswered("files.upload", { maybeApplied: true, why, cause });
  } finally {
    stopWatch();
  }
}
