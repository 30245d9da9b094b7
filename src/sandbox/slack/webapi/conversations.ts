import { flagAt, type Json, textAt } from "../wire/json.ts";
import { openDm } from "../workspace/channels.ts";
import { asSent, repliesTo } from "../workspace/messages.ts";
import type { Channel, Message, Workspace } from "../workspace/workspace.ts";
import { knownChannel, type Method, needed, page, scopeFor, scopePerKind } from "./method.ts";
import { Refusal } from "./refusal.ts";

function channelInfo(workspace: Workspace, channel: Channel): Json {
  const shared = { is_ext_shared: channel.is_ext_shared, is_shared: channel.is_ext_shared };
  const common = { id: channel.id, created: 0, is_archived: channel.is_archived, is_org_shared: false, ...shared };
  if (channel.kind === "im") return { ...common, is_im: true, user: channel.user };
  const is_private = channel.kind === "private";
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: !is_private,
    is_group: is_private,
    is_im: false,
    is_mpim: false,
    is_private,
    is_member: channel.members.has(workspace.botUserId),
    is_general: channel.name === "general",
    num_members: channel.members.size,
  };
}

const info: Method = {
  scope: scopePerKind("read"),
  handle: (args, { workspace }) => ({
    channel: channelInfo(workspace, knownChannel(workspace, needed(args, "channel"))),
  }),
};

const kinds: Record<string, Channel["kind"]> = { public_channel: "public", private_channel: "private", im: "im" };

function listOf(args: Json, workspace: Workspace): Channel[] {
  const types = (textAt(args, "types") ?? "public_channel").split(",").map((type) => kinds[type.trim()]);
  for (const kind of types) {
    const scope = kind && scopeFor(kind, "read");
    if (scope && !workspace.scopes.has(scope)) throw new Refusal("missing_scope", [], { needed: scope });
  }
  return [...workspace.channels.values()].filter((channel) => {
    const visible = channel.kind === "public" || channel.members.has(workspace.botUserId);
    return visible && types.includes(channel.kind) && !(flagAt(args, "exclude_archived") && channel.is_archived);
  });
}

function channelPage(args: Json, workspace: Workspace, all: Channel[]): Json {
  const { items, response_metadata } = page(all, args, 100);
  return { channels: items.map((channel) => channelInfo(workspace, channel)), response_metadata };
}

const list: Method = {
  handle: (args, { workspace }) => channelPage(args, workspace, listOf(args, workspace)),
};

const mine: Method = {
  handle(args, { workspace }) {
    const user = textAt(args, "user") ?? workspace.botUserId;
    const joined = listOf(args, workspace).filter((channel) => channel.members.has(user));
    return channelPage(args, workspace, joined);
  },
};

const members: Method = {
  scope: scopePerKind("read"),
  handle(args, { workspace }) {
    const channel = knownChannel(workspace, needed(args, "channel"));
    const { items, response_metadata } = page([...channel.members], args, 100);
    return { members: items, response_metadata };
  },
};

const open: Method = {
  scope: "im:write",
  handle(args, { workspace }) {
    const named = textAt(args, "channel");
    if (named !== undefined) return { channel: { id: knownChannel(workspace, named).id } };
    const user = workspace.users.get(needed(args, "users"));
    if (!user) throw new Refusal("user_not_found");
    if (user.deleted) throw new Refusal("user_disabled");
    return { channel: { id: openDm(workspace, user).id } };
  },
};

const join: Method = {
  scope: "channels:join",
  handle(args, { workspace }) {
    const channel = knownChannel(workspace, needed(args, "channel"));
    if (channel.kind !== "public") throw new Refusal("method_not_supported_for_channel_type");
    if (channel.is_archived) throw new Refusal("is_archived");
    channel.members.add(workspace.botUserId);
    workspace.changed({ what: "state" });
    return { channel: channelInfo(workspace, channel) };
  },
};

function readable(args: Json, workspace: Workspace): Channel {
  const channel = knownChannel(workspace, needed(args, "channel"));
  if (!channel.members.has(workspace.botUserId)) throw new Refusal("not_in_channel");
  return channel;
}

/** A page of messages, as the app may read them. */
function messagePage(args: Json, workspace: Workspace, all: Message[], standard: number): Json {
  const { items, response_metadata } = page(all, args, standard);
  const has_more = response_metadata.next_cursor !== "";
  return { messages: items.map((message) => shown(workspace, args, message)), has_more, response_metadata };
}

function shown(workspace: Workspace, args: Json, message: Message): Json {
  const sent = asSent(workspace, message);
  if (!message.metadata) return sent;
  if (flagAt(args, "include_all_metadata")) return { ...sent, metadata: message.metadata };
  return { ...sent, metadata: { event_type: message.metadata.event_type } };
}

function inWindow(args: Json, messages: Message[]): Message[] {
  const oldest = Number(args.oldest ?? 0);
  const latest = Number(args.latest ?? Number.POSITIVE_INFINITY);
  const inclusive = flagAt(args, "inclusive");
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    return inclusive ? at >= oldest && at <= latest : at > oldest && at < latest;
  });
}

const history: Method = {
  scope: scopePerKind("history"),
  handle(args, { workspace }) {
    const top = readable(args, workspace).messages.filter(
      (message) => (message.thread_ts ?? message.ts) === message.ts,
    );
    return messagePage(args, workspace, inWindow(args, top).reverse(), 100);
  },
};

const replies: Method = {
  scope: scopePerKind("history"),
  handle(args, { workspace }) {
    const channel = readable(args, workspace);
    const target = channel.messages.find((message) => message.ts === needed(args, "ts"));
    const parent = channel.messages.find((message) => message.ts === (target?.thread_ts ?? target?.ts));
    if (!parent) throw new Refusal("thread_not_found");
    return messagePage(args, workspace, [parent, ...inWindow(args, repliesTo(workspace, parent))], 1_000);
  },
};

export const conversations: Record<string, Method> = {
  "conversations.info": info,
  "conversations.list": list,
  "conversations.members": members,
  "conversations.open": open,
  "conversations.join": join,
  "conversations.history": history,
  "conversations.replies": replies,
  "users.conversations": mine,
};
