import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import { signatureOf } from "../../../src/platform/reseller/signing.ts";
import { connect, json, makeResellerKey, type Practice, type Reply, type Seen, startServer } from "../server.ts";

/** A made-up signing secret. */
export const secret = "0f".repeat(32);

/** One call of an endpoint: the request that it must send, the platform's answer, and the expected result. */
export interface Call {
  name: string;
  call: (client: ResellerClient<string>) => Promise<unknown>;
  /** Method, path and query, below the reseller base. */
  sends: string;
  body?: unknown;
  /** The status of the answer; 200 by default. */
  status?: number;
  /** `data` of the answer. */
  answer?: unknown;
  /** Fields beside `data`. */
  beside?: object;
  /** The whole answer, where it has no envelope. */
  reply?: Reply;
  gives?: unknown;
}

/** The real client, with a server that answers with `reply`. */
export async function open(
  reply: Reply,
): Promise<{ client: ResellerClient<string>; practice: Practice; key: string; seen: Seen[] }> {
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

/** True where a request has the signature over its own timestamp and its exact bytes. */
export function isSigned({ headers, text }: Seen): boolean {
  return headers["x-reseller-signature"] === signatureOf(secret, `${headers["x-reseller-timestamp"]}.${text}`);
}
