import type { Channel, Message, PracticeFile, View, Violation, Workspace } from "./workspace.ts";

/** Everything that is to be seen in the workspace, as it is now; channels and users by name. */
export interface WorkspaceState {
  /** A direct message with the app is under `dm:<user>`. */
  channels: Record<string, Message[]>;
  ephemerals: Record<string, Message[]>;
  modals: Record<string, View[]>;
  homes: Record<string, View>;
  files: PracticeFile[];
  violations: Violation[];
}

export function workspaceState(workspace: Workspace): WorkspaceState {
  const nameOf = (id: string) => workspace.users.get(id)?.name ?? id;
  const ephemerals = Object.groupBy(workspace.ephemerals, (message) => nameOf(message.ephemeralTo ?? ""));
  return {
    // A message never changes: an edit puts another in its place.
    channels: Object.fromEntries(
      [...workspace.channels.values()].map((one) => [channelName(one, nameOf), [...one.messages]]),
    ),
    ephemerals: Object.fromEntries(Object.entries(ephemerals).map(([name, messages]) => [name, messages ?? []])),
    ...structuredClone({
      modals: Object.fromEntries([...workspace.modals].map(([id, stack]) => [nameOf(id), stack])),
      homes: Object.fromEntries([...workspace.homes].map(([id, view]) => [nameOf(id), view])),
      files: [...workspace.files.values()],
      violations: workspace.violations,
    }),
  };
}

function channelName(channel: Channel, nameOf: (id: string) => string): string {
  return channel.user === undefined ? channel.name : `dm:${nameOf(channel.user)}`;
}
