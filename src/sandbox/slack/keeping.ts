import type { Responses } from "./delivery/response-urls.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** The state of a workspace, from which another one can go on: its people, its messages and views, and the open interactions. */
export type KeptWorkspace = ReturnType<typeof keepWorkspace>;

export function keepWorkspace(workspace: Workspace, responses: Responses) {
  const { users, channels, ephemerals, modals, homes, files, usergroups, violations } = workspace;
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
    responses: responses.keep(),
  });
}

/** Has a new workspace go on from another. Its clock must show a later time, or two messages would bear the same timestamp. */
export function goOnFrom(kept: KeptWorkspace, workspace: Workspace, responses: Responses): void {
  const { responses: issued, ...rest } = structuredClone(kept);
  Object.assign(workspace, rest);
  responses.goOnFrom(issued);
}
