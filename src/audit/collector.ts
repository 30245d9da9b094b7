import { createHmac } from "node:crypto";
import type { Clock } from "../process/clock.ts";
import { createExchanges, ExchangeFailed } from "../process/exchange.ts";
import { CollectorFault, type Deliver } from "./stream.ts";

const limitMs = 20_000;
/** Only the status of an answer counts. */
const mostBytes = 100_000;

/**
 * Posts audit entries to the collector's URL, signed as Standard Webhooks: `webhook-signature` covers the id, this attempt's time and the
 * body. Redirects are not followed, so that entries reach the configured address only. `deliver` throws CollectorFault.
 */
export function createCollector(options: { url: string; secret: Buffer; clock: Clock }): {
  deliver: Deliver;
  close(): Promise<void>;
} {
  const { url, secret, clock } = options;
  const { origin, pathname, search } = new URL(url);
  const exchanges = createExchanges({ clock });

  async function post(id: string, body: string): Promise<number> {
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    };
    const request = { origin, path: pathname + search, method: "POST", headers, body, limitMs, mostBytes };
    const { status } = await exchanges.send(request).catch(statusOfLong);
    return status;
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
    close: exchanges.close,
  };
}

/** An answer that is too long has a status all the same. */
function statusOfLong(error: unknown): { status: number } {
  if (error instanceof ExchangeFailed && error.failing === "too long" && error.status !== undefined)
    return { status: error.status };
  throw error;
}
