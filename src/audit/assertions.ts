import { canonicalJson } from "../process/json.ts";
import { type Assertion, isTimely, type RegisteredPasskey, type Statement } from "../process/webauthn/assertion.ts";
import { isSignedBy } from "../process/webauthn/check.ts";
import type { AuditEntry } from "./entry.ts";
import { auditKinds, followedBy, unopposed } from "./kinds.ts";

/** The reason why the passkey of an entry does not prove it. */
export type AssertionFault =
  /** No earlier entry registers the passkey: it was cut off, or never was. */
  | "not registered"
  /** An earlier entry removed the passkey. */
  | "removed"
  /** The passkey signed something else, or another passkey signed it. */
  | "not signed"
  /** The signature is right, and is for another entry, or counted before. */
  | "another's"
  /** The entry registers a passkey without the proof that this takes. */
  | "not proven"
  /** It begins a member's passkeys, or replaces all of them, and the entries before it say otherwise. */
  | "not the first";

/** The faults that missing entries can cause: a whole log with one of them is forged. */
export const faultsOfGaps: readonly AssertionFault[] = ["not registered", "not the first"];

/** The guarded kinds: under a rule that needs a passkey, the entry contains what it signed. */
const guarded = new Set(
  Object.entries(auditKinds).flatMap(([kind, use]) =>
    use === "guarded" || use === "guarded or follows" ? [kind] : [],
  ),
);

/** An entry with its time. */
export interface TimedEntry {
  at: number;
  entry: AuditEntry;
}

/**
 * Checks the passkeys of the entries, which come from the oldest to the newest. It needs the entries alone: no store, no key of ours, no
 * network.
 */
export function createAssertionCheck() {
  /** All passkeys so far, by credential, and those of them that nothing removed. */
  const passkeysSoFar = new Map<string, RegisteredPasskey>();
  const present = new Set<string>();
  /** The kinds of entries in which each statement counted, by its random bytes. */
  const counted = new Map<string, string[]>();
  let workspace: string | null = null;
  let checked = 0;
  let unsigned = 0;

  async function faultOf({ at, entry }: TimedEntry): Promise<AssertionFault | null> {
    const { assertion, passkeys = [] } = entry;
    if (!assertion && guarded.has(entry.what)) unsigned += 1;
    const fault = (assertion ? await assertionFault({ at, entry }, assertion) : null) ?? passkeysFault(entry);
    if (!fault) change(passkeys);
    return fault;
  }

  function change(passkeys: NonNullable<AuditEntry["passkeys"]>): void {
    for (const { credential } of passkeys.filter(({ is }) => is === "removed")) present.delete(credential);
    for (const made of passkeys) {
      if (made.is === "removed") continue;
      passkeysSoFar.set(made.credential, made);
      present.add(made.credential);
    }
  }

  async function assertionFault(timed: TimedEntry, assertion: Assertion): Promise<AssertionFault | null> {
    const { statement } = assertion;
    const { what } = timed.entry;
    workspace ??= statement.workspace;
    const before = counted.get(statement.random) ?? [];
    const isFirst = before.length === 0;
    const fits = isFirst ? isFor(timed, statement) : isLaterFor(timed, statement);
    if (statement.workspace !== workspace || !fits || before.includes(what)) return "another's";
    const key = passkeysSoFar.get(assertion.credential) ?? ownOf(timed.entry);
    if (!key) return "not registered";
    const fault = keyFault(key, statement, { isFirst });
    if (fault) return fault;
    if (!(await isSignedBy(assertion, { id: key.credential, publicKey: key.publicKey }))) return "not signed";
    counted.set(statement.random, [...before, what]);
    if (isFirst) checked += 1;
    return null;
  }

  function keyFault(
    { credential, member, origin, rpId }: RegisteredPasskey,
    statement: Statement,
    { isFirst }: { isFirst: boolean },
  ): AssertionFault | null {
    if (member !== statement.member) return "not signed";
    // The first entry of the statement proved its passkey by then.
    if (isFirst && passkeysSoFar.has(credential) && !present.has(credential)) return "removed";
    return statement.origin === origin && statement.rpId === rpId ? null : "another's";
  }

  /**
   * The first passkey of a member is made with their linked key, and signs its own entry. A further one is signed by a passkey of the
   * same member. One in place of lost ones is signed by an admin's, and its entry removes all others. Any other removal is of one's own.
   */
  function passkeysFault({ member, assertion, passkeys = [] }: AuditEntry): AssertionFault | null {
    const [registered, ...more] = passkeys.filter((change) => change.is === "registered");
    const removed = passkeys.filter((change) => change.is === "removed");
    const whose = registered?.member ?? member;
    // Of a passkey that no entry registers, only the removal itself says whose it was.
    const owners = removed.flatMap((each) => [each.member, passkeysSoFar.get(each.credential)?.member ?? whose]);
    if (owners.some((owner) => owner !== whose)) return "not proven";
    if (!registered) return null;
    const { proof, credential } = registered;
    if (!assertion || more.length > 0 || passkeysSoFar.has(credential)) return "not proven";
    if ((assertion.statement.member === whose) === (proof === "recovery")) return "not proven";
    return isComplete(registered, removed) ? null : "not the first";
  }

  /** True if the member had no passkey before the first one, and if a recovery removes all that they had. */
  function isComplete({ member, proof }: RegisteredPasskey, removed: readonly { credential: string }[]): boolean {
    const own = [...passkeysSoFar.values()].filter((each) => each.member === member && present.has(each.credential));
    if (proof === "key" && own.length > 0) return false;
    const replaced = proof === "recovery" ? own : [];
    const isWhole = replaced.every((each) => removed.some((gone) => gone.credential === each.credential));
    return isWhole && removed.length === replaced.length;
  }

  return {
    faultOf,
    /** How many statements were proven, and how many guarded entries have none. */
    counts: () => ({ checked, unsigned }),
  };
}

/** The passkey that an entry makes a member's first one: it signs the entry itself. */
function ownOf({ passkeys = [], assertion }: AuditEntry): RegisteredPasskey | null {
  const own = passkeys.find((change) => change.is === "registered" && change.proof === "key");
  return own?.is === "registered" && own.credential === assertion?.credential ? own : null;
}

/** True if the entry says what the passkey signed, or what follows from that later. */
export function isFor(timed: TimedEntry, statement: Statement): boolean {
  return saysSigned(timed, statement, { isLater: false }) || isLaterFor(timed, statement);
}

function isLaterFor(timed: TimedEntry, statement: Statement): boolean {
  const before = followedBy(timed.entry.what);
  return before !== undefined && statement.entries.includes(before) && saysSigned(timed, statement, { isLater: true });
}

/** Compares field by field. What follows later comes about by itself, so it names no key, and may name a reason. */
function saysSigned({ at, entry }: TimedEntry, statement: Statement, { isLater }: { isLater: boolean }): boolean {
  const { what, member, slackUser, decidedBy, keyLabel, command, target, request, outcome, reason, agent, result } =
    entry;
  return (
    (isLater || (statement.entries.includes(what) && isTimely(statement, at))) &&
    decidedBy === (isLater && what === "policy changed" ? null : statement.member) &&
    member === statement.requester &&
    (member === slackUser || member.endsWith(`:${slackUser}`)) &&
    keyLabel === (isLater ? "" : statement.keyLabel) &&
    command === statement.command &&
    isSame(target, statement.target) &&
    request === statement.request &&
    isSameAgent(agent, statement.agent) &&
    result === undefined &&
    (what === "passkey recovered" || statement.outcome === null || outcome === statement.outcome) &&
    (statement.reason === null ||
      (reason ?? "") === (isLater && what === "policy changed" ? unopposed : statement.reason)) &&
    isSame(...changesOf(entry, statement))
  );
}

/** The changes of passkeys in an entry, and those that it must have. A recovery registers its passkey a day after it was approved. */
function changesOf({ what, passkeys = [] }: AuditEntry, statement: Statement): [unknown, unknown] {
  if (what === "passkey recovery approved") return [passkeys, []];
  if (what !== "passkey recovered") return [passkeys, statement.passkeys];
  return [passkeys.filter(({ is }) => is === "registered"), statement.passkeys];
}

/** The agent's reason may be its member's alone. */
function isSameAgent(agent: AuditEntry["agent"], signed: Statement["agent"]): boolean {
  if (!agent || !signed) return !agent && !signed;
  return isSame(signed.why === null ? { ...agent, why: null } : agent, signed);
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
