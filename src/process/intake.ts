import type { IncomingMessage } from "node:http";
import type { Clock } from "./clock.ts";

/** The reason why there is no body. "crowded out": it was the oldest unfinished one when memory for bodies ran out. */
export type UnreadReason = "too large" | "too slow" | "crowded out" | "broken off";

/** Limits for requests whose signature is not verified yet. */
export interface IntakeLimits {
  /** Of all unverified bodies together; one sender may use a tenth of it. */
  bytes: number;
  bodyBytes: number;
  /** Milliseconds from the end of the headers to the end of the body. */
  wholeMs: number;
}

/** Reads the bodies of signed requests. All unverified bodies share one memory limit. */
export interface Intake {
  /**
   * Passes the raw body to `verify`, and resolves with its result, or with the reason why there is no body. Rejects only with an error of
   * `verify`. The body counts as unverified until `verify` has ended. `mostBytes` can lower the limit per body.
   */
  read<T>(
    request: IncomingMessage,
    verify: (body: Buffer) => T | Promise<T>,
    mostBytes?: number,
  ): Promise<{ verified: T } | UnreadReason>;
}

/** 32 MB: behind a proxy all senders share one address, and a tenth must still hold three of the largest bodies. */
const usual: IntakeLimits = { bytes: 32 * 1024 * 1024, bodyBytes: 1024 * 1024, wholeMs: 5_000 };

interface Unfinished {
  sender: string;
  bytes: number;
  give(up: UnreadReason): void;
}

/**
 * If memory runs out, the oldest unfinished body gives way. Refusing new ones would let slow senders lock Slack and the supplier out,
 * whose bodies arrive within milliseconds.
 */
export function createIntake({ clock, limits }: { clock: Clock; limits?: Partial<IntakeLimits> }): Intake {
  const { bytes: most, bodyBytes, wholeMs } = { ...usual, ...limits };
  /** Oldest first. */
  const unfinished = new Set<Unfinished>();
  const bySender = new Map<string, number>();
  let total = 0;

  function take(sender: string, bytes: number): void {
    total += bytes;
    const taken = (bySender.get(sender) ?? 0) + bytes;
    if (taken > 0) bySender.set(sender, taken);
    else bySender.delete(sender);
  }

  function makeRoom(sender: string): void {
    while ((bySender.get(sender) ?? 0) > most / 10 || total > most) {
      const isOver = (bySender.get(sender) ?? 0) > most / 10;
      const oldest = unfinished.values().find((one) => one.bytes > 0 && (!isOver || one.sender === sender));
      if (!oldest) return;
      oldest.give("crowded out");
    }
  }

  function receiveBody(request: IncomingMessage, sender: string, mostBytes: number): Promise<Buffer | UnreadReason> {
    return new Promise((resolve) => {
      // Copy the chunks: a slice of a few bytes would keep the socket's whole read buffer in memory.
      let held: Buffer = Buffer.alloc(0);
      const callOff = clock.after(wholeMs, () => one.give("too slow"));
      const one: Unfinished = {
        sender,
        bytes: 0,
        give(up) {
          if (!end()) return;
          take(sender, -one.bytes);
          held = Buffer.alloc(0);
          request.pause();
          resolve(up);
        },
      };

      function end(): boolean {
        callOff();
        return unfinished.delete(one);
      }

      unfinished.add(one);
      request.on("data", (chunk: Buffer) => {
        if (!unfinished.has(one)) return;
        if (one.bytes + chunk.length > mostBytes) return one.give("too large");
        held = appended(held, one.bytes, chunk, mostBytes);
        one.bytes += chunk.length;
        take(sender, chunk.length);
        makeRoom(sender);
      });
      request.on("end", () => {
        if (end()) resolve(held.subarray(0, one.bytes));
      });
      request.on("error", () => one.give("broken off"));
      request.on("close", () => one.give("broken off"));
    });
  }

  return {
    async read(request, verify, mostBytes = bodyBytes) {
      if (Number(request.headers["content-length"] ?? 0) > mostBytes) return "too large";
      const sender = senderOf(request.socket.remoteAddress ?? "");
      const body = await receiveBody(request, sender, mostBytes);
      if (typeof body === "string") return body;
      try {
        return { verified: await verify(body) };
      } finally {
        take(sender, -body.length);
      }
    },
  };
}

/** `held`, filled up to `length`, with `chunk` appended. If it has no room left, a copy of twice the size. */
function appended(held: Buffer, length: number, chunk: Buffer, most: number): Buffer {
  const needed = length + chunk.length;
  const into = needed <= held.length ? held : Buffer.allocUnsafe(Math.min(most, Math.max(needed, 2 * held.length)));
  if (into !== held) held.copy(into, 0, 0, length);
  chunk.copy(into, length);
  return into;
}

/** The sender that limits are counted for: an IPv4 address, or the /64 prefix that one customer of a provider has for themselves. */
function senderOf(address: string): string {
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
