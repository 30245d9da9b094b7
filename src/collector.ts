import { createHmac } from "node:crypto";
import { Agent, request } from "undici";
import type { Clock } from "./clock.ts";
import { CollectorFault, type Deliver } from "./engine/audit/stream.ts";

const limitMs = 10_000;

/**
 * Posts entries to a collector's address, signed as Standard Webhooks are: `webhook-signature` is over the id, the time of this
 * attempt and the body. Redirects are not followed: the address is the one that was named, and nothing goes anywhere else.
 */
export function createCollector(options: { url: string; secret: Buffer; clock: Clock }): {
  deliver: Deliver;
  close(): Promise<void>;
} {
  const { url, secret, clock } = options;
  const dispatcher = new Agent({ connect: { timeout: limitMs }, headersTimeout: limitMs, bodyTimeout: limitMs });

  async function post(id: string, body: string): Promise<number> {
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    const { statusCode, body: answer } = await request(url, {
      method: "POST",
      dispatcher,
      signal: AbortSignal.timeout(2 * limitMs),
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      },
      body,
    });
    // What it answers with is nobody's business, and not read to its end.
    await answer.dump();
    return statusCode;
  }

  return {
    async deliver(id, body) {
      const status = await post(id, body).catch((cause: unknown) => {
        throw new CollectorFault("it does not answer", { cause });
      });
      if (status >= 300 && status < 400)
        throw new CollectorFault(`it answers ${status}, and redirects are not followed`);
      if (status < 200 || status >= 300) throw new CollectorFault(`it answers ${status}`);
    },
    close: () => dispatcher.close(),
  };
}
