import { buildConnector, Client, Pool } from "undici";
import type { Clock } from "../../clock.ts";
import { exchange, type HttpRequest, type HttpResponse } from "./exchange.ts";

/** One shared error for closing served connections. Without it undici makes an error for each, and Node builds its stack each time. */
const served = new Error("This connection has served its one request");

export interface Connections {
  /** Sends over a connection that earlier requests may have used: for reads. */
  keepAlive(request: HttpRequest): Promise<HttpResponse>;
  /** Sends over a new connection that is closed after this one request: for writes. */
  singleUse(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** The connections to one origin. */
export function createConnections(origin: string, connectMs: number, clock: Clock): Connections {
  // HTTP/2 would put reads and writes on one long-lived connection. The clock limits the whole call, so undici's own timers are off.
  const options = {
    connect: buildConnector({ timeout: connectMs, allowH2: false }),
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const pool = new Pool(origin, { ...options, connections: 64 });

  return {
    keepAlive: (request) => exchange(pool, request, clock),
    // The server may close an idle connection unnoticed. A write on such a connection fails without showing whether the server read it.
    // On its own connection a write is either never sent or sent exactly once.
    singleUse(request) {
      const connection = new Client(origin, { ...options, pipelining: 0 });
      return exchange(connection, request, clock, () => void connection.destroy(served));
    },
    async close() {
      if (!pool.closed) await pool.close();
    },
  };
}
