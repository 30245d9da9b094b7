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
  tell(subscription: string, event: Json): Promise<DeliveryResult | undefined>;
}

export function createEvents(workspace: Workspace, delivery: Delivery): Events {
  const send = (event: Json) => delivery.event(eventPayload(workspace, event, newId("Ev")));
  return {
    send,
    async tell(subscription, event) {
      return subscribed(workspace, subscription) ? send(event) : undefined;
    },
  };
}

/** Without a manifest the app is told everything but the messages of channels, which few apps ask for. */
function subscribed(workspace: Workspace, subscription: string): boolean {
  if (!workspace.manifest) return !subscription.startsWith("message.");
  return workspace.manifest.events.includes(subscription);
}

const messageEvents: Record<Channel["kind"], [subscription: string, channelType: string]> = {
  public: ["message.channels", "channel"],
  private: ["message.groups", "group"],
  im: ["message.im", "im"],
};

/** Tells the app of what was said where it is a member; what it said itself comes back to it, too. */
export async function tellOfMessage(
  workspace: Workspace,
  events: Events,
  channel: Channel,
  message: Message,
): Promise<void> {
  if (!channel.members.has(workspace.botUserId)) return;
  const { user, text, ts, thread_ts } = message;
  const own = user === workspace.botUserId && { bot_id: workspace.botId, app_id: workspace.appId };
  const place = { channel: channel.id, event_ts: ts, ...(thread_ts !== undefined && { thread_ts }) };
  const said = { user, text, ts, ...place, ...own };
  const [subscription, channel_type] = messageEvents[channel.kind];
  await events.tell(subscription, { type: "message", channel_type, ...said });
  if (text.includes(`<@${workspace.botUserId}>`)) await events.tell("app_mention", { type: "app_mention", ...said });
}

/** Tells the app that a message where it is a member is another one now. */
export async function tellOfEdit(
  workspace: Workspace,
  events: Events,
  channel: Channel,
  message: Message,
): Promise<void> {
  if (!channel.members.has(workspace.botUserId)) return;
  const [subscription, channel_type] = messageEvents[channel.kind];
  const { user, text, ts, edited } = message;
  await events.tell(subscription, {
    type: "message",
    subtype: "message_changed",
    hidden: true,
    channel_type,
    channel: channel.id,
    ts: edited?.ts ?? ts,
    message: { type: "message", user, text, ts },
  });
}
