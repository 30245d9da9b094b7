// page/: what the browser page of the workspace (src/sandbox/page) is served: its files, what a person sees, and what
// they do.

import type { IncomingMessage, ServerResponse } from "node:http";
import { act, suggest } from "../actor/actions.ts";
import { openHome, type SlackContext, say, typeCommand } from "../actor/composer.ts";
import { chooseAnywhere, chooseByMessage } from "../actor/shortcuts.ts";
import { ShownError } from "../actor/shown-error.ts";
import { close, submit } from "../actor/submission.ts";
import type { ViewState } from "../blocks/block.ts";
import { stateOf, valueFields } from "../blocks/control-state.ts";
import { type Control, controlsOf } from "../blocks/controls.ts";
import { blocksOf, type Container } from "../delivery/payloads.ts";
import { readJson, sendJson } from "../wire/http.ts";
import { isObject, type Json, objectAt, textAt } from "../wire/json.ts";
import { messageAt } from "../workspace/messages.ts";
import { setUsergroup } from "../workspace/usergroups.ts";
import type { User } from "../workspace/users.ts";
import { findView } from "../workspace/view-stack.ts";
import type { PracticeAgent, View, Workspace } from "../workspace/workspace.ts";
import { streamChanges } from "./changes.ts";
import { stateFromPage } from "./uploads.ts";
import { channelView, stateView, viewShown } from "./views.ts";

type Post = (context: SlackContext, user: User, body: Json) => Promise<Json | undefined>;

/** Everything that the page can do in a person's name. */
const posts: Record<string, Post> = {
  "/page/command": async (context, user, body) => {
    await typeCommand(context, user, textOf(body, "channel"), textOf(body, "text"));
    return undefined;
  },
  "/page/say": async (context, user, body) => {
    await say(context, user, textOf(body, "channel"), textOf(body, "text"), textAt(body, "thread"));
    return undefined;
  },
  "/page/shortcut": async (context, user, body) => {
    const callback = textOf(body, "callback_id");
    if (objectAt(body, "where") === undefined) {
      await chooseAnywhere(context, user, callback);
      return undefined;
    }
    const container = containerOf(context.workspace, user, body);
    if ("message" in container) await chooseByMessage(context, user, callback, container.message);
    return undefined;
  },
  "/page/action": async (context, user, body) => {
    const container = containerOf(context.workspace, user, body);
    const control = controlOf(container, body);
    const state = stateSent(context.workspace, user, container, body);
    const field = valueFields[control.type]?.field ?? (control.type === "overflow" ? "selected_option" : undefined);
    const entered = field === undefined ? {} : { [field]: body[field] ?? null };
    await act(context, user, container, control, entered, state);
    return undefined;
  },
  "/page/suggest": async (context, user, body) => {
    const container = containerOf(context.workspace, user, body);
    stateSent(context.workspace, user, container, body);
    const choices = await suggest(context, user, container, controlOf(container, body), textAt(body, "value") ?? "");
    return asMenu(choices);
  },
  "/page/submit": async (context, user, body) => {
    const view = openView(context.workspace, user, textOf(body, "view"));
    view.state = stateFromPage(context.workspace, user, view.state, body.state);
    const submitted = await submit(context, user, view);
    return "errors" in submitted ? { errors: submitted.errors } : undefined;
  },
  "/page/close": async (context, user, body) => {
    await close(context, user, openView(context.workspace, user, textOf(body, "view")), body.all === true);
    return undefined;
  },
  "/page/happening": async ({ workspace }, _user, body) => {
    const happening = workspace.happenings.find(({ id }) => id === body.id);
    if (happening === undefined) throw new ShownError("not_found", "This cannot happen here.");
    return { said: await happening.press() };
  },
  "/page/quiet": async ({ workspace }, user, body) => {
    const minutes = Number(body.minutes);
    const from = workspace.clock.now();
    if (minutes > 0) workspace.quiet.set(user.id, { from, to: from + minutes * 60_000 });
    else workspace.quiet.delete(user.id);
    workspace.changed({ what: "state" });
    return undefined;
  },
  "/page/group": async ({ workspace, events }, user, body) => {
    const group = workspace.usergroups.get(textOf(body, "group"));
    const person = workspace.users.get(textOf(body, "user"));
    if (!group || !person) throw new ShownError("not_found", "This group or this person is not here any more.");
    const others = group.users.filter((id) => id !== person.id);
    const users = body.member === true ? [...others, person.id] : others;
    setUsergroup(workspace, events, group, { users, by: user.id });
    return undefined;
  },
  "/page/agent/token": async ({ workspace }, user) => ({
    token: await agentOf(workspace).token(user.name).catch(sayWhy),
  }),
  "/page/agent/call": async ({ workspace }, _user, body) => ({
    ...(await agentOf(workspace).call(textOf(body, "token"), textOf(body, "tool"), objectAt(body, "input") ?? {})),
  }),
  "/page/home/open": async (context, user) => {
    // Slack shows nobody that an event was missed.
    await openHome(context, user).catch(() => undefined);
    return undefined;
  },
};

function textOf(body: Json, name: string): string {
  const value = textAt(body, name);
  if (value === undefined) throw new ShownError("invalid_request", `The page did not say "${name}".`);
  return value;
}

function agentOf({ agent }: Workspace): PracticeAgent {
  if (!agent) throw new ShownError("not_found", "There is no agent here.");
  return agent;
}

/** The agent rejects with a sentence, and a person who pressed must read it. */
function sayWhy(error: unknown): never {
  throw new ShownError("no_token", error instanceof Error ? error.message : "No token came.");
}

function openView(workspace: Workspace, user: User, id: string): View {
  const view = findView(workspace, { id });
  if (!view || view.user !== user.id) throw new ShownError("not_found", "This view is no longer open.");
  return view;
}

function containerOf(workspace: Workspace, user: User, body: Json): Container {
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

function controlOf(container: Container, body: Json): Control {
  const control = controlsOf(blocksOf(container)).find(
    (one) => one.block_id === body.block_id && one.action_id === body.action_id,
  );
  if (!control) throw new ShownError("not_found", "This has changed in the meantime. Look again.");
  return control;
}

/** Takes over the values of the page; in a message they only accompany the action. */
function stateSent(workspace: Workspace, user: User, container: Container, body: Json): ViewState {
  if ("message" in container) return stateFromPage(workspace, user, stateOf(container.message.blocks), body.state);
  container.view.state = stateFromPage(workspace, user, container.view.state, body.state);
  return container.view.state;
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
  context: SlackContext,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method === "POST") return sendJson(response, await answerPost(context, url.pathname, request));
    const user = userOf(context.workspace, url.searchParams.get("as"));
    if (url.pathname === "/page/events") return streamChanges(context.workspace, user, response);
    sendJson(response, answerGet(context.workspace, url, user));
  } catch (error) {
    if (!(error instanceof ShownError)) throw error;
    sendJson(response, { ok: false, error: error.message, code: error.code });
  }
}

async function answerPost(context: SlackContext, path: string, request: IncomingMessage): Promise<Json> {
  const handle = posts[path];
  // A form of another site cannot send this content type without asking first.
  const json = request.headers["content-type"]?.startsWith("application/json");
  const body = await readJson(request);
  if (!handle || !json || !isObject(body)) throw new ShownError("invalid_request", "This page cannot do that.");
  const inWindow = { ...context, triggers: context.triggers.from(textAt(body, "window")) };
  const result = await handle(inWindow, userOf(context.workspace, textAt(body, "as") ?? null), body);
  return { ok: true, ...result };
}

function userOf(workspace: Workspace, ref: string | null): User {
  const user = [...workspace.users.values()].find((one) => one.id === ref || one.name === ref);
  if (!user) throw new ShownError("user_not_found", "There is no such person here.");
  return user;
}

function answerGet(workspace: Workspace, { pathname: path, searchParams }: URL, user: User): Json {
  if (path === "/page/state") return stateView(workspace, user);
  if (path === "/page/home") return { view: viewShown(workspace, workspace.homes.get(user.id)) };
  if (path === "/page/modal") {
    const stack = workspace.modals.get(user.id) ?? [];
    const here = stack.filter(({ window }) => window === undefined || window === searchParams.get("window"));
    return { stack: here.map((view) => viewShown(workspace, view)) };
  }
  if (path === "/page/guide") {
    const page = workspace.guide.find(({ name }) => name === searchParams.get("name"));
    if (!page) throw new ShownError("not_found", "The guide has no such page.");
    return { title: page.title, text: page.text };
  }
  const channel = workspace.channels.get(path.replace("/page/channel/", ""));
  if (!channel?.members.has(user.id)) throw new ShownError("channel_not_found", "There is no such channel here.");
  return channelView(workspace, channel, user, searchParams.get("since") ?? "");
}
