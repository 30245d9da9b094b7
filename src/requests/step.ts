import { isDeepStrictEqual } from "node:util";
import type { EntryEvent } from "../audit/audit.ts";
import type { Assertion } from "../process/webauthn/assertion.ts";
import type { RequestsApp } from "./app.ts";
import { findApprovers } from "./audience.ts";
import { operationOf } from "./checks.ts";
import { type FoundApprovers, foundAnew } from "./facets/approvers/record.ts";
import { withoutDecision } from "./facets/override/record.ts";
import { type Amendment, type NewRequest, Request } from "./request.ts";
import {
  type Cell,
  cellOf,
  hasParts,
  type PressEvent,
  type RequestEvent,
  type RequestState,
  stateAfter,
  states,
} from "./states.ts";
import {
  type Claim,
  type RequestStoreApp,
  readRequest,
  type StepTimers,
  stepAlong,
  storeFirst,
  storeInstead,
  storeStep,
} from "./store.ts";

/** A step stores these in its transaction beside the request: timers, and words for the audit log. */
export interface StepExtras extends StepTimers {
  /**
   * The outcome in the audit entry, if it differs from the request's own. A cell that words the outcome itself goes first: a caller's
   * "nobody decided it" would hide that the act may be done.
   */
  auditOutcome?: string;
  /** The platform's ids of what the act made. */
  made?: string[];
  /** The facts that the passkey of the decider signed. */
  assertion?: Assertion | undefined;
  /** A request that does a part of this one: both are stored in one transaction, so that no crash leaves one alone. */
  part?: NewRequest | null;
  /** A new request takes this along. */
  claim?: Claim | undefined;
  /** Those who may decide it, found anew. */
  found?: FoundApprovers | null;
}

/** The Slack id of the person who pressed. A step that a person causes does not compile without it; null where it came about by itself. */
interface Press {
  by: string | null;
}

/** The extras of an event. */
type ExtrasOf<E extends RequestEvent> = E extends PressEvent ? [extras: StepExtras & Press] : [extras?: StepExtras];

/**
 * Moves a request by the table of its states: the only way to another state. The request is as the caller read it, since the caller's
 * checks rest on that. Resolves to null if the event changes nothing in this state, or if another process stored a step first.
 *
 * An amendment of other fields is no reason to give up: an event of the supplier's is often attached in the same moment in which a poll
 * sees the end of the job, and the poll that lost its step would leave the request "being carried out" for ever.
 */
export async function step<E extends RequestEvent>(
  app: RequestStoreApp,
  request: Request,
  event: E,
  change: Amendment = {},
  ...[extras]: ExtrasOf<E>
): Promise<Request | null> {
  const {
    auditOutcome,
    by,
    made,
    assertion,
    part = null,
    found,
    ...timers
  }: StepExtras & Partial<Press> = extras ?? {};
  const cell = cellOf(event, request);
  if (!cell) return null;
  const outcomes = outcomesAfter(cell, request, change);
  const next = {
    ...erasures(cell, { ...request, ...change, ...outcomes }),
    ...calledAgain(cell, request, app.clock.now()),
    ...change,
    ...outcomes,
    state: stateAfter(cell, { ...request, ...change, state: request.state }),
  };
  const about = auditOutcome === undefined || cell.outcome ? {} : { outcome: auditOutcome };
  const along = {
    ...timers,
    note: {
      what: cell.entry,
      ...(by ? { by } : {}),
      ...about,
      ...resultOf({ ...request, ...next }, request.state),
      ...(made ? { made } : {}),
      ...(assertion ? { assertion } : {}),
    },
    silent: cell.silent ?? false,
  };
  for (let read = request; ; ) {
    const stored = await storeStep(
      app,
      read,
      { ...next, ...renewed(read, found) },
      along,
      part && firstOf("begin", part),
    );
    if (stored) return stored;
    const newest = await readRequest(app, request.id);
    if (!newest || !isAmendedBeside(request, newest, next)) return null;
    read = newest;
  }
}

/** Milliseconds. An edit notifies nobody: a requester who waited longer than this gets a reply. */
export const worthReplyMs = 20_000;

/**
 * When people are notified that it waits again. A member who confirms alone has just pressed, unless the outcome was looked for, or its
 * backup or its time came first. Before the first approval nobody had decided.
 */
function calledAgain({ calls, erases = [] }: Cell, request: Request, now: number): Pick<Amendment, "reopened"> {
  const { mode, state, approvals, backupFirst, decidedAt } = request;
  const wasDecided = mode === "peer" && (state !== "pending" || approvals.length > 0);
  const hasBackup = backupFirst?.step === "taken" || backupFirst?.step === "acting";
  const isLate = hasBackup || (decidedAt !== null && now - decidedAt > worthReplyMs);
  if (!calls || !(state === "unknown" || wasDecided || (mode === "self" && isLate))) return {};
  return { reopened: { at: now, erased: erases.includes("decision") && approvals.length > 0 } };
}

function renewed({ approvers }: Request, found: FoundApprovers | null | undefined): Amendment {
  return approvers && found ? { approvers: foundAnew(approvers, found) } : {};
}

/** Each event that calls people again. */
type CallingEvent = "reopen" | "takeBackApproval" | "askAboutRepeat";

/** A step that calls people again finds them anew: one of them may have lost the right since. */
export async function stepAgain(
  app: RequestsApp,
  request: Request,
  event: CallingEvent,
  change: Amendment,
  extras: StepExtras & Partial<Press> = {},
): Promise<Request | null> {
  const found = await findAnew(app, request);
  return step<CallingEvent>(app, request, event, change, { by: null, ...extras, found });
}

/** Null without approvers, or after an error: then those who were found before are called. */
async function findAnew(app: RequestsApp, request: Request): Promise<FoundApprovers | null> {
  const operation = operationOf(app, request);
  if (!operation || request.approvers === null) return null;
  try {
    return await findApprovers(app, request, operation);
  } catch (error) {
    app.log.warn({ err: error, request: request.id }, "Could not find the approvers of a request that waits again");
    return null;
  }
}

/** The outcome for all who see the request, and the one for its requester alone, which ends with the next outcome. */
function outcomesAfter(
  { outcome: words }: Cell,
  request: Request,
  change: Amendment,
): Pick<Request, "outcome" | "ownOutcome"> {
  const outcome = words ? words(change.outcome ?? "", request) : (change.outcome ?? request.outcome);
  return { outcome, ownOutcome: change.ownOutcome ?? (outcome === request.outcome ? request.ownOutcome : null) };
}

/** True if no step was stored since the request was read, and no field of the change was amended. */
function isAmendedBeside(request: Request, newest: Request, change: Partial<Request>): boolean {
  if (newest.version !== request.version || newest.state !== request.state) return false;
  const fields = Request.keyof().options.filter((field) => field in change);
  return fields.every((field) => isDeepStrictEqual(newest[field], request[field]));
}

type FirstEvent = "ask" | "begin" | "schedule" | "leaveOut" | "leaveUndone";

/** Stores a new request in the state that its first event leads to. */
export async function begin(
  app: RequestStoreApp,
  event: FirstEvent,
  request: NewRequest,
  extras: StepExtras = {},
): Promise<Request> {
  const { first, along } = firstOf(event, request, extras);
  return storeFirst(app, first, along);
}

/** The end of a request that another one takes the place of. `by`: the Slack id of the person who did that. */
interface Instead {
  event: "replace" | "narrow";
  by: string;
  change: Amendment & { outcome: string };
}

/**
 * The same in the place of a waiting request, which ends in the same transaction: of the two, only one can ever run. Resolves to null if that
 * request took another step first.
 */
export async function beginInstead(
  app: RequestStoreApp,
  before: Request,
  request: NewRequest,
  { change, event, by, ...extras }: StepExtras & Instead,
): Promise<Request | null> {
  const cell = cellOf(event, before);
  if (!cell) return null;
  const { first, along } = firstOf("ask", request, extras);
  const ended = { ...erasures(cell, before), ...change, state: stateAfter(cell, before) };
  const note = {
    what: cell.entry,
    by,
    outcome: change.outcome,
    ...resultOf({ ...before, ...ended }, before.state),
  };
  return storeInstead(app, first, along, stepAlong(app, before, ended, { note }));
}

function firstOf(event: FirstEvent, request: NewRequest, { auditOutcome, ...timers }: StepExtras = {}) {
  const cell = cellOf(event, null);
  if (!cell) throw new Error(`No request begins with ${event}`);
  const state = stateAfter(cell, { ...request, state: "pending" });
  const about = auditOutcome === undefined ? {} : { outcome: auditOutcome };
  const note = { what: cell.entry, ...about, ...resultOf({ ...request, state }) };
  return {
    first: { ...request, ...erasures(cell, request), state },
    along: { ...timers, note, silent: cell.silent ?? false },
  };
}

/** The result that a new state records in the audit entry. A step within a state has none, nor one after which the parts are still to be sent. */
function resultOf(
  { state, endUnknown, bulk, backupFirst }: Pick<Request, "state" | "endUnknown" | "bulk" | "backupFirst">,
  before?: RequestState,
): Pick<EntryEvent, "result"> {
  const { result } = states[state];
  if (state === before || result === null || (state === "working" && hasParts({ bulk, backupFirst }))) return {};
  return { result: result === "success" && endUnknown ? "accepted" : result };
}

/** The parts of the request that a cell erases. `outcome`: with which it comes to its next state. */
function erasures(
  { erases = [] }: Cell,
  {
    input,
    proof,
    overrides,
    unsettled,
    outcome,
  }: Pick<Request, "input" | "proof" | "overrides" | "unsettled" | "outcome">,
): Amendment {
  const [isInput, isForm, isDecision] = [
    erases.includes("input"),
    erases.includes("form"),
    erases.includes("decision"),
  ];
  return {
    ...((isInput || isForm) && {
      input: { ...input, ...(isInput && { sealed: null }), ...(isForm && { again: null }) },
    }),
    ...((isInput || isDecision) && {
      proof: proof && { ...proof, ...(isInput && { salt: null }), ...(isDecision && { by: [] }) },
    }),
    ...(isDecision && {
      ...{ approvals: [], decidedBy: null, decidedAt: null, deferred: null },
      // A later check may find that its sending was done after all: the next decision ends it.
      overrides: unsettled ? overrides : withoutDecision(overrides, outcome),
    }),
    ...(erases.includes("claim") && { instance: null }),
  };
}
