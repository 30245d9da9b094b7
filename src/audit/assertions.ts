import type { Assertion } from "../webauthn/assertion.ts";
import { isSignedBy } from "../webauthn/check.ts";
import type { AuditEntry, PasskeyChange } from "./entry.ts";
import { auditKinds } from "./kinds.ts";

/** The reason why the passkey of an entry does not prove it. */
export type AssertionFault =
  /** No earlier entry registered the key to that member, or one removed it. */
  | "not registered"
  /** The passkey signed something else, or another passkey signed it. */
  | "not signed"
  /** The signature is right, and is for another entry. */
  | "another's"
  /** The entry registers or removes a passkey without the proof that this takes. */
  | "not proven";

type Registered = Extract<PasskeyChange, { is: "registered" }>;

/** Entries that follow from a decision later, without a person: they repeat that decision's assertion. */
const repeats = Object.entries(auditKinds).flatMap(([kind, use]) =>
  use === "follows" || use === "guarded or follows" ? [kind] : [],
);

/**
 * Checks the passkeys of the entries, which come from the oldest to the newest. It needs the entries alone: no store, no key of ours, no
 * network. `isWhole`: no older entries were cut off, so that every key in use was registered in these.
 */
export function createAssertionCheck({ isWhole }: { isWhole: boolean }) {
  /** The keys that are registered so far, by member and credential. */
  const registered = new Map<string, Registered>();
  const signatures = new Set<string>();
  let checked = 0;
  let unknown = 0;

  async function faultOf(entry: AuditEntry): Promise<AssertionFault | null> {
    const { assertion, passkeys = [] } = entry;
    const fault = assertion ? await assertionFault(entry, assertion) : null;
    if (fault) return fault;
    for (const change of passkeys) {
      if (change.is === "removed") registered.delete(keyOf(change));
      else if (!isProven(change, entry)) return "not proven";
    }
    for (const change of passkeys) if (change.is === "registered") registered.set(keyOf(change), change);
    return null;
  }

  async function assertionFault(entry: AuditEntry, assertion: Assertion): Promise<AssertionFault | null> {
    if (!isFor(entry, assertion)) return "another's";
    const isRepeated = signatures.has(assertion.signature);
    if (isRepeated && repeats.includes(entry.what)) return null;
    if (isRepeated) return "another's";
    const key = registered.get(keyOf(assertion));
    if (!key && isWhole) return "not registered";
    if (!key) {
      unknown += 1;
      return null;
    }
    if (!(await isSignedBy(assertion, { id: key.credential, publicKey: key.publicKey }, key))) return "not signed";
    signatures.add(assertion.signature);
    checked += 1;
    return null;
  }

  /** A linked key proves the first passkey alone. Another one is proven by a passkey of the same member, or by an admin's. */
  function isProven({ member, proof, credential }: Registered, { assertion }: AuditEntry): boolean {
    const own = [...registered.values()].filter((each) => each.member === member);
    if ([...registered.values()].some((each) => each.credential === credential)) return false;
    if (proof === "key") return own.length === 0;
    return assertion !== undefined && (assertion.member === member) === (proof === "passkey");
  }

  return {
    faultOf,
    /** How many assertions were proven, and how many have a key whose registration was cut off. */
    counts: () => ({ checked, unknown }),
  };
}

/** True if the signed facts are those of the entry: its decider, and its request or command. */
function isFor({ member, decidedBy, request, command, what }: AuditEntry, assertion: Assertion): boolean {
  if (assertion.member !== (decidedBy ?? member)) return false;
  const isOfRequest = assertion.subject === request;
  const isOfCommand = `${assertion.subject} `.startsWith(`${command} `);
  if (!isOfRequest && !isOfCommand) return false;
  return !isOfRequest || (what === "glass broken") === (assertion.decision === "override");
}

function keyOf({ member, credential }: { member: string; credential: string }): string {
  return `${member} ${credential}`;
}
