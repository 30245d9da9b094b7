import type { Block, ViewState } from "../blocks/block.ts";
import type { Control } from "../blocks/controls.ts";
import type { Json } from "../wire/json.ts";
import { payloadName } from "../workspace/channels.ts";
import { asSent } from "../workspace/messages.ts";
import type { User } from "../workspace/users.ts";
import { viewAsSent } from "../workspace/view-stack.ts";
import type { Message, View, Workspace } from "../workspace/workspace.ts";

/** The container of the used element: a message, or a view. */
export type Container = { message: Message } | { view: View };

export function blocksOf(container: Container): Block[] {
  return "view" in container ? container.view.blocks : container.message.blocks;
}

interface Common {
  trigger_id: string;
  response_url?: string;
}

/** The person and the place in every interaction. */
function about(workspace: Workspace, user: User): Json {
  return {
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team_id },
    api_app_id: workspace.appId,
    token: workspace.verificationToken,
    team: { id: workspace.teamId, domain: workspace.teamDomain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

export function commandPayload(
  workspace: Workspace,
  user: User,
  channel: string,
  typed: { command: string; text: string },
  common: Required<Common>,
): Json {
  const found = workspace.channels.get(channel);
  return {
    token: workspace.verificationToken,
    team_id: workspace.teamId,
    team_domain: workspace.teamDomain,
    channel_id: channel,
    channel_name: found ? payloadName(found) : "",
    user_id: user.id,
    user_name: user.name,
    ...typed,
    api_app_id: workspace.appId,
    is_enterprise_install: "false",
    ...common,
  };
}

export function actionsPayload(
  workspace: Workspace,
  user: User,
  container: Container,
  action: Json,
  state: ViewState,
  common: Common,
): Json {
  return {
    type: "block_actions",
    ...about(workspace, user),
    ...containerFields(workspace, container),
    ...("message" in container && { state }),
    ...common,
    actions: [action],
  };
}

export function suggestionPayload(
  workspace: Workspace,
  user: User,
  container: Container,
  control: Control,
  value: string,
): Json {
  const { action_id, block_id } = control;
  return {
    type: "block_suggestion",
    ...about(workspace, user),
    ...containerFields(workspace, container),
    action_id,
    block_id,
    value,
  };
}

function containerFields(workspace: Workspace, container: Container): Json {
  if ("view" in container) {
    const { view } = container;
    return { container: { type: "view", view_id: view.id }, view: viewAsSent(workspace, view) };
  }
  const { message } = container;
  const channel = workspace.channels.get(message.channel);
  const ephemeral = message.ephemeralTo !== undefined;
  return {
    container: {
      type: "message",
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: ephemeral,
      ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
    },
    channel: { id: message.channel, name: channel ? payloadName(channel) : "" },
    // Slack does not store ephemeral messages, so the payload has no content.
    ...(!ephemeral && { message: asSent(workspace, message) }),
  };
}

/** A shortcut that is offered beside messages, chosen beside one. */
export function messageShortcutPayload(
  workspace: Workspace,
  user: User,
  callback_id: string,
  message: Message,
  common: Required<Common>,
): Json {
  const channel = workspace.channels.get(message.channel);
  return {
    type: "message_action",
    ...about(workspace, user),
    action_ts: workspace.nextTs(),
    callback_id,
    message_ts: message.ts,
    message: asSent(workspace, message),
    channel: { id: message.channel, name: channel ? payloadName(channel) : "" },
    ...common,
  };
}

/** A shortcut that is offered everywhere: it names no place, and the app can answer it only with a modal. */
export function globalShortcutPayload(
  workspace: Workspace,
  user: User,
  callback_id: string,
  { trigger_id }: Pick<Common, "trigger_id">,
): Json {
  return { type: "shortcut", ...about(workspace, user), action_ts: workspace.nextTs(), callback_id, trigger_id };
}

export function submissionPayload(
  workspace: Workspace,
  user: User,
  view: View,
  common: { trigger_id: string; response_urls: Json[] },
): Json {
  return { type: "view_submission", ...about(workspace, user), ...common, view: viewAsSent(workspace, view) };
}

export function closedPayload(workspace: Workspace, user: User, view: View, isCleared: boolean): Json {
  return {
    type: "view_closed",
    ...about(workspace, user),
    view: viewAsSent(workspace, view),
    is_cleared: isCleared,
  };
}

export function eventPayload(workspace: Workspace, event: Json, id: string): Json {
  const { teamId, appId, botUserId } = workspace;
  return {
    token: workspace.verificationToken,
    team_id: teamId,
    api_app_id: appId,
    event: { event_ts: workspace.nextTs(), ...event },
    type: "event_callback",
    event_id: id,
    event_time: Math.floor(workspace.clock.now() / 1_000),
    authorizations: [
      { enterprise_id: null, team_id: teamId, user_id: botUserId, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
  };
}
