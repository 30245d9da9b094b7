import type { ServerResponse } from "node:http";
import type { Json } from "./json.ts";

/** A method's own answer, with its status and headers. */
export interface ApiAnswer {
  status: number;
  headers?: Record<string, string>;
  body: Json;
}

/** Sends what it likes. `own` has Slack carry out the call, and gives the answer that it would send. */
export type SendByHand = (response: ServerResponse, own: () => ApiAnswer, method: string) => void;

/** Slack's reasons to end a connection: it may end soon, it ends now, or Socket Mode was turned off. */
export type DisconnectReason = "warning" | "refresh_requested" | "link_disabled";

export interface Faults {
  /** Answers 429 with Retry-After; `*` stands for every method. `every`: 2 leaves every other call alone. */
  rateLimit(method: string, seconds: number, times?: number, every?: number): void;
  fail(method: string, error: string, times?: number): void;
  failHttp(method: string, status: number, times?: number): void;
  /** Cuts the connection in place of an answer; nothing was done. */
  reset(method: string, times?: number): void;
  /** Carries out the request, and cuts the connection in place of the answer. */
  lose(method: string, times?: number): void;
  /** Answers calls by hand. */
  answer(method: string, send: SendByHand, times?: number): void;
  /** Leaves calls without an answer until the returned function is called. */
  hangApi(method: string, times?: number): () => void;
  failResponseUrls(status: number, times?: number): void;
  /** Delivers payloads and ignores that they are acknowledged: a time-out at once. */
  loseAck(times?: number): void;
  /** Delivers the next event twice. */
  repeatEvents(): void;
  /** Cuts all sockets without a goodbye. */
  dropSocket(): void;
  /** Asks the app to connect anew, as Slack does every few hours; or says by the `reason` that Socket Mode was turned off. */
  refreshSocket(reason?: DisconnectReason): void;
  /**
   * From now on Slack counts so many dead connections of the app, as after a bad network, and spreads payloads over them, too. What goes
   * there is lost.
   */
  holdGhosts(count: number): void;
  /** The open sockets answer pings, and deliver nothing until the returned function is called. */
  deafenSocket(): () => void;
  /** Sends a text over every socket as it is, envelope or not. */
  sayOverSocket(text: string): void;
  clear(): void;
}

export type ApiFault =
  | { kind: "rateLimit"; seconds: number }
  | { kind: "fail"; error: string }
  | { kind: "http"; status: number }
  | { kind: "reset" }
  | { kind: "lose" }
  | { kind: "send"; send: SendByHand }
  | { kind: "hang"; released: Promise<void> };

export interface FaultInjector extends Faults {
  /** The fault that this call meets, if one is set; it is used up. */
  meet(method: string): ApiFault | undefined;
  meetResponseUrl(): number | undefined;
  takeLostAck(): boolean;
  takeRepeat(): boolean;
}

interface Planned {
  method: string;
  left: number;
  /** Of so many calls that could meet it, the last one does. */
  every: number;
  seen: number;
  fault: ApiFault;
}

/** Faults that a story sets for the requests that come next. */
export function createFaults(sockets: {
  drop(): void;
  refresh(reason: DisconnectReason): void;
  holdGhosts(count: number): void;
  deafen(): () => void;
  say(text: string): void;
}): FaultInjector {
  let planned: Planned[] = [];
  let responseUrls: number[] = [];
  let lostAcks = 0;
  let repeats = 0;
  let hears: (() => void)[] = [];

  function plan(method: string, left: number, fault: ApiFault, every = 1): void {
    planned.push({ method, left, every, seen: 0, fault });
  }

  return {
    rateLimit: (method, seconds, times = 1, every = 1) => plan(method, times, { kind: "rateLimit", seconds }, every),
    fail: (method, error, times = 1) => plan(method, times, { kind: "fail", error }),
    failHttp: (method, status, times = 1) => plan(method, times, { kind: "http", status }),
    reset: (method, times = 1) => plan(method, times, { kind: "reset" }),
    lose: (method, times = 1) => plan(method, times, { kind: "lose" }),
    answer: (method, send, times = 1) => plan(method, times, { kind: "send", send }),
    hangApi(method, times = Number.POSITIVE_INFINITY) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const fault: ApiFault = { kind: "hang", released: promise };
      plan(method, times, fault);
      return () => {
        planned = planned.filter((other) => other.fault !== fault);
        resolve();
      };
    },
    failResponseUrls(status, times = 1) {
      responseUrls.push(...Array.from({ length: times }, () => status));
    },
    loseAck(times = 1) {
      lostAcks += times;
    },
    repeatEvents() {
      repeats += 1;
    },
    dropSocket: () => sockets.drop(),
    refreshSocket: (reason = "refresh_requested") => sockets.refresh(reason),
    holdGhosts: (count) => sockets.holdGhosts(count),
    deafenSocket: () => {
      const hear = sockets.deafen();
      hears.push(hear);
      return hear;
    },
    sayOverSocket: (text) => sockets.say(text),
    clear() {
      planned = [];
      responseUrls = [];
      lostAcks = 0;
      repeats = 0;
      for (const hear of hears) hear();
      hears = [];
    },
    meet(method) {
      const found = planned.find((other) => other.left > 0 && (other.method === method || other.method === "*"));
      if (!found) return undefined;
      found.seen += 1;
      if (found.seen % found.every !== 0) return undefined;
      found.left -= 1;
      return found.fault;
    },
    meetResponseUrl: () => responseUrls.shift(),
    takeLostAck() {
      if (lostAcks === 0) return false;
      lostAcks -= 1;
      return true;
    },
    takeRepeat() {
      if (repeats === 0) return false;
      repeats -= 1;
      return true;
    },
  };
}
