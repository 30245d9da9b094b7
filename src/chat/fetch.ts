import type { FetchFunction } from "@slack/web-api";
import type { Clock } from "../clock.ts";
import { faultOfStatus, SlackUnanswered } from "./errors.ts";
import { type Answered, fileLimitMs, limit, type Wire } from "./wire.ts";

/**
 * The `fetch` that Slack's own client works with: over our connections, with a time limit. The global one makes streams and signals that
 * outlive the call: under load it left more than twice the garbage in old memory. Files still go by it, since undici's takes no other's forms.
 * Throws SlackUnanswered or what the status stands for: the client passes it on as the `original` of an error of its own.
 */
export function createSlackFetch({ wire, clock }: { wire: Wire; clock: Clock }): FetchFunction {
  return async (url, init = {}) => {
    const { body } = init;
    // An upload's address is a secret, so errors call it by what it does.
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
      // The global Headers would have Node load its own fetch, a fifteenth of the start.
      headers: { get: (name) => headers[name] ?? null, entries: () => Object.entries(headers) },
      arrayBuffer: async () => new Uint8Array(content).buffer,
      json: async () => JSON.parse(content.toString()),
      text: async () => content.toString(),
    };
  };
}

async function sendFile(clock: Clock, url: string | URL, init: Parameters<FetchFunction>[1]): Promise<Answered> {
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
