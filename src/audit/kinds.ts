type PasskeyUse = "guarded" | "follows" | "guarded or follows" | "registers" | "operator" | "free";

/** The kinds about a request or an alert: another person than its member may have a part in them (`parts`). */
const kindsOfRequests = {
  approved: "guarded",
  confirmed: "guarded",
  "approved in part": "guarded",
  scheduled: "guarded",
  overridden: "guarded",
  asked: "free",
  "asked again": "free",
  moved: "free",
  deferred: "free",
  resumed: "free",
  "backup chosen": "free",
  "backup taken back": "free",
  tightened: "free",
  "approval taken back": "free",
  denied: "free",
  withdrawn: "free",
  replaced: "free",
  narrowed: "free",
  stopped: "free",
  expired: "free",
  void: "free",
  "not sent again": "free",
  reviewed: "free",
  begun: "free",
  started: "free",
  done: "free",
  ended: "free",
  failed: "free",
  left: "free",
  refused: "free",
  "not sent": "free",
  unknown: "free",
  reconciled: "free",

  // Responsibility for it. A take gives no right.
  taken: "free",
  released: "free",
  "gone back": "free",
  notified: "free",
  reminded: "free",
  escalated: "free",
  unanswered: "free",
} as const satisfies Record<string, PasskeyUse>;

/**
 * The kinds of audit entries, each with its part in rules that need a passkey. `guarded`: under such a rule the entry contains the facts
 * that a passkey signed, since it decides an act or changes who may do what. `follows`: later, without a person, Rackbell does what a
 * guarded entry decided, and the entry repeats its assertion (`followed`). `guarded or follows`: it comes in both ways. `registers`: its own proof is
 * checked, see `PasskeyChange`. `operator`: the operator of the host did it. `free`: it lets nobody do more. A new kind does not compile
 * until it is here.
 */
export const auditKinds = {
  ...kindsOfRequests,

  // Approval rules and maintenance windows. A stricter rule takes no passkey, and a dropped proposal changes nothing.
  "policy change proposed": "guarded",
  "policy changed": "guarded or follows",
  "policy change dropped": "free",
  // A protection adds a question, and ends with its resource. Lifting one is a change of the policy.
  protected: "free",
  "protection ended": "free",
  "window added": "guarded",
  "window changed": "guarded",
  "window removed": "free",

  // Keys. Rackbell itself erases the key of somebody who left Slack.
  "key linked": "guarded",
  unlinked: "guarded",
  "key erased": "free",

  // Passkeys.
  "passkey added": "registers",
  "passkey recovery asked": "free",
  "passkey recovery approved": "guarded",
  "passkey recovery stopped": "free",
  "passkey recovered": "follows",
  "passkey removed": "guarded",
  "passkeys off": "operator",
  "passkeys on": "operator",
  "passkeys required": "operator",

  // An agent decides nothing: the rules of its member apply to it, and the rule that lets it run commands is guarded.
  "agent added": "free",
  "agent removed": "free",
  "agent resumed": "free",
  "agents off": "free",
  "agents on": "free",

  // The people of alerts and requests.
  "away set": "free",
  "away ended": "free",
  "rotation added": "free",
  "rotation changed": "free",
  "rotation removed": "free",
  "shift handed over": "free",
  "shift taken back": "free",

  // Settings of the workspace.
  connected: "free",
  disconnected: "free",
  "channel default set": "free",
  "approvals channel set": "free",
  "approver group set": "free",
  "alert channel added": "free",
  "alert channel changed": "free",
  "alert channel removed": "free",
  "alerts muted": "free",
  "alerts unmuted": "free",
  "alert format set": "free",
  "alert limits set": "free",
  "weekly report set": "free",
  "weekly report ended": "free",
  "checkpoints posted": "free",
  "checkpoints not posted": "free",
} as const satisfies Record<string, PasskeyUse>;

export type AuditKind = keyof typeof auditKinds;

/** The part of a person in an entry, as a verb. `decision`: they decided the act, now or before. `press`: they did something that decides nothing. */
type Part = { decision: string } | { press: string };

/** An emergency override is no approval, so an entry about the run itself says "decided". */
const ofRun = { decision: "decided" } as const;

/** The part of the person whom the entry names beside its member. Null: what it records came about by itself. */
const parts: Record<keyof typeof kindsOfRequests, Part | null> = {
  approved: { decision: "approved" },
  confirmed: { decision: "confirmed" },
  "approved in part": { decision: "approved" },
  scheduled: { decision: "approved" },
  overridden: { decision: "run without approval" },
  asked: null,
  "asked again": { press: "pressed" },
  moved: { press: "rescheduled" },
  deferred: { press: "deferred" },
  resumed: null,
  "backup chosen": { press: "chosen" },
  "backup taken back": { press: "taken back" },
  tightened: null,
  "approval taken back": null,
  denied: { decision: "denied" },
  withdrawn: { decision: "withdrawn" },
  replaced: { press: "changed" },
  narrowed: { decision: "narrowed" },
  stopped: { press: "stopped" },
  expired: null,
  void: null,
  "not sent again": { decision: "ended" },
  reviewed: { press: "reviewed" },
  begun: ofRun,
  started: ofRun,
  done: ofRun,
  ended: ofRun,
  failed: ofRun,
  left: ofRun,
  refused: ofRun,
  "not sent": ofRun,
  unknown: ofRun,
  reconciled: ofRun,
  taken: { press: "taken" },
  released: { press: "released" },
  "gone back": null,
  notified: null,
  reminded: null,
  escalated: null,
  unanswered: null,
};
const partOfKind = new Map<string, Part | null>(Object.entries(parts));

/** The member who decided the act, the one who pressed and decided nothing, and the verb of either. */
export function peopleOf({ what, decidedBy }: { what: string; decidedBy: string | null }) {
  const part = partOfKind.get(what) ?? null;
  if (part && "press" in part) return { decider: null, presser: decidedBy, verb: part.press };
  return { decider: decidedBy, presser: null, verb: part?.decision ?? null };
}

/** The kinds that follow, each with the guarded kind whose assertion it repeats, once. */
const followed = {
  "passkey recovered": "passkey recovery approved",
  "policy changed": "policy change proposed",
} as const satisfies Partial<Record<AuditKind, AuditKind>>;

/** The reason of a rule that takes effect by itself. */
export const unopposed = "Nobody stopped it within 24 hours.";

/** The kind that one follows, from the name of a kind; undefined if it follows none. */
export function followedBy(what: string): AuditKind | undefined {
  return new Map<string, AuditKind>(Object.entries(followed)).get(what);
}

/**
 * The kinds of entries of a command that ran or may have run: a change that is found afterwards may be its doing. Each begins a run in the
 * table of a request's states, or has its result.
 */
export const ran: ReadonlySet<string> = new Set<AuditKind>([
  "begun",
  "approved",
  "confirmed",
  "overridden",
  "started",
  "done",
  "unknown",
  "reconciled",
  "ended",
]);
