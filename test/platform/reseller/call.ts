import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import { signatureOf } from "../../../src/platform/reseller/signing.ts";
import type { Call } from "../calls.ts";
import { connect, json, makeResellerKey, type Practice, type Reply, type Seen, startServer } from "../server.ts";

/** A made-up signing secret. */
export const secret = "0f".repeat(32);

export type ResellerCall = Call<ResellerClient<string>>;

/** The real client, with a server that answers with `reply`. */
export async function open(
  reply: Reply,
): Promise<{ client: ResellerClient<string>; practice: Practice; key: string; seen: Seen[] }> {
  const { url, seen } = await startServer(reply);
  const practice = connect(url);
  const key = makeResellerKey();
  return { client: practice.reseller({ key, signingSecret: secret }), practice, key, seen };
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
