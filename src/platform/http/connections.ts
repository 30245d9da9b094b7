import { buildConnector, Client, Pool } from "undici";
import type { Clock } from "../../clock.ts";
import { exchange, type HttpRequest, type HttpResponse } from "./exchange.ts";

/** What ends a connection that has served its request, before undici does: it makes an error for each, and Node writes out the stack. */
const served = new Error("This connection has served its one request");

export interface Connections {
  /** Over a connection that may have been used before: for reads. */
  keepAlive(request: HttpRequest): Promise<HttpResponse>;
  /** Over a connection that serves this one request and dies with it: for writes. */
  singleUse(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** The connections to one origin. */
export function createConnections(origin: string, connectMs: number, clock: Clock): Connections {
  // HTTP/2 would put reads and writes on one long-lived connection. The clock limits the whole call, so undici's own timers rest.
  const options = {
    connect: buildConnector({ timeout: connectMs, allowH2: false }),
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const pool = new Pool(origin, { ...options, connections: 64 });

  return {
    keepAlive: (request) => exchange(pool, request, clock),
    // The other side may close a kept connection unnoticed. A write that is put on it fails without saying whether it was read; on
    // its own connection it either never leaves or is sent exactly once.
    singleUse(request) {
      const connection = new Client(origin, { ...options, pipelining: 0 });
      return exchange(connection, request, clock, () => void connection.destroy(served));
    },
    async close() {
      if (!pool.closed) await pool.close();
    },
  };
}
