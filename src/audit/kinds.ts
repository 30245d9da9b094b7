/**
 * The kinds of audit entries, each with its part in rules that need a passkey. `guarded`: under such a rule the entry contains the facts
 * that a passkey signed, since it decides an act or changes who may do what. `follows`: later, without a person, Rackbell does what a
 * guarded entry decided, and the entry repeats its assertion (`followed`). `guarded or follows`: it comes in both ways. `registers`: its own proof is
 * checked, see `PasskeyChange`. `operator`: the operator of the host did it. `free`: it lets nobody do more. A new kind does not compile
 * until it is here.
 */
export const auditKinds = {
  // Requests.
  approved: "guarded",
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

  // Responsibility for an alert or a request. A take gives no right.
  taken: "free",
  released: "free",
  "gone back": "free",
  notified: "free",
  reminded: "free",
  escalated: "free",
  unanswered: "free",
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
} as const satisfies Record<string, "guarded" | "follows" | "guarded or follows" | "registers" | "operator" | "free">;

export type AuditKind = keyof typeof auditKinds;

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
  "overridden",
  "started",
  "done",
  "unknown",
  "reconciled",
  "ended",
]);
