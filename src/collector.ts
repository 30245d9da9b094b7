import { createHmac } from "node:crypto";
import { Agent, request } from "undici";
import { CollectorFault, type Deliver } from "./audit/stream.ts";
import type { Clock } from "./clock.ts";

const limitMs = 10_000;

/**
 * Posts audit entries to the collector's URL, signed as Standard Webhooks: `webhook-signature` covers the id, this attempt's time and the
 * body. Redirects are not followed, so that entries reach the configured address only. `deliver` throws CollectorFault.
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
    // Only the status counts. Dumping the body frees the connection without reading an endless answer.
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
