import { type Events, sendMessageEvent } from "./delivery/events.ts";
import { newId } from "./wire/ids.ts";
import type { Json } from "./wire/json.ts";
import { findChannel } from "./workspace/channels.ts";
import { addUser as add, addApp, addChannel } from "./workspace/create-workspace.ts";
import { post } from "./workspace/messages.ts";
import { userInfo } from "./workspace/user-info.ts";
import { setUsergroup } from "./workspace/usergroups.ts";
import { type Role, seedUsers, type User } from "./workspace/users.ts";
import type { Channel, GuidePage, Happening, Message, PracticeAgent, Workspace } from "./workspace/workspace.ts";

/** The user of this name; throws if there is none. */
export function userNamed(workspace: Workspace, name: string): User {
  const user = [...workspace.users.values()].find((one) => one.name === name);
  if (!user) throw new Error(`The practice workspace has no ${name}; it has ${Object.keys(seedUsers).join(", ")}.`);
  return user;
}

/** The channel of this name; throws if there is none. */
function channelNamed(workspace: Workspace, name: string): Channel {
  const channel = findChannel(workspace, name);
  if (!channel) throw new Error(`The practice workspace has no channel ${name}.`);
  return channel;
}

export type Administration = ReturnType<typeof createAdministration>;

/** The changes that an administrator of the workspace, another app or the demo makes. */
export function createAdministration(workspace: Workspace, events: Events) {
  function changed(user: User): void {
    user.team_id = user.role === "stranger" ? workspace.otherTeamId : workspace.teamId;
    workspace.changed({ what: "state" });
    void events.sendIfSubscribed("user_change", { type: "user_change", user: userInfo(workspace, user) });
  }

  function invite(channelName: string, name: string): void {
    const [channel, user] = [channelNamed(workspace, channelName), userNamed(workspace, name)];
    channel.members.add(user.id);
    workspace.changed({ what: "state" });
    const event = { type: "member_joined_channel", user: user.id, channel: channel.id, team: workspace.teamId };
    void events.sendIfSubscribed("member_joined_channel", event);
  }

  return {
    invite,
    addUser(name: string, options: { role?: Role; tz?: string; channels?: string[] } = {}): User {
      const { role = "member", tz = "Etc/UTC", channels = ["ops", "general"] } = options;
      const user = add(workspace, name, { real_name: name, role, tz });
      for (const channel of channels) channelNamed(workspace, channel).members.add(user.id);
      workspace.changed({ what: "state" });
      void events.sendIfSubscribed("team_join", { type: "team_join", user: userInfo(workspace, user) });
      return user;
    },
    /** A public channel with these people and the app in it; its id. */
    addChannel(name: string, names: string[]): string {
      const channel = addChannel(workspace, name, "public");
      for (const one of names) channel.members.add(userNamed(workspace, one).id);
      channel.members.add(workspace.botUserId);
      workspace.changed({ what: "state" });
      return channel.id;
    },
    /** From now on, Slack refuses these kinds of block as if they had not come to this workspace yet. */
    withoutBlocks(...kinds: string[]): void {
      workspace.withoutBlocks = new Set(kinds);
    },
    /** First steps that the page shows to this user; code in backticks can be copied or tried. */
    hint(name: string, hints: string[]): void {
      workspace.hints.set(name, hints);
    },
    /** The agent that the page runs beside the channels. */
    runAgent(agent: PracticeAgent): void {
      workspace.agent = agent;
    },
    /** The app's guide, as pages of standard Markdown beside the channels. */
    showGuide(pages: GuidePage[]): void {
      workspace.guide = pages;
    },
    /** The events outside of the workspace that the page offers everybody to trigger. */
    offer(happenings: Happening[]): void {
      workspace.happenings = happenings;
      workspace.changed({ what: "state" });
    },
    /** A group of these people; its id. */
    addUsergroup(handle: string, names: string[]): string {
      const id = newId("S");
      const users = names.map((name) => userNamed(workspace, name).id);
      workspace.usergroups.set(id, {
        id,
        handle,
        name: handle,
        users,
        date_update: 0,
        date_delete: 0,
        updated_by: "USLACKBOT",
      });
      return id;
    },
    /** Do Not Disturb of this person from now until then, and at the same hours of each day after; null ends it. */
    setQuiet(name: string, until: number | null): void {
      const { id } = userNamed(workspace, name);
      if (until === null) workspace.quiet.delete(id);
      else workspace.quiet.set(id, { from: workspace.clock.now(), to: until });
      workspace.changed({ what: "state" });
    },
    /** A group gets other people; without any it is switched off, as Slack does it. */
    changeUsergroup(id: string, names: string[], by = "ana"): void {
      const group = workspace.usergroups.get(id);
      if (!group) throw new Error(`The practice workspace has no user group ${id}.`);
      const users = names.map((name) => userNamed(workspace, name).id);
      setUsergroup(workspace, events, group, { users, by: userNamed(workspace, by).id });
    },
    /** The direct messages of two people, where the app is not; their channel's id. */
    between(...names: [string, string]): string {
      const channel = addChannel(workspace, newId("dm"), "im");
      for (const name of names) channel.members.add(userNamed(workspace, name).id);
      return channel.id;
    },
    /** Another app posts in a channel, as its own user. */
    postAs(app: string, channelName: string, said: { text: string; blocks?: Json[]; attachments?: Json[] }): Message {
      const user = [...workspace.users.values()].find((one) => one.name === app) ?? addApp(workspace, app);
      const message = post(workspace, channelNamed(workspace, channelName), { user: user.id, ...said });
      void sendMessageEvent(workspace, events, channelNamed(workspace, channelName), message);
      return message;
    },
    kick(channelName: string, name: string): void {
      channelNamed(workspace, channelName).members.delete(userNamed(workspace, name).id);
      workspace.changed({ what: "state" });
    },
    archive(channelName: string): void {
      channelNamed(workspace, channelName).is_archived = true;
      workspace.changed({ what: "state" });
    },
    /** `silent`: Slack sends the app no event. */
    deactivate(name: string, { silent = false }: { silent?: boolean } = {}): void {
      const user = userNamed(workspace, name);
      user.deleted = true;
      if (silent) workspace.changed({ what: "state" });
      else changed(user);
    },
    setStatus(name: string, status: { text: string; emoji: string; expiration: number }): void {
      const user = userNamed(workspace, name);
      user.status = status;
      changed(user);
    },
    setRole(name: string, role: Role): void {
      const user = userNamed(workspace, name);
      user.role = role;
      changed(user);
    },
  };
}
