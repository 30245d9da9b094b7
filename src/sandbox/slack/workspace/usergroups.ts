import type { Events } from "../delivery/events.ts";
import type { Json } from "../wire/json.ts";
import type { Usergroup, Workspace } from "./workspace.ts";

/** A user group as usergroups.list and the events show it. `users`: only where they are asked for. */
export function usergroupInfo(
  { teamId }: Workspace,
  group: Usergroup,
  { users = true }: { users?: boolean } = {},
): Json {
  const { users: ids, ...facts } = group;
  return {
    ...{ ...facts, team_id: teamId, is_usergroup: true, is_subteam: true, is_external: false, auto_type: null },
    user_count: ids.length,
    ...(users ? { users: ids } : {}),
  };
}

/** Gives a group these people, in the name of a user. The app gets both events: the group as it is now, and who came and went. A group without people is switched off. */
export function setUsergroup(
  workspace: Workspace,
  events: Events,
  group: Usergroup,
  { users, by }: { users: string[]; by: string },
): void {
  const added = users.filter((id) => !group.users.includes(id));
  const removed = group.users.filter((id) => !users.includes(id));
  const now = Math.floor(workspace.clock.now() / 1_000);
  const before = group.date_update;
  Object.assign(group, { users, updated_by: by, date_update: now, date_delete: users.length === 0 ? now : 0 });
  workspace.changed({ what: "state" });
  void events.sendIfSubscribed("subteam_updated", {
    type: "subteam_updated",
    subteam: usergroupInfo(workspace, group),
  });
  void events.sendIfSubscribed("subteam_members_changed", {
    ...{ type: "subteam_members_changed", subteam_id: group.id, team_id: workspace.teamId },
    ...{ date_previous_update: before, date_update: now },
    ...{ added_users: added, added_users_count: String(added.length) },
    ...{ removed_users: removed, removed_users_count: String(removed.length) },
  });
}
