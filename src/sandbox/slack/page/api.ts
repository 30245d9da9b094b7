import type { IncomingMessage, ServerResponse } from "node:http";
import { act, suggest } from "../actor/actions.ts";
import { type Desk, openHome, say, typeCommand } from "../actor/composer.ts";
import { ShownError } from "../actor/shown-error.ts";
import { close, submit } from "../actor/submission.ts";
import type { ViewState } from "../blocks/block.ts";
import { holdings, stateOf } from "../blocks/control-state.ts";
import { type Control, controlsOf } from "../blocks/controls.ts";
import type { Surface } from "../delivery/payloads.ts";
import { isObject, type Json, objectAt, textAt } from "../json.ts";
import { readJson, sendJson } from "../web.ts";
import type { User } from "../workspace/cast.ts";
import { messageAt } from "../workspace/messages.ts";
import { findView } from "../workspace/view-stack.ts";
import type { View, Workspace } from "../workspace/workspace.ts";
import { streamChanges } from "./changes.ts";
import { stateFromPage } from "./uploads.ts";
import { channelView, stateView, viewShown } from "./views.ts";

type Post = (desk: Desk, user: User, body: Json) => Promise<Json | undefined>;

/** Everything that the page can do in a person's name. */
const posts: Record<string, Post> = {
  "/page/command": async (desk, user, body) => {
    await typeCommand(desk, user, textOf(body, "channel"), textOf(body, "text"));
    return undefined;
  },
  "/page/say": async (desk, user, body) => {
    await say(desk, user, textOf(body, "channel"), textOf(body, "text"));
    return undefined;
  },
  "/page/action": async (desk, user, body) => {
    const surface = surfaceOf(desk.workspace, user, body);
    const control = controlOf(surface, body);
    const state = heldState(desk.workspace, user, surface, body);
    const field = holdings[control.type]?.field ?? (control.type === "overflow" ? "selected_option" : undefined);
    const held = field === undefined ? {} : { [field]: body[field] ?? null };
    await act(desk, user, surface, control, held, state);
    return undefined;
  },
  "/page/suggest": async (desk, user, body) => {
    const surface = surfaceOf(desk.workspace, user, body);
    heldState(desk.workspace, user, surface, body);
    const choices = await suggest(desk, user, surface, controlOf(surface, body), textAt(body, "value") ?? "");
    return asMenu(choices);
  },
  "/page/submit": async (desk, user, body) => {
    const view = openView(desk.workspace, user, textOf(body, "view"));
    view.state = stateFromPage(desk.workspace, user, view.state, body.state);
    const submitted = await submit(desk, user, view);
    return "errors" in submitted ? { errors: submitted.errors } : undefined;
  },
  "/page/close": async (desk, user, body) => {
    await close(desk, user, openView(desk.workspace, user, textOf(body, "view")), body.all === true);
    return undefined;
  },
  "/page/home/open": async (desk, user) => {
    // Slack shows nobody that an event was missed.
    await openHome(desk, user).catch(() => undefined);
    return undefined;
  },
};

function textOf(body: Json, name: string): string {
  const value = textAt(body, name);
  if (value === undefined) throw new ShownError("invalid_request", `The page did not say "${name}".`);
  return value;
}

function openView(workspace: Workspace, user: User, id: string): View {
  const view = findView(workspace, { id });
  if (!view || view.user !== user.id) throw new ShownError("not_found", "This view is no longer open.");
  return view;
}

function surfaceOf(workspace: Workspace, user: User, body: Json): Surface {
  const where = objectAt(body, "where") ?? {};
  if (where.home === true) {
    const home = workspace.homes.get(user.id);
    if (home) return { view: home };
  }
  if (typeof where.view === "string") return { view: openView(workspace, user, where.view) };
  const message = messageAt(workspace, textAt(where, "channel") ?? "", textAt(where, "ts") ?? "", user.id);
  if (!message) throw new ShownError("not_found", "This message is no longer there.");
  return { message };
}

function controlOf(surface: Surface, body: Json): Control {
  const blocks = "view" in surface ? surface.view.blocks : surface.message.blocks;
  const control = controlsOf(blocks).find((one) => one.block_id === body.block_id && one.action_id === body.action_id);
  if (!control) throw new ShownError("not_found", "This has changed in the meantime. Look again.");
  return control;
}

/** Takes over what the page holds; in a message it only accompanies the action. */
function heldState(workspace: Workspace, user: User, surface: Surface, body: Json): ViewState {
  if ("message" in surface) return stateFromPage(workspace, user, stateOf(surface.message.blocks), body.state);
  surface.view.state = stateFromPage(workspace, user, surface.view.state, body.state);
  return surface.view.state;
}

function asMenu(choices: Awaited<ReturnType<typeof suggest>>): Json {
  if (choices.every((choice) => choice.group === undefined)) return { options: choices.map((choice) => choice.option) };
  const groups = [...new Set(choices.map((choice) => choice.group ?? ""))];
  const option_groups = groups.map((group) => ({
    label: { type: "plain_text", text: group },
    options: choices.filter((choice) => (choice.group ?? "") === group).map((choice) => choice.option),
  }));
  return { option_groups };
}

/** Answers a request under `/page/`. */
export async function servePage(
  desk: Desk,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method === "POST") return sendJson(response, await answerPost(desk, url.pathname, request));
    const user = userOf(desk.workspace, url.searchParams.get("as"));
    if (url.pathname === "/page/events") return streamChanges(desk.workspace, user, response);
    sendJson(response, answerGet(desk.workspace, url.pathname, user));
  } catch (error) {
    if (!(error instanceof ShownError)) throw error;
    sendJson(response, { ok: false, error: error.message, code: error.code });
  }
}

async function answerPost(desk: Desk, path: string, request: IncomingMessage): Promise<Json> {
  const handle = posts[path];
  // A form of another site cannot send this content type without asking first.
  const json = request.headers["content-type"]?.startsWith("application/json");
  const body = await readJson(request);
  if (!handle || !json || !isObject(body)) throw new ShownError("invalid_request", "This page cannot do that.");
  const result = await handle(desk, userOf(desk.workspace, textAt(body, "as") ?? null), body);
  return { ok: true, ...result };
}

function userOf(workspace: Workspace, ref: string | null): User {
  const user = [...workspace.users.values()].find((one) => one.id === ref || one.name === ref);
  if (!user) throw new ShownError("user_not_found", "There is no such person here.");
  return user;
}

function answerGet(workspace: Workspace, path: string, user: User): Json {
  if (path === "/page/state") return stateView(workspace, user);
  if (path === "/page/home") return { view: viewShown(workspace, workspace.homes.get(user.id)) };
  if (path === "/page/modal") {
    return { stack: (workspace.modals.get(user.id) ?? []).map((view) => viewShown(workspace, view)) };
  }
  const channel = workspace.channels.get(path.replace("/page/channel/", ""));
  if (!channel?.members.has(user.id)) throw new ShownError("channel_not_found", "There is no such channel here.");
  return channelView(workspace, channel, user);
}
