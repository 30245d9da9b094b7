import { createHmac } from "node:crypto";
import { Pool } from "undici";

/** The address for deliveries, and the secret that signs them. */
export interface Address {
  origin: string;
  path: string;
  secret: string;
}

let sent = 0;

/** Sends deliveries over so many connections for `ms`, each of them new and signed; gives how many a second were taken. */
export function deliver(address: Address, connections: number, ms: number): Promise<number> {
  const began = performance.now();
  return send(address, connections, () => performance.now() - began < ms);
}

/** Sends `most` deliveries over so many connections. */
export async function deliverAll(address: Address, connections: number, most: number): Promise<void> {
  let left = most;
  await send(address, connections, () => left-- > 0);
}

async function send({ origin, path, secret }: Address, connections: number, goesOn: () => boolean): Promise<number> {
  const pool = new Pool(origin, { connections, keepAliveTimeout: 60_000 });
  const began = performance.now();
  let taken = 0;
  async function sender(): Promise<void> {
    while (goesOn()) {
      const { body, headers } = nextDelivery(secret);
      const answer = await pool.request({ path, method: "POST", headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`A delivery was met with ${answer.statusCode}`);
      taken += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, sender));
  const seconds = (performance.now() - began) / 1_000;
  await pool.close();
  return taken / seconds;
}

function nextDelivery(secret: string): Signed {
  sent += 1;
  const ids = { serviceId: `service-${sent}`, orderId: `order-${sent}`, externalOrderId: `bench-${sent}` };
  const data = { ...ids, status: "active", serverIp: "192.0.2.7", hostname: `host-${sent}.example.com` };
  return signed(secret, { id: `delivery-${sent}`, event: "service.provisioned", data });
}

interface Signed {
  body: string;
  headers: Record<string, string>;
}

/** An event as the reseller spec, section 6, lays it out, dated now; the second signature is for who expects GitHub's header. */
export function signed(secret: string, { id, event, data }: { id: string; event: string; data: object }): Signed {
  const now = new Date().toISOString();
  const body = JSON.stringify({ event, timestamp: now, data });
  const digest = createHmac("sha256", secret).update(body).digest("hex");
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-webhook-signature": `hmac-sha256=${digest}`,
      "x-hub-signature-256": `sha256=${digest}`,
      "x-webhook-event": event,
      "x-webhook-id": id,
      "x-webhook-timestamp": now,
    },
  };
}
