import { asPosted } from "../blocks/normalize.ts";
import { linksIn, mentionsIn } from "../blocks/text.ts";
import type { Json } from "../wire/json.ts";
import { notifyPhones } from "./phones.ts";
import type { Change, Channel, Message, PracticeFile, Workspace } from "./workspace.ts";

export interface Draft {
  user: string;
  text: string;
  blocks?: unknown;
  thread_ts?: string | undefined;
  metadata?: Message["metadata"] | undefined;
  files?: Message["files"];
  attachments?: Json[];
  ephemeralTo?: string;
}

/** Posts a message, or shows it to one user alone if the draft says so. */
export function post(workspace: Workspace, channel: Channel, draft: Draft): Message {
  const message: Message = {
    channel: channel.id,
    ts: workspace.nextTs(),
    user: draft.user,
    text: draft.text,
    blocks: asPosted(draft.blocks),
    files: draft.files ?? [],
    mentions: mentionsIn(draft.text, draft.blocks),
    links: linksIn(draft.text, draft.blocks),
    ...(draft.thread_ts !== undefined && { thread_ts: draft.thread_ts }),
    ...(draft.metadata !== undefined && { metadata: draft.metadata }),
    ...(draft.attachments !== undefined && { attachments: draft.attachments }),
    ...(draft.ephemeralTo !== undefined && { ephemeralTo: draft.ephemeralTo }),
  };
  if (message.ephemeralTo === undefined) {
    channel.messages.push(message);
    notifyPhones(workspace, channel, message);
  } else workspace.ephemerals.push(message);
  announce(workspace, message, { shown: message });
  return message;
}

export interface Edit {
  text?: string | undefined;
  blocks?: unknown;
  metadata?: Message["metadata"] | null | undefined;
}

/**
 * Puts a changed message in the place of a message, which itself stays as it was: whoever saw it before keeps what they saw. Text without
 * blocks removes the blocks; metadata stays unless it is said.
 */
export function edit(workspace: Workspace, message: Message, by: string, change: Edit): Message {
  const { metadata, ...before } = message;
  const text = change.text ?? before.text;
  const blocks = blocksAfter(before, change);
  const newMetadata = change.metadata === undefined ? metadata : change.metadata;
  const edited: Message = {
    ...before,
    text,
    blocks,
    mentions: mentionsIn(text, blocks),
    links: linksIn(text, blocks),
    ...(newMetadata ? { metadata: newMetadata } : {}),
    edited: { user: by, ts: workspace.nextTs() },
  };
  replace(workspace, message, edited);
  announce(workspace, edited, { shown: edited });
  return edited;
}

function blocksAfter(message: Message, { text, blocks }: Edit): Message["blocks"] {
  if (blocks !== undefined) return asPosted(blocks);
  return text === undefined ? message.blocks : [];
}

/** Takes a file that is gone off every message. */
export function removeFile(workspace: Workspace, file: PracticeFile): void {
  for (const { messages } of workspace.channels.values())
    for (const message of messages.filter(({ files }) => files.includes(file)))
      replace(workspace, message, { ...message, files: message.files.filter((other) => other !== file) });
}

function replace(workspace: Workspace, before: Message, after: Message): void {
  const put = (messages: Message[]) => messages.map((message) => (message === before ? after : message));
  const channel = workspace.channels.get(before.channel);
  if (channel) channel.messages = put(channel.messages);
  workspace.ephemerals = put(workspace.ephemerals);
}

export function remove(workspace: Workspace, message: Message): void {
  const channel = workspace.channels.get(message.channel);
  if (channel) channel.messages = channel.messages.filter((other) => other !== message);
  workspace.ephemerals = workspace.ephemerals.filter((other) => other !== message);
  announce(workspace, message);
}

function announce(workspace: Workspace, { channel, ephemeralTo }: Message, change: Pick<Change, "shown"> = {}): void {
  const only = ephemeralTo ?? workspace.channels.get(channel)?.user;
  workspace.changed({ what: "channel", channel, ...(only !== undefined && { user: only }), ...change });
}

/** The messages of a channel that one user sees, in order. One for them alone in a thread appears only if the thread has replies. */
export function seenBy(workspace: Workspace, channel: Channel, userId: string): Message[] {
  const own = workspace.ephemerals.filter(
    (message) =>
      message.channel === channel.id &&
      message.ephemeralTo === userId &&
      (message.thread_ts === undefined || isActive(channel, message.thread_ts)),
  );
  const inChannel = channel.members.has(userId) ? channel.messages : [];
  return [...inChannel, ...own].sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

function isActive(channel: Channel, thread: string): boolean {
  return channel.messages.some((message) => message.thread_ts === thread && message.ts !== thread);
}

/** The message that is there now under this timestamp, for this user. */
export function messageAt(workspace: Workspace, channelId: string, ts: string, userId?: string): Message | undefined {
  const own = workspace.ephemerals.find(
    (message) => message.channel === channelId && message.ts === ts && message.ephemeralTo === userId,
  );
  return own ?? workspace.channels.get(channelId)?.messages.find((message) => message.ts === ts);
}

/** A message as Slack's API and payloads show it. */
export function asSent(workspace: Workspace, message: Message): Record<string, unknown> {
  const fromBot = message.user === workspace.botUserId;
  const replies = repliesTo(workspace, message);
  return {
    type: "message",
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: workspace.teamId,
    ...(fromBot && { bot_id: workspace.botId, app_id: workspace.appId }),
    ...(message.blocks.length > 0 && { blocks: structuredClone(message.blocks) }),
    ...(message.attachments && { attachments: structuredClone(message.attachments) }),
    ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      latest_reply: replies.at(-1)?.ts,
    }),
    ...(message.edited && { edited: message.edited }),
  };
}

/** The thread under a message. */
export function repliesTo(workspace: Workspace, parent: Message): Message[] {
  const all = workspace.channels.get(parent.channel)?.messages ?? [];
  return all.filter((message) => message.thread_ts === parent.ts && message.ts !== parent.ts);
}
