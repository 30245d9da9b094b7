import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import { signatureOf } from "../../../src/platform/reseller/signing.ts";
import { connect, json, makeResellerKey, type Practice, type Reply, type Seen, startServer } from "../server.ts";

/** A signing secret that is nobody's. */
export const secret = "0f".repeat(32);

/** One call of an endpoint's function: what it must send, what the platform answers, and what is made of that. */
export interface Call {
  name: string;
  call: (client: ResellerClient) => Promise<unknown>;
  /** Method, path and query, below the reseller base. */
  sends: string;
  body?: unknown;
  /** The status of the answer, where that is not 200. */
  status?: number;
  /** `data` of the answer. */
  answer?: unknown;
  /** What stands beside it. */
  beside?: object;
  /** What is answered where that is no envelope. */
  reply?: Reply;
  gives?: unknown;
}

/** The real client on a server that answers as `reply` says. */
export async function open(
  reply: Reply,
): Promise<{ client: ResellerClient; practice: Practice; key: string; seen: Seen[] }> {
  const { url, seen } = await startServer(reply);
  const practice = connect(url);
  const key = makeResellerKey();
  return { client: practice.reseller({ key, signingSecret: secret }), practice, key, seen };
}

/** The answer of a call. */
export function replyOf({ reply, status = 200, answer, beside = {} }: Call): Reply {
  return reply ?? ((response) => json(response, status, { success: true, data: answer, ...beside }));
}

/** A refusal as the reseller API makes it. */
export function refuse(status: number, error: unknown, beside: object = {}, headers: Record<string, string> = {}) {
  return (response: Parameters<typeof json>[0]) =>
    json(response, status, { success: false, error, ...beside }, headers);
}

/** Whether a request bears the signature over its own timestamp and the exact bytes that came. */
export function isSigned({ headers, text }: Seen): boolean {
  return headers["x-reseller-signature"] === signatureOf(secret, `${headers["x-reseller-timestamp"]}.${text}`);
}
