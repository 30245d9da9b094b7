import { unmarked } from "../views/text.ts";
import type { AuditEntry } from "./entry.ts";

/** The version of the Open Cybersecurity Schema Framework whose API Activity class (6003) an entry is written in. */
const schemaVersion = "1.6.0";

const succeeded = { status_id: 1, status: "Success" };
const failed = { status_id: 2, status: "Failure" };
/** The OCSF status of entries that record an end; for other entries the status is their event. */
const ends = new Map<string, object>([
  ["done", succeeded],
  ["refused", failed],
  ["unknown", { status_id: 0, status: "Unknown" }],
]);

/** An entry as an OCSF event for a log collector. Facts for which the class has no field are in `unmapped`. */
export function ocsfOf({ id, at, entry }: { id: string; at: number; entry: AuditEntry }): object {
  const { what, member, slackUser, approver, keyLabel, command, target, outcome, request, reason, agent } = entry;
  const { passkeys, assertion } = entry;
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
    ...(ends.get(what) ?? { status_id: 99, status: what }),
    message: unmarked(outcome),
    actor: { user: { uid: member, name: slackUser } },
    src_endpoint: { name: "Slack" },
    api: {
      operation: command,
      service: { name: "Rackbell" },
      ...(request === null ? {} : { request: { uid: request } }),
    },
    ...(target === null ? {} : { resources: [{ uid: target.id, name: target.name }] }),
    unmapped: {
      key_label: keyLabel,
      ...(approver === null ? {} : { decided_by: approver }),
      ...(reason ? { reason } : {}),
      ...(agent ? { agent } : {}),
      ...(passkeys ? { passkeys } : {}),
      ...(assertion ? { assertion } : {}),
    },
  };
}
