import type { Clock } from "../../../process/clock.ts";
import { createTimestamps, newId } from "../wire/ids.ts";
import { newCredentials } from "./credentials.ts";
import { newUser, type Role, seedChannels, seedUsers, type User } from "./users.ts";
import type { Change, Channel, Workspace } from "./workspace.ts";

const defaultScopes = [
  "commands",
  "chat:write",
  "users:read",
  "channels:read",
  "groups:read",
  "im:write",
  "files:write",
];

/** A workspace with its users and channels, and nothing said yet. */
export function createWorkspace(clock: Clock, scopes: readonly string[] = defaultScopes): Workspace {
  const listeners = new Set<(change: Change) => void>();
  const workspace: Workspace = {
    ...newCredentials(),
    clock,
    url: "",
    users: new Map(),
    channels: new Map(),
    ephemerals: [],
    modals: new Map(),
    homes: new Map(),
    files: new Map(),
    usergroups: new Map(),
    quiet: new Map(),
    phones: [],
    hints: new Map(),
    guide: [],
    agent: null,
    happenings: [],
    violations: [],
    withoutBlocks: new Set(),
    calls: [],
    deliveries: [],
    scopes: new Set(scopes),
    manifest: undefined,
    nextTs: createTimestamps(clock),
    changed(change) {
      for (const listener of listeners) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  addBot(workspace);
  for (const [name, part] of Object.entries(seedUsers)) addUser(workspace, name, part);
  for (const name of Object.keys(seedChannels)) addSeedChannel(workspace, name);
  return workspace;
}

function addBot(workspace: Workspace): void {
  const bot = { real_name: "Rackbell", role: "member" as const, tz: "Etc/UTC" };
  const user = newUser("rackbell", bot, workspace.teamId, workspace.otherTeamId);
  workspace.users.set(workspace.botUserId, { ...user, id: workspace.botUserId, is_bot: true });
}

/** Adds a person. Until they are invited somewhere they are in no channel. */
export function addUser(
  workspace: Workspace,
  name: string,
  part: { real_name: string; role: Role; tz: string } = { real_name: name, role: "member", tz: "Etc/UTC" },
): User {
  const user = newUser(name, part, workspace.teamId, workspace.otherTeamId);
  workspace.users.set(user.id, user);
  return user;
}

/** Another app of the workspace's, which posts as a user of its own. */
export function addApp(workspace: Workspace, name: string): User {
  const user = { ...addUser(workspace, name), is_bot: true };
  workspace.users.set(user.id, user);
  return user;
}

function addSeedChannel(workspace: Workspace, name: string): void {
  const place = seedChannels[name];
  if (!place) return;
  const channel = addChannel(workspace, name, place.kind);
  channel.is_ext_shared = place.shared;
  for (const user of workspace.users.values()) {
    if (user.is_bot ? place.bot : place.members.includes(user.name)) channel.members.add(user.id);
  }
}

/** Adds an empty channel. */
export function addChannel(workspace: Workspace, name: string, kind: Channel["kind"]): Channel {
  const id = newId(kind === "im" ? "D" : "C");
  const channel: Channel = {
    id,
    name,
    kind,
    is_archived: false,
    is_ext_shared: false,
    members: new Set(),
    messages: [],
  };
  workspace.channels.set(id, channel);
  return channel;
}
