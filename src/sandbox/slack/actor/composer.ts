import type { Delivery } from "../delivery/delivery.ts";
import { type Events, sendEditEvent, sendMessageEvent } from "../delivery/events.ts";
import { commandPayload } from "../delivery/payloads.ts";
import type { Responses } from "../delivery/response-urls.ts";
import type { Triggers } from "../delivery/triggers.ts";
import type { Json } from "../wire/json.ts";
import { findChannel, openDm } from "../workspace/channels.ts";
import { edit, post } from "../workspace/messages.ts";
import type { User } from "../workspace/users.ts";
import type { Channel, Message, Workspace } from "../workspace/workspace.ts";
import { ShownError } from "./shown-error.ts";
import { escapeTyped } from "./typed-text.ts";

export interface SlackContext {
  workspace: Workspace;
  delivery: Delivery;
  events: Events;
  triggers: Triggers;
  responses: Responses;
}

/** Sends an interaction, and gives the app's answer. A person reads `failure` if the app acknowledges nothing. */
export async function interact(
  { delivery }: SlackContext,
  payload: Json,
  failure: (error: string) => string,
): Promise<Json> {
  const result = await delivery.send({ type: "interactive", payload });
  if (!result.acked) throw new ShownError(result.error, failure(result.error));
  return result.answer ?? {};
}

/** The channel that a person means and is in; "dm" is their direct message with the app. */
function channelFor(workspace: Workspace, user: User, ref: string): Channel {
  if (user.deleted) throw new ShownError("account_inactive", `${user.name} is deactivated.`);
  const channel = ref === "dm" ? openDm(workspace, user) : findChannel(workspace, ref);
  if (!channel) throw new ShownError("channel_not_found", `There is no channel ${ref}.`);
  if (!channel.members.has(user.id)) throw new ShownError("not_in_channel", `${user.name} is not in ${ref}.`);
  if (channel.is_archived) throw new ShownError("is_archived", `${ref} is archived.`);
  return channel;
}

/** A slash command, from the composer to its acknowledgement. */
export async function typeCommand(context: SlackContext, user: User, channelRef: string, typed: string): Promise<void> {
  const { workspace, delivery, triggers, responses } = context;
  const channel = channelFor(workspace, user, channelRef);
  const [, command, text = ""] = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(typed.trim()) ?? [];
  const known = workspace.manifest?.commands.find((one) => one.command === command);
  if (!command || (workspace.manifest && !known))
    throw new ShownError("unknown_command", `${typed.split(/\s/)[0]} is not a valid command.`);
  const escaped = (known?.should_escape ?? true) ? escapeTyped(workspace, text) : text;
  const response_url = responses.issue(user.id, channel.id);
  const common = { trigger_id: triggers.issue(user.id), response_url };
  const payload = commandPayload(workspace, user, channel.id, { command, text: escaped }, common);
  const result = await delivery.send({ type: "slash_commands", payload });
  if (!result.acked) throw new ShownError(result.error, `${command} failed with the error "${result.error}".`);
  const { answer } = result;
  if (answer && (answer.text !== undefined || answer.blocks !== undefined)) responses.show(user.id, channel.id, answer);
}

/** An ordinary message of a person, in a thread if `thread` is its parent's timestamp. */
export async function say(
  context: SlackContext,
  user: User,
  channelRef: string,
  text: string,
  thread?: string,
): Promise<Message> {
  const { workspace, events } = context;
  const channel = channelFor(workspace, user, channelRef);
  if (channel.kind === "im" && workspace.manifest?.messagesReadOnly)
    throw new ShownError("restricted_action", "Sending messages to this app has been turned off.");
  if (thread !== undefined && !channel.messages.some(({ ts }) => ts === thread))
    throw new ShownError("thread_not_found", "This thread is no longer there.");
  const message = post(workspace, channel, {
    user: user.id,
    text: escapeTyped(workspace, text),
    thread_ts: thread,
  });
  void sendMessageEvent(workspace, events, channel, message);
  return message;
}

/** A person changes what they said. */
export async function editSaid(context: SlackContext, user: User, said: Message, text: string): Promise<void> {
  const { workspace, events } = context;
  const channel = channelFor(workspace, user, said.channel);
  const before = channel.messages.find(({ ts }) => ts === said.ts);
  if (before?.user !== user.id) throw new ShownError("cant_update_message", `${user.name} did not say that.`);
  const message = edit(workspace, before, user.id, { text: escapeTyped(workspace, text) });
  await sendEditEvent(workspace, events, channel, message);
}

/** Opening the app's Home tab. */
export async function openHome(context: SlackContext, user: User): Promise<void> {
  const { workspace, events } = context;
  const channel = openDm(workspace, user);
  const result = await events.sendIfSubscribed("app_home_opened", {
    type: "app_home_opened",
    user: user.id,
    channel: channel.id,
    tab: "home",
  });
  if (result && !result.acked)
    throw new ShownError(result.error, `Opening Home failed with the error "${result.error}".`);
}
