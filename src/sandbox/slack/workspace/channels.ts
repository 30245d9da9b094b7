import { newId } from "../wire/ids.ts";
import { addChannel } from "./create-workspace.ts";
import type { User } from "./users.ts";
import type { Channel, Workspace } from "./workspace.ts";

/** A channel by id or by name, with or without "#". */
export function findChannel(workspace: Workspace, ref: string): Channel | undefined {
  const name = ref.replace(/^#/, "");
  return (
    workspace.channels.get(ref) ??
    [...workspace.channels.values()].find((channel) => channel.kind !== "im" && channel.name === name)
  );
}

/** The direct message of a user with the app, opened now if it was not. */
export function openDm(workspace: Workspace, user: User): Channel {
  const open = dmOf(workspace, user.id);
  if (open) return open;
  const channel = addChannel(workspace, newId("dm"), "im");
  channel.user = user.id;
  channel.members.add(user.id).add(workspace.botUserId);
  workspace.changed({ what: "state", user: user.id });
  return channel;
}

/** The direct message of a user with the app, if it was ever opened. */
function dmOf(workspace: Workspace, userId: string): Channel | undefined {
  return [...workspace.channels.values()].find((channel) => channel.user === userId);
}

/** The name of a channel in a payload: Slack hides the names of private channels. */
export function payloadName(channel: Channel): string {
  if (channel.kind === "im") return "directmessage";
  return channel.kind === "private" ? "privategroup" : channel.name;
}
