import { slackUserIn } from "../members/identities/person.ts";
import { unmarked } from "../views/text.ts";
import type { ActResult, AuditEntry } from "./entry.ts";
import { type AuditKind, peopleOf } from "./kinds.ts";

/** The version of the Open Cybersecurity Schema Framework whose API Activity class (6003) an entry is written in. */
const schemaVersion = "1.6.0";

interface Status {
  status_id: number;
  status: string;
}

const statuses: Record<ActResult, Status> = {
  accepted: { status_id: 99, status: "Accepted" },
  success: { status_id: 1, status: "Success" },
  failure: { status_id: 2, status: "Failure" },
  unknown: { status_id: 0, status: "Unknown" },
};

/** The kinds that mean a result by themselves: a refusal that reopens its request ends no act, so its entry has none. */
const results: Partial<Record<AuditKind, ActResult>> = { refused: "failure", "not sent": "failure" };
const resultOfKind = new Map<string, ActResult>(Object.entries(results));

/** An entry that records no result has its kind as its status. */
function statusOf({ what, result = resultOfKind.get(what) }: AuditEntry): Status {
  return result ? statuses[result] : { status_id: 99, status: what };
}

/**
 * An entry as an OCSF event for a log collector. Facts for which the class has no field are in `unmapped`; `checkpoint`: the newest one, as
 * people note it.
 */
export function ocsfEvent(
  { id, at, entry }: { id: string; at: number; entry: AuditEntry },
  checkpoint?: string,
): object {
  const { what, member, decidedBy, keyLabel, command, target, outcome, request, reason, agent } = entry;
  const { passkeys, assertion } = entry;
  const actor = decidedBy ?? member;
  const { decider, presser } = peopleOf(entry);
  return {
    metadata: {
      version: schemaVersion,
      uid: id,
      event_code: what,
      log_name: "audit",
      product: { name: "Rackbell", vendor_name: "Rackbell" },
    },
    time: at,
    category_uid: 6,
    category_name: "Application Activity",
    class_uid: 6003,
    class_name: "API Activity",
    // An act is more than reading or writing one resource, so the command names the activity.
    activity_id: 99,
    activity_name: command,
    type_uid: 600399,
    type_name: "API Activity: Other",
    severity_id: 1,
    severity: "Informational",
    ...statusOf(entry),
    message: unmarked(outcome),
    // The person who pressed or decided is the actor. Where nobody did, it is the requester, or their agent's program.
    actor: {
      user: { uid: actor, name: slackUserIn(actor) },
      ...(agent && decidedBy === null ? { app_name: agent.client ?? agent.name, app_uid: agent.id } : {}),
    },
    src_endpoint: { name: "Slack" },
    api: {
      operation: command,
      service: { name: "Rackbell" },
      ...(request === null ? {} : { request: { uid: request } }),
    },
    ...(target === null ? {} : { resources: [{ uid: target.id, name: target.name }] }),
    unmapped: {
      key_label: keyLabel,
      requested_by: member,
      ...(decider === null ? {} : { decided_by: decider }),
      ...(presser === null ? {} : { pressed_by: presser }),
      ...(reason ? { reason } : {}),
      ...(agent ? { agent } : {}),
      ...(passkeys ? { passkeys } : {}),
      ...(assertion ? { assertion } : {}),
      ...(checkpoint ? { checkpoint } : {}),
    },
  };
}
