import { userInfo } from "../workspace/user-info.ts";
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
  handle: (_args, { workspace }) => ({ usergroups: [...workspace.usergroups.values()] }),
};

const usergroupUsers: Method = {
  scope: "usergroups:read",
  handle(args, { workspace }) {
    const group = workspace.usergroups.get(needed(args, "usergroup"));
    if (!group) throw new Refusal("no_such_subteam");
    return { users: group.users };
  },
};

export const peopleMethods: Record<string, Method> = {
  "users.info": info,
  "users.list": list,
  "usergroups.list": usergroups,
  "usergroups.users.list": usergroupUsers,
};
