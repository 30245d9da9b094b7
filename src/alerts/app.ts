import type { SupplierConnection } from "../members/identities/connection.ts";
import type { AdminsApp } from "../messages/admins.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { FindActs, StoredEffect } from "../operation/effects.ts";
import type { Registry } from "../operation/registry.ts";
import type { ReachApp } from "../policy/responsibility/reach.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { LoggedApp } from "../storage/foundation.ts";

/** Timer prefix: an event that a request expects did not arrive in time. The id of the request follows. */
export const expectedEventTimer = "expect:";
/** Timer prefix: a request is done. Its id follows. */
export const doneTimer = "act-ended:";

/** A webhook event, reduced to the facts by which its cause is found. */
export interface CausedEvent {
  /** Its id in our log, its name, and when it arrived (milliseconds since the epoch). */
  id: string;
  event: string;
  at: number;
  /** The platform's ids of the order and the services. */
  about: string[];
  /** The partner's own order id: the request's id, if Rackbell made the order. */
  ownOrder: string | null;
  /** One line of mrkdwn about the event. */
  line: string;
}

/** A member's request, as far as the alerts about its events need it. */
export interface CausingRequest {
  id: string;
  slackUser: string;
  command: string;
  channel: string | null;
  target: { id: string; name: PlainText } | null;
  /** The steps that its answer offers. */
  next: readonly { command: string; target?: string | undefined }[];
  /** The platform does not report its end. */
  endUnknown: boolean;
  customer: string | null;
  order: string | null;
  effects: readonly StoredEffect[];
  /** The events that confirm it. `awaited`: the requester waits for them in front of the message. */
  expects: { first: readonly string[]; awaited: object | null } | null;
}

/** The request that caused an event. `expected`: the requester asked for just this. */
export interface Cause {
  request: CausingRequest;
  expected: boolean;
}

/** Finds the requests that cause events. The room of the requests implements it; the alerts must not know that room. */
export interface Causes {
  /** Stores the event in the request that caused it. Resolves to null if no request did. */
  attach(supplierEvent: CausedEvent): Promise<Cause | null>;
  /** Returns the request if it was sent and no expected event has arrived. */
  readUnconfirmed(id: string): Promise<CausingRequest | null>;
  /** Records that the requester was notified of the missing event. */
  noteOverdue(id: string): Promise<void>;
  /** Finds the newest acts on a resource, or that made it: they may have led to what is found of it. */
  actsOn: FindActs;
  /** Returns the request if it is done. */
  readDone(id: string): Promise<CausingRequest | null>;
  /** Polls every tracked request at once that offers this act as its next step, and removes that step. */
  pollWaiting(act: Pick<CausingRequest, "command" | "target">): Promise<void>;
  /** Has the messages of earlier requests say that this act, which they offer, is done. */
  noteLaterAct(id: string): Promise<void>;
  /** Stops expecting events. If it is too early, resolves to the time to call again (milliseconds since the epoch). */
  close(id: string): Promise<number | undefined>;
}

/** The parts of the app that the alerts work with. */
export interface AlertsApp extends LoggedApp, AdminsApp {
  people: ReachApp["people"];
  outbox: Pick<Outbox, "placeOf">;
  registry: Registry;
  causes: Causes;
  connection: Pick<SupplierConnection, "about" | "reader">;
  /** No product is read before this time, in milliseconds since the epoch. */
  productReads: { notBefore: number };
  /** The requester of a request, where everybody in the channel may know them; null otherwise. */
  requesterIn: (request: string, channel: string) => Promise<string | null>;
  /** Ends all that Rackbell keeps about a resource that is gone for good. `why`: as a sentence. */
  onGone: (id: string, why: string) => Promise<void>;
  /** Starts the feed. Never blocks and never throws. */
  wakeFeed: () => void;
}
