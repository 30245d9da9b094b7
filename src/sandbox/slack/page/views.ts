import type { Json } from "../wire/json.ts";
import { openDm } from "../workspace/channels.ts";
import { fileInfo } from "../workspace/files.ts";
import { seenBy } from "../workspace/messages.ts";
import { quietHoursOf } from "../workspace/phones.ts";
import type { User } from "../workspace/users.ts";
import { viewAsSent } from "../workspace/view-stack.ts";
import type { Channel, Message, View, Workspace } from "../workspace/workspace.ts";

/** The page around the channel: the acting person, the people, the channels and the commands. */
export function stateView(workspace: Workspace, user: User): Json {
  openDm(workspace, user);
  const channels = [...workspace.channels.values()].filter((one) => one.members.has(user.id));
  return {
    me: person(user),
    now: workspace.nextTs(),
    hints: workspace.hints.get(user.name) ?? [],
    agent: workspace.agent !== null,
    guide: workspace.guide.map(({ name, title }) => ({ name, title })),
    phone: phoneView(workspace, user),
    happenings: workspace.happenings.map(({ id, group, label }) => ({ id, group, label })),
    users: [...workspace.users.values()].map(person),
    groups: [...workspace.usergroups.values()].map(({ id, handle, users }) => ({ id, handle, users })),
    channels: channels.map((channel) => channelItem(workspace, channel, user)),
    commands: workspace.manifest?.commands ?? [],
    shortcuts: workspace.manifest?.shortcuts ?? [],
  };
}

/** The newest notifications on a person's phone, newest first, and the end of their Do Not Disturb. */
function phoneView(workspace: Workspace, { id }: User): Json {
  const now = workspace.clock.now();
  const hours = quietHoursOf(workspace, id);
  const own = workspace.phones.filter(({ user }) => user === id).slice(-mostOnPhone);
  return {
    quietUntil: hours && hours.from <= now ? hours.to : null,
    notifications: own.toReversed().map(({ channel, ts, text, silencedUntil }) => {
      const { kind, name } = workspace.channels.get(channel) ?? { kind: "im", name: "" };
      return { ts, text, silenced: silencedUntil !== null, channel: kind === "im" ? null : name };
    }),
  };
}

const mostOnPhone = 30;

function person({ id, name, real_name, role, deleted, is_bot, tz }: User): Json {
  return { id, name, real_name, role, deleted, tz, bot: is_bot };
}

function channelItem(workspace: Workspace, channel: Channel, user: User): Json {
  const read = reading.get(channel)?.get(user.id) ?? "";
  const unread = seenBy(workspace, channel, user.id).filter((message) => message.ts > read && message.user !== user.id);
  const dm = channel.kind === "im";
  return {
    id: channel.id,
    name: dm ? "rackbell" : channel.name,
    private: channel.kind === "private",
    dm,
    readOnly: dm && workspace.manifest?.messagesReadOnly === true,
    shared: channel.is_ext_shared,
    member: true,
    unread: unread.length,
  };
}

/** The timestamp of the last message that each user has seen, by the user's id. */
const reading = new WeakMap<Channel, Map<string, string>>();

function markRead(channel: Channel, user: User, messages: Message[]): void {
  const marks = reading.get(channel) ?? new Map<string, string>();
  marks.set(user.id, messages.at(-1)?.ts ?? "");
  reading.set(channel, marks);
}

/**
 * A channel as one person sees it in a window that was loaded at `since`, a timestamp: what was shown to them alone before is
 * gone. Messages that they have seen are read.
 */
export function channelView(workspace: Workspace, channel: Channel, user: User, since: string): Json {
  const all = seenBy(workspace, channel, user.id);
  markRead(channel, user, all);
  const seen = all.filter(({ ts, ephemeralTo }) => !ephemeralTo || ts > since);
  const top = seen.filter((message) => (message.thread_ts ?? message.ts) === message.ts);
  return {
    messages: top.map((message) => ({
      ...messageView(workspace, message),
      // The messages for this person alone in the thread are among them.
      replies: seen
        .filter(({ thread_ts, ts }) => thread_ts === message.ts && ts !== message.ts)
        .map((reply) => messageView(workspace, reply)),
    })),
  };
}

function messageView(workspace: Workspace, message: Message): Json {
  const author = workspace.users.get(message.user);
  const { ts, text, blocks, thread_ts } = message;
  return {
    ts,
    user: { id: message.user, name: author?.name ?? message.user, bot: author?.is_bot ?? false },
    text,
    blocks,
    edited: message.edited !== undefined,
    ephemeral: message.ephemeralTo !== undefined,
    thread_ts,
    attachments: message.attachments ?? [],
    files: message.files.map((file) => fileInfo(workspace, file)),
    replies: [],
  };
}

export function viewShown(workspace: Workspace, view: View | undefined): Json | null {
  return view ? viewAsSent(workspace, view) : null;
}
