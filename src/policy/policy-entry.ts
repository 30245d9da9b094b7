import type { Audit } from "../audit/audit.ts";
import type { AuditKind } from "../audit/kinds.ts";
import type { PolicyActor } from "./policy.ts";

/** Returns a function that makes the audit entry of a change of the rules. */
export function policyEntry(audit: Audit) {
  return ({ member, slackUser, keyLabel, assertion }: PolicyActor, what: AuditKind, outcome: string) =>
    audit.entryOf(
      {
        ...{ id: "policy", command: "rackbell policy", target: null, decidedBy: null },
        keyLabel,
        member,
        slackUser,
        outcome,
      },
      { what, ...(assertion ? { assertion } : {}) },
    );
}
