// requests/: what changes something, from asking to its end: made, shown, checked at the press, run once, reconciled.
// May import: requests/, requests/*, policy/, policy/*, alerts/, resources/, passkeys/, audit/, notifications/, notifications/*, records/, access/, operation/, identities/, chat/, views/, webauthn/, platform/*, storage/, the clock, trace.ts.

import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import type { Binder, BoundAct, BoundOperation } from "../access/bound.ts";
import type { ReadScheduledTime } from "../access/when.ts";
import type { People } from "../chat/people.ts";
import type { Clock } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import type { Origin } from "../notifications/origin.ts";
import type { Reply } from "../notifications/reply.ts";
import type { Answer } from "../operation/answer.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Store } from "../storage/store.ts";
import type { RequestChecks } from "./checks.ts";
import type { PasskeyGate } from "./facets/passkey/gate.ts";
import type { Repeats } from "./repeats.ts";
import type { Request } from "./request.ts";
import type { Rules } from "./rules.ts";
import type { RequestStore } from "./store.ts";
import type { Visibilities } from "./visibility.ts";

/** All that the steps of a request work with. */
export interface RequestsApp {
  store: Store;
  requests: RequestStore;
  run: RequestRun;
  rules: Rules;
  checks: RequestChecks;
  visibilities: Visibilities;
  repeats: Repeats;
  reconcile: Reconcile;
  say: StateAnswers;
  registry: Registry;
  identities: Identities;
  access: Access;
  binder: Binder;
  people: People;
  gate: PasskeyGate;
  reply: Reply;
  readScheduledTime: ReadScheduledTime;
  clock: Clock;
  log: Logger;
  /** Milliseconds in which a request can be decided. */
  ttl: number;
}

/** Runs a claimed request once, and stores the outcome. */
export interface RequestRun {
  /** Resolves to the request afterwards, with the error if the act failed. */
  run(
    request: Request,
    act: BoundAct,
    /** The outcome of the previous refusal; empty if there was none. */
    refusedWith?: string,
  ): Promise<{ request: Request; error?: unknown }>;
  /** Stores the result of an accepted call. Resolves to null if another process took a step first. */
  finish(request: Request, bound: BoundOperation, answer: Answer): Promise<Request | null>;
  /** Offers the generated secrets although nobody knows whether the act took effect. */
  offerInCase(request: Request, operation: PlatformOperation): Promise<void>;
  /** Words an error for everybody who reads the request. A 404 is explained by the state of the target. */
  errorOf(request: Request, bound: BoundOperation, error: unknown): Promise<string>;
  isRunning(id: string): boolean;
}

/** Checks the outcome of a request that nobody knows. It only reads, and never runs anything again. */
export interface Reconcile {
  /** Checks once. Resolves to the time of the next check (milliseconds since the epoch), or undefined when the outcome is known. */
  look(request: Request): Promise<number | undefined>;
  /** Checks once before the same is sent again. If it was done, the request ends, and this resolves to true. */
  wasDone(request: Request, bound: BoundOperation): Promise<boolean>;
}

/** Answers presses that change nothing: no press stays without an answer. */
export interface StateAnswers {
  /** Tells the present state. */
  state(id: string, origin: Origin): Promise<void>;
  /** The same, unless the presser's modal shows the request anyway. */
  unseen(id: string, origin: Origin): Promise<void>;
  /** Tells the state after a lost answer to a press. `lead`: says how it was lost. */
  lost(id: string, origin: Origin, lead: string): Promise<void>;
  /** Tells that another act is being sent for the same resource. */
  locked(holder: unknown, origin: Origin): Promise<void>;
}
