import { limits } from "../../../views/limits.ts";
import { refusedMessage } from "../blocks/message.ts";
import { sendEditEvent, sendMessageEvent } from "../delivery/events.ts";
import { isObject, type Json, objectAt, textAt } from "../wire/json.ts";
import { openDm } from "../workspace/channels.ts";
import { asSent, edit, messageAt, post, remove } from "../workspace/messages.ts";
import type { Channel, Message, Workspace } from "../workspace/workspace.ts";
import { knownChannel, type Method, needed } from "./method.ts";
import { Refusal } from "./refusal.ts";

const scope = "chat:write";

function refuseBadMessage(args: Json, { withoutBlocks }: Workspace): void {
  if (args.blocks !== undefined && !Array.isArray(args.blocks)) throw new Refusal("invalid_blocks_format");
  const wrong = refusedMessage(args, withoutBlocks);
  if (wrong) throw new Refusal(wrong.error, wrong.reasons);
}

/** The channel for a message: one that the app is in, or a person's direct messages. */
function writable(workspace: Workspace, ref: string): Channel {
  const user = workspace.users.get(ref);
  if (user?.deleted) throw new Refusal("channel_not_found");
  const channel = user ? openDm(workspace, user) : knownChannel(workspace, ref);
  if (channel.is_archived) throw new Refusal("is_archived");
  const isOpen = channel.kind === "public" && workspace.scopes.has("chat:write.public");
  if (!channel.members.has(workspace.botUserId) && !isOpen) throw new Refusal("not_in_channel");
  if (channel.kind === "im" && workspace.manifest?.messagesTab === false) throw new Refusal("messages_tab_disabled");
  return channel;
}

function metadataOf(args: Json): Message["metadata"] | null | undefined {
  if (args.metadata === undefined) return undefined;
  const metadata = objectAt(args, "metadata");
  if (metadata && Object.keys(metadata).length === 0) return null;
  const [event_type, event_payload] = [metadata?.event_type, metadata?.event_payload];
  if (typeof event_type !== "string" || !isObject(event_payload)) throw new Refusal("invalid_metadata_format");
  if (JSON.stringify(event_payload).length > 16_000) throw new Refusal("metadata_too_large");
  return { event_type, event_payload };
}

function threadOf(channel: Channel, args: Json): string | undefined {
  const ts = textAt(args, "thread_ts");
  if (ts === undefined) return undefined;
  const parent = channel.messages.find((message) => message.ts === ts);
  if (!parent) throw new Refusal("thread_not_found");
  // Slack says to give the first message's: what is posted under a reply shows nowhere.
  if (parent.thread_ts !== undefined && parent.thread_ts !== parent.ts) throw new Refusal("cannot_reply_to_message");
  return parent.ts;
}

function ownMessage(workspace: Workspace, args: Json, refusal: string): Message {
  const channel = knownChannel(workspace, needed(args, "channel"));
  const message = channel.messages.find((one) => one.ts === needed(args, "ts"));
  if (!message) throw new Refusal("message_not_found");
  if (message.user !== workspace.botUserId) throw new Refusal(refusal);
  if (channel.is_archived) throw new Refusal("is_archived");
  return message;
}

const postMessage: Method = {
  scope,
  handle(args, { workspace, events }) {
    const channel = writable(workspace, needed(args, "channel"));
    refuseBadMessage(args, workspace);
    const message = post(workspace, channel, {
      user: workspace.botUserId,
      text: textAt(args, "text") ?? "",
      blocks: args.blocks,
      thread_ts: threadOf(channel, args),
      metadata: metadataOf(args) ?? undefined,
    });
    void sendMessageEvent(workspace, events, channel, message);
    return { channel: channel.id, ts: message.ts, message: asSent(workspace, message) };
  },
};

const postEphemeral: Method = {
  scope,
  handle(args, { workspace }) {
    const channel = writable(workspace, needed(args, "channel"));
    const user = workspace.users.get(needed(args, "user"));
    if (!user || !channel.members.has(user.id)) throw new Refusal("user_not_in_channel");
    refuseBadMessage(args, workspace);
    const message = post(workspace, channel, {
      user: workspace.botUserId,
      text: textAt(args, "text") ?? "",
      blocks: args.blocks,
      thread_ts: threadOf(channel, args),
      ephemeralTo: user.id,
    });
    return { message_ts: message.ts };
  },
};

const update: Method = {
  scope,
  handle(args, { workspace, events }) {
    const before = ownMessage(workspace, args, "cant_update_message");
    const text = textAt(args, "text");
    if (text !== undefined && text.length > limits.message.text) throw new Refusal("msg_too_long");
    if (args.metadata === undefined || text !== undefined || args.blocks !== undefined)
      refuseBadMessage(args, workspace);
    const change = { text, blocks: args.blocks, metadata: metadataOf(args) };
    const message = edit(workspace, before, workspace.botUserId, change);
    const channel = workspace.channels.get(message.channel);
    if (channel) void sendEditEvent(workspace, events, channel, message);
    return { channel: message.channel, ts: message.ts, text: message.text, message: asSent(workspace, message) };
  },
};

const deleteMessage: Method = {
  scope,
  handle(args, { workspace }) {
    const message = ownMessage(workspace, args, "cant_delete_message");
    remove(workspace, message);
    return { channel: message.channel, ts: message.ts };
  },
};

const getPermalink: Method = {
  handle(args, { workspace }) {
    const channel = knownChannel(workspace, needed(args, "channel"));
    const message = messageAt(workspace, channel.id, needed(args, "message_ts"));
    if (!message) throw new Refusal("message_not_found");
    const anchor = `p${message.ts.replace(".", "")}`;
    return { channel: channel.id, permalink: `${workspace.url}/archives/${channel.id}/${anchor}` };
  },
};

export const chat: Record<string, Method> = {
  "chat.postMessage": postMessage,
  "chat.postEphemeral": postEphemeral,
  "chat.update": update,
  "chat.delete": deleteMessage,
  "chat.getPermalink": getPermalink,
};
