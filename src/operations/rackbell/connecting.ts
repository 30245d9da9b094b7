import type { Whose } from "../../engine/answers/refusal-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import type { WorkspaceSecretName } from "../../identities/workspace.ts";
import type { Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/asking.ts";
import { Refusal } from "../../operation/errors.ts";

/** Refuses who is no admin of the workspace; asked live. */
export async function requireAdmin({ access }: AppContext, actor: Actor): Promise<void> {
  if (!(await access.isAdmin(actor.slackUser)))
    throw new Refusal("Only an admin of this workspace can do this. Nothing changed.");
}

export const titles: Record<WorkspaceSecretName, string> = {
  "signing-secret": "The signing secret",
  "reseller-reader": "The reseller reading key",
  "customer-reader": "The customer reading key",
};

/** The words for a key that belongs to the workspace. */
export const nobodys: Whose = { key: "the key", account: "The account", links: false };

/** The way to have the supplier send events here, which asks first since it replaces the address that they have. */
export function addressSteps({ webhookUrl }: AppContext): Step[] {
  if (webhookUrl === null) return [];
  return [
    { label: "Receive events here…", command: "reseller webhook address", input: { url: webhookUrl, test: true } },
  ];
}

/** Keeps for the audit what an admin did to the connection. */
export function noteConnection(context: AppContext, actor: Actor, what: string, outcome: string): Promise<void> {
  return noteAdmin(context, actor, { command: "rackbell connect", what, outcome });
}

/** Keeps for the audit what an admin did for the whole workspace. */
export function noteAdmin(
  { audit }: AppContext,
  { member, slackUser, keyLabel }: Actor,
  done: { command: string; what: string; outcome: string },
): Promise<void> {
  return audit.note({ ...done, member, slackUser, keyLabel, approver: null, target: null, request: null });
}
