/**
 * The states of a request and every way from one to the next. `step.ts` runs this table, and nothing else writes a state.
 */

import type { ActResult } from "../audit/entry.ts";
import type { AuditKind } from "../audit/kinds.ts";
import { canNarrow, type LowerableAmount } from "./facets/narrow/record.ts";
import { isToReview } from "./facets/override/record.ts";

export type Phase = "pending" | "scheduled" | "claimed" | "unknown" | "working" | "ended";

interface StateRow {
  /** All states in which a request ended have one column in the table of events. */
  phase: Phase;
  /** The act may have reached the platform. */
  sent: boolean;
  /** The platform accepted it, so that readers of the channel see it. */
  accepted: boolean;
  /** How the act goes at the platform, for the audit log; null if nothing is known to have been sent. */
  result: ActResult | null;
  /** Nothing was sent, and the requester may want to ask again. */
  again: boolean;
  /**
   * When the requester gets a message of its own, since an edit notifies nobody. `late`: if another member decided it, or it took long.
   */
  notifies: "never" | "always" | "late" | "if another did it";
  /** Marks it in messages. */
  mark: string;
  /** Says of a request in a list how far it is, to readers who may not see more. */
  listed: string;
}

const open = { accepted: false, result: null, again: false, notifies: "never", listed: "is still open" } as const;
const ended = {
  phase: "ended",
  again: false,
  notifies: "late",
  // An emergency override stays in the list until another admin reviewed it.
  listed: "has ended, and awaits a review",
} as const;
/** It ended before anything was sent. */
const unsent = { ...ended, sent: false, accepted: false, result: null } as const;

const rows = {
  // It waits for a decision.
  pending: { ...open, phase: "pending", sent: false, mark: ":raised_hand:", listed: "awaits a decision" },
  // A process claimed it, and sends it.
  claimed: { ...open, phase: "claimed", sent: true, mark: ":hourglass_flowing_sand:" },
  // It was sent, and nobody knows the outcome.
  unknown: { ...open, phase: "unknown", sent: true, result: "unknown", mark: ":grey_question:" },
  // It was decided, and is scheduled for later.
  scheduled: { ...open, phase: "scheduled", sent: false, mark: ":calendar:", listed: "is scheduled" },
  // The platform accepted it, and it is under way there.
  working: {
    ...open,
    phase: "working",
    sent: true,
    accepted: true,
    result: "accepted",
    mark: ":hourglass_flowing_sand:",
  },
  // It succeeded.
  done: { ...ended, sent: true, accepted: true, result: "success", mark: ":white_check_mark:" },
  // It was accepted, and failed.
  failed: { ...ended, sent: true, accepted: true, result: "failure", mark: ":x:" },
  // It was accepted, and tracking ended early.
  left: { ...ended, sent: true, accepted: true, result: "unknown", mark: ":grey_question:" },
  // The platform refused it.
  refused: { ...ended, sent: false, accepted: false, result: "failure", mark: ":x:" },
  // It never reached the platform, or the platform shows that it was not done.
  undone: { ...ended, sent: false, accepted: false, result: "failure", mark: ":x:" },
  // It was sent, and nobody could find out the outcome.
  undecided: { ...ended, sent: true, accepted: false, result: "unknown", mark: ":grey_question:" },
  // Nobody decided it in time.
  expired: { ...unsent, again: true, notifies: "always", mark: ":alarm_clock:" },
  // A member denied it.
  denied: { ...unsent, again: true, mark: ":no_entry_sign:" },
  // A member withdrew it.
  withdrawn: { ...unsent, notifies: "if another did it", mark: ":wastebasket:" },
  // Something that it relies on changed.
  void: { ...unsent, again: true, mark: ":no_entry_sign:" },
} as const satisfies Record<string, StateRow>;
export type RequestState = keyof typeof rows;
export const states: Record<RequestState, StateRow> = rows;
export const stateNames = Object.keys(rows).filter((name): name is RequestState => name in rows);

/** The fields of a request that the table looks at, beside its state. */
export interface StateFacts {
  state: RequestState;
  mode: "none" | "self" | "peer";
  /** `passkey`: one proved the decision, and with it the time. */
  ruling: { passkey: boolean };
  /** It was sent once, and that may still have its effect. */
  unsettled: { found: "unknown" | "not done" } | null;
  backupFirst: { step: "offered" | "chosen" | "taking" | "taken" | "acting" } | null;
  bulk: { stopped: string | null; outcomes: readonly unknown[] } | null;
  form: { amount: LowerableAmount | null; rows: number } | null;
  overrides: readonly { reviewedBy: string | null }[];
}

/** The person who may cause an event. A timer or an answer of the platform needs no right. */
export type Presser =
  | "a member who may decide it"
  | "the requester, or a member who may decide it"
  | "an admin, by the rule"
  | "the requester, for another time"
  | "the requester, about its backup"
  | "the requester or an admin"
  | "the requester, an approver or an admin"
  | "another admin";

export interface Cell {
  /** "begun": claimed, or working if requests of its own do its work, so that it sends nothing itself. */
  to: RequestState | "same" | "begun";
  /** The cell is for such requests alone. Of several cells the first that fits counts. */
  when?: (request: StateFacts) => boolean;
  /** The right that the presser needs; checked before the step. */
  by?: Presser;
  /** The kind of its audit entry. */
  entry: AuditKind;
  /**
   * `input`: the sealed input, with its salt. `form`: the input without secrets that "Ask again" opens. `decision`: the approvals, their passkeys, who decided, and a deferral; an override stays, and decides no more, unless its outcome is unknown. `claim`:
   * the process that claimed it.
   */
  erases?: readonly ("input" | "form" | "decision" | "claim")[];
  /** No reader could see a difference, so no message is updated. */
  silent?: true;
  /** It waits for a decision that there was before, or a part of it: an edit of its message notifies nobody. */
  calls?: true;
  /** Words the outcome, and with it the audit entry, from the reason. */
  outcome?: (reason: string, request: StateFacts) => string;
}

/** The answer in every state that an event has no cell for. */
type Otherwise =
  // The presser gets an answer that names the state of the request.
  | "answered"
  // It came too late to matter: another process was first.
  | "ignored";

interface Row extends Partial<Record<Phase | "new", Cell | readonly Cell[]>> {
  otherwise: Otherwise;
}

const isUnsettled = ({ unsettled }: StateFacts) => unsettled !== null;
/** The backup is being taken, or was, and the act has not begun. */
export const isBeforeMainAct = ({ backupFirst }: Pick<StateFacts, "backupFirst">) =>
  backupFirst?.step === "taking" || backupFirst?.step === "taken";
/** Requests of their own do its work now: one for each target, or the backup. */
export const hasParts = ({ bulk, backupFirst }: { bulk: object | null } & Pick<StateFacts, "backupFirst">) =>
  bulk !== null || isBeforeMainAct({ backupFirst });
const isActing = (request: StateFacts) => !isBeforeMainAct(request);
const isForRequester = ({ mode }: StateFacts) => mode === "self";
const isForOthers = ({ mode, unsettled }: StateFacts) => mode === "peer" && unsettled === null;
const mayMoveAlone = ({ mode, ruling }: StateFacts) => mode !== "peer" && !ruling.passkey;
const isRunningBulk = ({ bulk }: StateFacts) => bulk !== null && bulk.stopped === null;

export const firstUnknown = "The outcome of the first attempt stays unknown";
const firstNotDone = "The first attempt was not done so far, and may still arrive";
/** Says of a request that was sent once how that stands, without a full stop. */
export const firstWords = ({ unsettled }: Pick<StateFacts, "unsettled">) =>
  unsettled?.found === "not done" ? firstNotDone : firstUnknown;

/** It was sent once, so it must not count as "nothing was done". */
const notSentAgain = {
  to: "undecided",
  when: isUnsettled,
  entry: "not sent again",
  erases: ["input"],
  outcome: (reason: string, request: StateFacts) =>
    `It was not sent again. ${reason} ${firstWords(request)}: check the resource yourself before you ask again.`,
} as const satisfies Cell;

const reviewed = { to: "same", when: isToReview, by: "another admin", entry: "reviewed" } as const;

const accepted = { erases: ["input", "form", "claim"] } as const;

export const events = {
  // How a request comes to be.
  ask: { new: { to: "pending", entry: "asked" }, otherwise: "ignored" },
  begin: { new: { to: "begun", entry: "begun", silent: true }, otherwise: "ignored" },
  // A target of a bulk request to which nothing was sent: it is stored, so that lists and counts have it.
  leaveOut: { new: { to: "void", entry: "void", erases: ["input"] }, otherwise: "ignored" },

  // Caused by members.
  approveInPart: {
    pending: { to: "pending", by: "a member who may decide it", entry: "approved in part" },
    otherwise: "answered",
  },
  approve: {
    pending: [
      { to: "begun", when: isForRequester, by: "a member who may decide it", entry: "confirmed" },
      { to: "begun", by: "a member who may decide it", entry: "approved" },
    ],
    otherwise: "answered",
  },
  override: {
    pending: { to: "begun", by: "an admin, by the rule", entry: "overridden" },
    otherwise: "answered",
  },
  schedule: {
    new: { to: "scheduled", entry: "scheduled" },
    pending: { to: "scheduled", by: "a member who may decide it", entry: "scheduled" },
    otherwise: "answered",
  },
  // Those who approved it did not know of the other order.
  askAboutRepeat: {
    pending: { to: "pending", entry: "asked again", erases: ["decision"], calls: true },
    otherwise: "answered",
  },
  // An approval was for the old time.
  move: {
    pending: { to: "pending", by: "the requester, for another time", entry: "moved", erases: ["decision"] },
    scheduled: [
      { to: "scheduled", when: mayMoveAlone, by: "the requester, for another time", entry: "moved" },
      { to: "pending", by: "the requester, for another time", entry: "moved", erases: ["decision"] },
    ],
    otherwise: "answered",
  },
  // Another act is decided then: the one with a backup before it, or without.
  chooseBackup: {
    pending: { to: "pending", by: "the requester, about its backup", entry: "backup chosen", erases: ["decision"] },
    otherwise: "answered",
  },
  leaveBackup: {
    pending: { to: "pending", by: "the requester, about its backup", entry: "backup taken back", erases: ["decision"] },
    otherwise: "answered",
  },
  // It waits until a time, and its facts are read again then.
  defer: {
    pending: { to: "pending", when: isForOthers, by: "a member who may decide it", entry: "deferred" },
    otherwise: "answered",
  },
  // A new request for less takes its place.
  narrow: {
    pending: {
      to: "withdrawn",
      when: canNarrow,
      by: "the requester, or a member who may decide it",
      entry: "narrowed",
      erases: ["input", "form"],
    },
    otherwise: "answered",
  },
  deny: {
    pending: [
      { ...notSentAgain, by: "a member who may decide it" },
      { to: "denied", by: "a member who may decide it", entry: "denied", erases: ["input"] },
    ],
    otherwise: "answered",
  },
  withdraw: {
    pending: [
      { ...notSentAgain, by: "the requester or an admin" },
      { to: "withdrawn", by: "the requester or an admin", entry: "withdrawn", erases: ["input"] },
    ],
    scheduled: {
      to: "withdrawn",
      by: "the requester, an approver or an admin",
      entry: "withdrawn",
      erases: ["input"],
    },
    // The act has not begun while its backup is taken.
    working: {
      to: "withdrawn",
      when: isBeforeMainAct,
      by: "the requester, an approver or an admin",
      entry: "withdrawn",
      erases: ["input"],
    },
    otherwise: "answered",
  },
  stopBulk: {
    working: { to: "working", when: isRunningBulk, by: "the requester, an approver or an admin", entry: "stopped" },
    otherwise: "answered",
  },
  // Another admin looked at an emergency override, in whatever state it is by then.
  review: {
    pending: reviewed,
    scheduled: reviewed,
    claimed: reviewed,
    unknown: reviewed,
    working: reviewed,
    ended: reviewed,
    otherwise: "answered",
  },

  // Another request of the same member takes its place: an added product, or a corrected value.
  replace: { pending: { to: "withdrawn", entry: "replaced", erases: ["input", "form"] }, otherwise: "ignored" },

  // Caused by changes around the request.
  expire: {
    pending: [
      { ...notSentAgain, outcome: (_, request) => notSentAgain.outcome("Nobody confirmed it in time.", request) },
      { to: "expired", entry: "expired", erases: ["input"] },
    ],
    otherwise: "ignored",
  },
  void: {
    pending: [notSentAgain, { to: "void", entry: "void", erases: ["input"] }],
    scheduled: { to: "void", entry: "void", erases: ["input"] },
    working: { to: "void", when: isBeforeMainAct, entry: "void", erases: ["input"] },
    otherwise: "ignored",
  },
  // A rule became stricter: it needs more approvals, an admin among them, or lost its override.
  tighten: { pending: { to: "pending", entry: "tightened" }, otherwise: "ignored" },
  takeBackApproval: {
    pending: { to: "pending", entry: "approval taken back", calls: true },
    scheduled: { to: "void", entry: "void", erases: ["input"] },
    otherwise: "ignored",
  },

  // A rule let an agent schedule it, which nobody decided, and the agent or that rule is gone: its owner decides.
  askOwner: { scheduled: { to: "pending", entry: "asked" }, otherwise: "ignored" },

  // The time of its deferral is over.
  resume: { pending: { to: "pending", entry: "resumed" }, otherwise: "ignored" },

  // Its run.
  start: {
    scheduled: { to: "begun", entry: "started" },
    // Its backup exists.
    working: { to: "begun", when: isBeforeMainAct, entry: "started" },
    otherwise: "ignored",
  },
  // The platform accepted it, and it is done.
  succeed: {
    pending: { ...accepted, to: "done", when: isUnsettled, entry: "reconciled" },
    claimed: { ...accepted, to: "done", entry: "done" },
    unknown: { ...accepted, to: "done", entry: "reconciled" },
    working: { to: "done", when: isActing, entry: "ended" },
    otherwise: "ignored",
  },
  // The platform accepted it, and it goes on there.
  track: {
    pending: { ...accepted, to: "working", when: isUnsettled, entry: "reconciled" },
    claimed: { ...accepted, to: "working", entry: "done" },
    unknown: { ...accepted, to: "working", entry: "reconciled" },
    otherwise: "ignored",
  },
  fail: { working: { to: "failed", when: isActing, entry: "ended" }, otherwise: "ignored" },
  // Tracking ends early; the job goes on.
  leave: { working: { to: "left", when: isActing, entry: "ended" }, otherwise: "ignored" },
  // No answer came, or a crash interrupted it: nobody knows, and it is never run again.
  loseAnswer: { claimed: { to: "unknown", entry: "unknown", erases: ["claim"] }, otherwise: "ignored" },
  // A refusal that changed nothing and may pass: everybody decides anew.
  reopen: {
    claimed: { to: "pending", entry: "refused", erases: ["decision", "claim"], calls: true },
    unknown: { to: "pending", entry: "reconciled", erases: ["decision"], calls: true },
    // Its backup was refused.
    working: { to: "pending", when: isBeforeMainAct, entry: "refused", erases: ["decision"], calls: true },
    otherwise: "ignored",
  },
  refuse: { claimed: { to: "refused", entry: "refused", erases: ["input", "claim"] }, otherwise: "ignored" },
  // Nobody refused it: it was not sent, or a check of its unknown outcome found that it was not done.
  leaveUndone: {
    new: { to: "undone", entry: "not sent", erases: ["input"] },
    claimed: { to: "undone", entry: "not sent", erases: ["input", "claim"] },
    unknown: { to: "undone", entry: "reconciled", erases: ["input"] },
    otherwise: "ignored",
  },
  giveUp: {
    claimed: { to: "undecided", when: isUnsettled, entry: "refused", erases: ["input", "claim"] },
    unknown: { to: "undecided", entry: "reconciled", erases: ["input"] },
    otherwise: "ignored",
  },
} as const satisfies Record<string, Row>;
export type RequestEvent = keyof typeof events;
/** The events that members cause: each of their presses has an answer. */
export type PressEvent = {
  [E in RequestEvent]: (typeof events)[E]["otherwise"] extends "answered" ? E : never;
}[RequestEvent];

const isPressEvent = (event: RequestEvent): event is PressEvent => events[event].otherwise === "answered";
/** All events that members cause. */
export const pressEvents: readonly PressEvent[] = Object.keys(events)
  .filter((event): event is RequestEvent => event in events)
  .filter(isPressEvent);

/** The cell of an event for a request, or for one that is new (null). Null if it has none: see `otherwise` of its row. */
export function cellOf(event: RequestEvent, request: StateFacts | null): Cell | null {
  const row: Row = events[event];
  const cells = row[request === null ? "new" : states[request.state].phase];
  if (!cells) return null;
  const all: readonly Cell[] = "to" in cells ? [cells] : cells;
  return all.find(({ when }) => !when || (request !== null && when(request))) ?? null;
}

/** The state after a cell. `request`: with all that changes in the same step. */
export function stateAfter({ to }: Cell, request: Pick<StateFacts, "state" | "bulk" | "backupFirst">): RequestState {
  if (to === "begun") return hasParts(request) ? "working" : "claimed";
  return to === "same" ? request.state : to;
}
