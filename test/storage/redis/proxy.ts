import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A network between an opening and its Redis, which can fail as networks do. */
export interface Proxy {
  url: string;
  /** Passes requests on and drops their answers. */
  mute(): void;
  /** Drops all answers of a connection from the first request on that contains this text. */
  muteFrom(text: string): void;
  /** Ends all connections; new ones get through whole. */
  cut(): void;
  close(): Promise<void>;
}

export async function startProxy(port: number): Promise<Proxy> {
  const pairs = new Set<[client: Socket, server: Socket]>();
  const muted = new WeakSet<Socket>();
  let trigger: string | undefined;
  const listener = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    const pair: [Socket, Socket] = [client, server];
    pairs.add(pair);
    client.on("data", (data) => {
      if (trigger !== undefined && data.includes(trigger)) muted.add(server);
      server.write(data);
    });
    server.on("data", (data) => muted.has(server) || client.write(data));
    for (const socket of pair) {
      socket.on("error", () => {});
      socket.on("close", () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");

  function cut(): void {
    trigger = undefined;
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  }

  return {
    url: `redis://127.0.0.1:${address.port}`,
    mute() {
      for (const [, server] of pairs) muted.add(server);
    },
    muteFrom(text) {
      trigger = text;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
