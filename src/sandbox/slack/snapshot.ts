import type { Responses } from "./delivery/response-urls.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** The state of a workspace, from which another one can continue: its people, its messages and views, and the open interactions. */
export type WorkspaceSnapshot = ReturnType<typeof snapshotOf>;

export function snapshotOf(workspace: Workspace, responses: Responses) {
  const { users, channels, ephemerals, modals, homes, files, usergroups, quiet, phones, violations } = workspace;
  const { teamId, otherTeamId, appId, botId, botUserId, botToken, appToken, signingSecret, verificationToken } =
    workspace;
  return structuredClone({
    users,
    channels,
    ephemerals,
    modals,
    homes,
    files,
    usergroups,
    quiet,
    phones,
    violations,
    teamId,
    otherTeamId,
    appId,
    botId,
    botUserId,
    botToken,
    appToken,
    signingSecret,
    verificationToken,
    responses: responses.snapshot(),
  });
}

/** Restores the state in a new workspace. Its clock must show a later time, or two messages would bear the same timestamp. */
export function restore(snapshot: WorkspaceSnapshot, workspace: Workspace, responses: Responses): void {
  const { responses: issued, ...rest } = structuredClone(snapshot);
  Object.assign(workspace, rest);
  responses.restore(issued);
}
