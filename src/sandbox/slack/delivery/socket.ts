import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { systemClock } from "../../../process/clock.ts";
import type { DisconnectReason } from "../wire/faults.ts";
import { newSecret } from "../wire/ids.ts";
import { isObject, objectAt, parseJson, textAt } from "../wire/json.ts";
import type { DeliveryResult, Envelope } from "./envelope.ts";

const patience = 3_000;
const pingEvery = 10_000;

export interface Sockets {
  /** An address to connect to, once (`apps.connections.open`). */
  newUrl(): string;
  send(envelope: Envelope): Promise<DeliveryResult>;
  count(): number;
  onConnect(listener: () => void): () => void;
  drop(): void;
  refresh(reason: DisconnectReason): void;
  say(text: string): void;
  /** From now on so many dead connections are counted, and take their turn: what is sent to one is lost. */
  holdGhosts(count: number): void;
  /** The sockets that are open answer pings from now on, and get no payload; until the returned function is called. */
  deafen(): () => void;
  close(): void;
}

/** Socket Mode on an HTTP server: hello, envelopes, acknowledgements. A payload goes to one of the open sockets. */
export function createSockets(server: Server, appId: string, base: () => string): Sockets {
  const socketServer = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const open = new Set<WebSocket>();
  const waiting = new Map<string, { socket: WebSocket; settle: (result: DeliveryResult) => void }>();
  const listeners = new Set<() => void>();
  const deaf = new Set<WebSocket>();
  let turn = 0;
  let ghosts = 0;

  server.on("upgrade", (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname !== "/socket" || !tickets.delete(searchParams.get("ticket") ?? "")) {
      raw.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    socketServer.handleUpgrade(request, raw, head, greet);
  });

  function greet(socket: WebSocket): void {
    open.add(socket);
    const stopPings = keepPinging(socket);
    socket.on("message", (data) => acknowledge(String(data)));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      stopPings();
      forget(socket);
    });
    socket.send(
      JSON.stringify({ type: "hello", num_connections: open.size + ghosts, connection_info: { app_id: appId } }),
    );
    for (const listener of listeners) listener();
  }

  function forget(socket: WebSocket): void {
    open.delete(socket);
    deaf.delete(socket);
    for (const { socket: other, settle } of waiting.values()) {
      if (other === socket) settle({ acked: false, error: "operation_timeout", reason: "connection_closed" });
    }
  }

  function acknowledge(text: string): void {
    const message = parseJson(text);
    if (!isObject(message)) return;
    const pending = waiting.get(textAt(message, "envelope_id") ?? "");
    pending?.settle({ acked: true, answer: objectAt(message, "payload") });
  }

  function send(envelope: Envelope): Promise<DeliveryResult> {
    const sockets = [...open];
    turn += 1;
    const at = turn % Math.max(1, sockets.length + ghosts);
    const socket = sockets[at];
    const isSwallowed = socket ? deaf.has(socket) : sockets.length > 0;
    // Slack waits three seconds for an acknowledgement; this one does not.
    if (isSwallowed) {
      const listening = open.size - deaf.size;
      return Promise.resolve({ acked: false, error: "operation_timeout", reason: "timeout", listening });
    }
    if (!socket) return Promise.resolve({ acked: false, error: "dispatch_failed", reason: "connection_failed" });
    const envelope_id = randomUUID();
    return new Promise((resolve) => {
      const callOff = systemClock.after(patience, () =>
        settle({ acked: false, error: "operation_timeout", reason: "timeout" }),
      );
      function settle(result: DeliveryResult): void {
        callOff();
        waiting.delete(envelope_id);
        resolve(result);
      }
      waiting.set(envelope_id, { socket, settle });
      socket.send(JSON.stringify(frameOf(envelope_id, envelope)));
    });
  }

  return {
    newUrl() {
      const ticket = newSecret(12);
      tickets.add(ticket);
      return `${base().replace(/^http/, "ws")}/socket?ticket=${ticket}&app_id=${appId}`;
    },
    send,
    count: () => open.size,
    onConnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drop() {
      for (const socket of open) {
        forget(socket);
        socket.terminate();
      }
    },
    refresh(reason) {
      for (const socket of open) {
        socket.send(JSON.stringify({ type: "disconnect", reason }));
        // It only says that another end is near: the app is to close it.
        if (reason === "warning") continue;
        open.delete(socket);
        socket.close(1000);
      }
    },
    say(text) {
      for (const socket of open) socket.send(text);
    },
    holdGhosts(count) {
      ghosts = count;
    },
    deafen() {
      const sockets = [...open];
      for (const socket of sockets) deaf.add(socket);
      return () => {
        for (const socket of sockets) deaf.delete(socket);
      };
    },
    close() {
      for (const socket of socketServer.clients) socket.terminate();
      socketServer.close();
    },
  };
}

function frameOf(envelope_id: string, { type, payload, retry }: Envelope): Record<string, unknown> {
  const common = { envelope_id, type, payload, accepts_response_payload: type !== "events_api" };
  if (type !== "events_api") return common;
  return { ...common, retry_attempt: retry?.attempt ?? 0, retry_reason: retry?.reason ?? "" };
}

function keepPinging(socket: WebSocket): () => void {
  let callOff = systemClock.after(pingEvery, ping);
  function ping(): void {
    socket.ping();
    callOff = systemClock.after(pingEvery, ping);
  }
  return () => callOff();
}
