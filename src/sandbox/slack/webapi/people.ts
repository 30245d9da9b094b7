import { flagAt, textAt } from "../wire/json.ts";
import { quietHoursOf } from "../workspace/phones.ts";
import { userInfo } from "../workspace/user-info.ts";
import { usergroupInfo } from "../workspace/usergroups.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Method, needed, page } from "./method.ts";
import { Refusal } from "./refusal.ts";

const info: Method = {
  scope: "users:read",
  handle(args, { workspace }) {
    const user = workspace.users.get(needed(args, "user"));
    if (!user) throw new Refusal("user_not_found");
    return { user: userInfo(workspace, user) };
  },
};

const list: Method = {
  scope: "users:read",
  handle(args, { workspace }) {
    const own = [...workspace.users.values()].filter((user) => user.role !== "stranger");
    const { items, response_metadata } = page(own, args, 1_000);
    return { members: items.map((user) => userInfo(workspace, user)), response_metadata };
  },
};

const usergroups: Method = {
  scope: "usergroups:read",
  handle(args, { workspace }) {
    const all = [...workspace.usergroups.values()];
    const shown = flagAt(args, "include_disabled") ? all : all.filter((group) => group.date_delete === 0);
    const users = flagAt(args, "include_users");
    return { usergroups: shown.map((group) => usergroupInfo(workspace, group, { users })) };
  },
};

const usergroupUsers: Method = {
  scope: "usergroups:read",
  handle(args, { workspace }) {
    const group = workspace.usergroups.get(needed(args, "usergroup"));
    if (!group || (group.date_delete > 0 && !flagAt(args, "include_disabled"))) throw new Refusal("no_such_subteam");
    return { users: group.users };
  },
};

/** Slack shows no app the snooze of another user, which is a pause by hand: only the hours of the schedule. */
function dndOf(workspace: Workspace, user: string) {
  const hours = quietHoursOf(workspace, user);
  return {
    dnd_enabled: hours !== undefined,
    next_dnd_start_ts: hours ? Math.floor(hours.from / 1_000) : 1,
    next_dnd_end_ts: hours ? Math.floor(hours.to / 1_000) : 1,
  };
}

const dndInfo: Method = {
  scope: "dnd:read",
  handle(args, { workspace }) {
    const user = textAt(args, "user") ?? workspace.botUserId;
    if (!workspace.users.has(user)) throw new Refusal("user_not_found");
    return dndOf(workspace, user);
  },
};

const mostInTeamInfo = 50;

const dndTeamInfo: Method = {
  scope: "dnd:read",
  handle(args, { workspace }) {
    const users = (textAt(args, "users") ?? "").split(",").filter((id) => id !== "");
    if (users.length === 0) throw new Refusal("no_users_provided");
    if (users.length > mostInTeamInfo) throw new Refusal("invalid_arguments", ["[ERROR] more than 50 users"]);
    const known = users.filter((id) => workspace.users.has(id));
    return { users: Object.fromEntries(known.map((id) => [id, dndOf(workspace, id)])) };
  },
};

export const peopleMethods: Record<string, Method> = {
  "users.info": info,
  "users.list": list,
  "usergroups.list": usergroups,
  "usergroups.users.list": usergroupUsers,
  "dnd.info": dndInfo,
  "dnd.teamInfo": dndTeamInfo,
};
