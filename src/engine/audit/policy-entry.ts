import type { Changer } from "../policy/policy.ts";
import type { Audit } from "./audit.ts";

/** The line of the audit that goes with a change of the policy. */
export function policyEntry(audit: Audit) {
  return ({ member, slackUser }: Changer, what: string, outcome: string) =>
    audit.entryOf(
      {
        ...{ id: "policy", command: "rackbell policy", target: null, keyLabel: "", decidedBy: null },
        member,
        slackUser,
        outcome,
      },
      { what },
    );
}
