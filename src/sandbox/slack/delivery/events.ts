import { hash } from "node:crypto";
import { newId } from "../wire/ids.ts";
import type { Json } from "../wire/json.ts";
import type { Channel, Message, Workspace } from "../workspace/workspace.ts";
import type { Delivery } from "./delivery.ts";
import type { DeliveryResult } from "./envelope.ts";
import { eventPayload } from "./payloads.ts";

export interface Events {
  /** Sends any event, subscribed to or not. */
  send(event: Json): Promise<DeliveryResult>;
  /** Sends an event if the app subscribes to it. */
  sendIfSubscribed(subscription: string, event: Json): Promise<DeliveryResult | undefined>;
}

export function createEvents(workspace: Workspace, delivery: Delivery): Events {
  const send = (event: Json) => delivery.event(eventPayload(workspace, event, newId("Ev")));
  return {
    send,
    async sendIfSubscribed(subscription, event) {
      return subscribed(workspace, subscription) ? send(event) : undefined;
    },
  };
}

/** The scopes without which Slack sends no such event. */
const scopesOf: Record<string, string> = {
  "message.im": "im:history",
  app_mention: "app_mentions:read",
  subteam_updated: "usergroups:read",
  subteam_members_changed: "usergroups:read",
};

/** Without a manifest the app gets every event but the messages of channels, which few apps ask for. */
function subscribed({ manifest, scopes }: Workspace, subscription: string): boolean {
  if (!manifest) return !subscription.startsWith("message.");
  const scope = scopesOf[subscription];
  return manifest.events.includes(subscription) && (scope === undefined || scopes.has(scope));
}

const messageEvents: Record<Channel["kind"], [subscription: string, channelType: string]> = {
  public: ["message.channels", "channel"],
  private: ["message.groups", "group"],
  im: ["message.im", "im"],
};

/** Sends the app each message where it is a member, its own messages included. A mention in a direct message is no mention. */
export async function sendMessageEvent(
  workspace: Workspace,
  events: Events,
  channel: Channel,
  message: Message,
): Promise<void> {
  if (!channel.members.has(workspace.botUserId)) return;
  const said = saidIn(workspace, channel, message);
  const [subscription, channel_type] = messageEvents[channel.kind];
  await events.sendIfSubscribed(subscription, { type: "message", channel_type, ...said });
  await sendMentionEvent(workspace, events, channel, message);
}

async function sendMentionEvent(
  workspace: Workspace,
  events: Events,
  channel: Channel,
  message: Message,
): Promise<void> {
  const mentions = new RegExp(`<@${workspace.botUserId}[|>]`).test(message.text);
  if (channel.kind === "im" || !mentions) return;
  await events.sendIfSubscribed("app_mention", { type: "app_mention", ...saidIn(workspace, channel, message) });
}

function saidIn(workspace: Workspace, channel: Channel, message: Message): Json {
  const { user, text, ts, thread_ts, blocks, edited } = message;
  const own = user === workspace.botUserId && { bot_id: workspace.botId, app_id: workspace.appId };
  const other = !own && workspace.users.get(user)?.is_bot === true && { bot_id: `B${user.slice(1)}` };
  const parent = channel.messages.find((one) => one.ts === thread_ts);
  return {
    user,
    text,
    ts,
    team: workspace.users.get(user)?.team_id ?? workspace.teamId,
    channel: channel.id,
    event_ts: edited?.ts ?? ts,
    ...(thread_ts !== undefined && { thread_ts, parent_user_id: parent?.user }),
    ...(blocks.length > 0 && { blocks: structuredClone(blocks) }),
    ...(edited && { edited }),
    ...own,
    ...other,
    // Slack's own apps add one to what is typed in them; a message with a file has none.
    ...(!own && !other && message.files.length === 0 && { client_msg_id: clientIdOf(message) }),
  };
}

function clientIdOf({ channel, ts }: Message): string {
  const digest = hash("sha256", `${channel}:${ts}`);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}

/** Sends the app the edit of a message where it is a member, and sends a mention in it once more. */
export async function sendEditEvent(
  workspace: Workspace,
  events: Events,
  channel: Channel,
  message: Message,
): Promise<void> {
  if (!channel.members.has(workspace.botUserId)) return;
  const [subscription, channel_type] = messageEvents[channel.kind];
  const { user, text, ts, edited } = message;
  await events.sendIfSubscribed(subscription, {
    type: "message",
    subtype: "message_changed",
    hidden: true,
    channel_type,
    channel: channel.id,
    ts: edited?.ts ?? ts,
    message: { type: "message", user, text, ts },
  });
  await sendMentionEvent(workspace, events, channel, message);
}
