import type { Whose } from "../../access/errors/refusal-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import type { WorkspaceSecretName } from "../../identities/workspace.ts";
import type { Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal } from "../../operation/errors.ts";

/** Throws a Refusal unless the member is an admin of the workspace. Asks Slack at each call. */
export async function requireAdmin({ access }: AppContext, actor: Actor): Promise<void> {
  if (!(await access.isAdmin(actor.slackUser)))
    throw new Refusal("Only an admin of this workspace can do this. Nothing changed.");
}

export const titles: Record<WorkspaceSecretName, string> = {
  "signing-secret": "The signing secret",
  "reseller-reader": "The reseller reading key",
  "customer-reader": "The customer reading key",
};

/** The words of errors about a key that belongs to the workspace, not to a member. */
export const workspaceKeyWords: Whose = { key: "the key", account: "The account", links: false };

/** A button that makes the supplier send events here. It replaces the supplier's present address, so the operation asks first. */
export function addressSteps({ webhookUrl }: AppContext): Step[] {
  if (webhookUrl === null) return [];
  return [
    { label: "Receive events here…", command: "reseller webhook address", input: { url: webhookUrl, test: true } },
  ];
}

/** Writes an admin's act on the connection to the audit log. */
export function noteConnection(context: AppContext, actor: Actor, what: string, outcome: string): Promise<void> {
  return noteAdmin(context, actor, { command: "rackbell connect", what, outcome });
}

/** Writes an admin's act for the whole workspace to the audit log. */
export function noteAdmin(
  { audit }: AppContext,
  { member, slackUser, keyLabel }: Actor,
  done: { command: string; what: string; outcome: string },
): Promise<void> {
  return audit.note({ ...done, member, slackUser, keyLabel, approver: null, target: null, request: null });
}
