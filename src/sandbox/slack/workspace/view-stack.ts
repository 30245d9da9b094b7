import { limits } from "../../../views/limits.ts";
import { stateOf } from "../blocks/control-state.ts";
import { asPosted } from "../blocks/normalize.ts";
import { newId, newSecret } from "../wire/ids.ts";
import { flagAt, type Json, objectAt, textAt } from "../wire/json.ts";
import type { View, Workspace } from "./workspace.ts";

/** A view that a user has not seen before, from what the app sent. */
export function newView(user: string, sent: Json, type: View["type"], window?: string): View {
  const id = newId("V");
  const view = { id, type, user, window, root_view_id: id, previous_view_id: null, state: { values: {} } };
  return { ...view, ...contentOf(sent, view.state) };
}

function contentOf(sent: Json, before: View["state"]) {
  const blocks = asPosted(sent.blocks);
  return {
    blocks,
    state: stateOf(blocks, before),
    hash: newSecret(10),
    private_metadata: textAt(sent, "private_metadata") ?? "",
    callback_id: textAt(sent, "callback_id") ?? "",
    external_id: textAt(sent, "external_id") ?? "",
    title: objectAt(sent, "title") ?? null,
    submit: objectAt(sent, "submit") ?? null,
    close: objectAt(sent, "close") ?? null,
    clear_on_close: flagAt(sent, "clear_on_close"),
    notify_on_close: flagAt(sent, "notify_on_close"),
  };
}

/** Replaces what a view shows; it stays the same view, and what was entered stays where its element stays. */
export function replaceContent(workspace: Workspace, view: View, sent: Json): void {
  Object.assign(view, contentOf(sent, view.state));
  workspace.changed({ what: view.type, user: view.user, shown: view });
}

/** Opens a modal for a user; one that was open is replaced with its whole stack. */
export function openModal(workspace: Workspace, user: string, sent: Json, window?: string): View {
  const view = newView(user, sent, "modal", window);
  workspace.modals.set(user, [view]);
  workspace.changed({ what: "modal", user, shown: view });
  return view;
}

/** Puts a view on top of a user's stack; undefined when the stack is full. */
export function pushModal(workspace: Workspace, user: string, sent: Json): View | undefined {
  const stack = workspace.modals.get(user) ?? [];
  if (stack.length >= limits.view.stack) return undefined;
  const below = stack.at(-1);
  const view = newView(user, sent, "modal", below?.window);
  if (below) {
    view.root_view_id = below.root_view_id;
    view.previous_view_id = below.id;
  }
  workspace.modals.set(user, [...stack, view]);
  workspace.changed({ what: "modal", user, shown: view });
  return view;
}

/** Takes a view, and those on top of it, off its user's stack. */
export function closeView(workspace: Workspace, view: View): void {
  const stack = workspace.modals.get(view.user) ?? [];
  const index = stack.findIndex((other) => other.id === view.id);
  if (index < 0) return;
  workspace.modals.set(view.user, stack.slice(0, index));
  workspace.changed({ what: "modal", user: view.user });
}

export function clearStack(workspace: Workspace, user: string): void {
  workspace.modals.delete(user);
  workspace.changed({ what: "modal", user });
}

/** An open view by id or external_id, of whichever user. */
export function findView(
  workspace: Workspace,
  by: { id?: string | undefined; external?: string | undefined },
): View | undefined {
  const open = [...[...workspace.modals.values()].flat(), ...workspace.homes.values()];
  if (by.id !== undefined) return open.find((view) => view.id === by.id);
  return open.find((view) => by.external !== undefined && view.external_id === by.external);
}

/** A view as Slack's API and payloads show it. */
export function viewAsSent(workspace: Workspace, view: View): Json {
  const { user: _user, window: _window, ...shown } = structuredClone(view);
  const { teamId, appId, botId } = workspace;
  return { ...shown, team_id: teamId, app_id: appId, app_installed_team_id: teamId, bot_id: botId };
}
