import type { Assertion } from "../webauthn/assertion.ts";
import type { Amendment, NewRequest, Request } from "./request.ts";
import { type Cell, cellOf, type RequestEvent, type RequestState } from "./states.ts";
import type { RequestStore, StepTimers } from "./store.ts";

/** A step stores these in its transaction beside the request: timers, and words for the audit log. */
export interface StepExtras extends StepTimers {
  /** The outcome in the audit entry, if it differs from the request's own. */
  said?: string;
  /** The platform's ids of what the act made. */
  made?: string[];
  /** The facts that the passkey of the decider signed. */
  assertion?: Assertion | undefined;
}

/**
 * Moves a request by the table of its states: the only way to another state. The request is as the caller read it, since the caller's
 * checks rest on that. Resolves to null if the event changes nothing in this state, or if another process stored a step first.
 */
export async function step(
  requests: RequestStore,
  request: Request,
  event: RequestEvent,
  change: Amendment = {},
  { said, made, assertion, ...timers }: StepExtras = {},
): Promise<Request | null> {
  const cell = cellOf(event, request);
  if (!cell) return null;
  const outcome = cell.outcome ? cell.outcome(change.outcome ?? "") : (change.outcome ?? request.outcome);
  const next = { ...erasures(cell), ...change, outcome, state: stateAfter(cell, request.state) };
  const about = said === undefined || cell.outcome ? {} : { outcome: said };
  return requests.storeStep(request, next, {
    ...timers,
    note: { what: cell.entry, ...about, ...(made ? { made } : {}), ...(assertion ? { assertion } : {}) },
    silent: cell.notifies === "nobody",
  });
}

/** Stores a new request in the state that its first event leads to. */
export async function begin(
  requests: RequestStore,
  event: "ask" | "begin" | "schedule" | "leaveOut" | "refuse",
  request: NewRequest,
  { said, ...timers }: StepExtras = {},
): Promise<Request> {
  const cell = cellOf(event, null);
  if (!cell) throw new Error(`No request begins with ${event}`);
  const state = stateAfter(cell, "pending");
  const note = { what: cell.entry, ...(said === undefined ? {} : { outcome: said }) };
  return requests.storeFirst(
    { ...request, ...erasures(cell), state },
    { ...timers, note, silent: cell.notifies === "nobody" },
  );
}

function stateAfter({ to }: Cell, state: RequestState): RequestState {
  return to === "same" ? state : to;
}

function erasures({ erases = [] }: Cell): Amendment {
  return {
    ...(erases.includes("input") && { sealed: null, salt: null }),
    ...(erases.includes("form") && { again: null }),
    ...(erases.includes("decision") && { approvals: [], proven: [], decidedBy: null, decidedAt: null }),
    ...(erases.includes("claim") && { instance: null }),
  };
}
