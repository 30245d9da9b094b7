import { once } from "node:events";
import { createConnection, createServer } from "node:net";

// Below the range from which Linux takes the ports of outgoing connections and of `listen(0)`: the tests that run beside this one open
// thousands of those a second, and one of them took the port before the process that was started for it listened.
const lowest = 20_000;
const highest = 32_000;

/** A port on which nothing listens now, and which the system gives to nobody by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

/** True if something listens there by now. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
