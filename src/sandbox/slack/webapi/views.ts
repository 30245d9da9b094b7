import { refusedView, tooLarge } from "../blocks/views.ts";
import type { Exchanged } from "../delivery/triggers.ts";
import { isObject, type Json, objectAt, objectsAt, textAt } from "../wire/json.ts";
import { findView, newView, openModal, pushModal, replaceContent, viewAsSent } from "../workspace/view-stack.ts";
import type { View, Workspace } from "../workspace/workspace.ts";
import { type Method, type MethodContext, needed } from "./method.ts";
import { Refusal } from "./refusal.ts";

/** The view in the arguments, if Slack would take it. */
function acceptedView(args: Json, context: MethodContext, type: View["type"], replacing?: View): Json {
  const { view } = args;
  const reasons = refusedView(view, type, context.workspace.withoutBlocks);
  if (reasons.length > 0 || !isObject(view)) throw new Refusal("invalid_arguments", reasons);
  refuseFileInput(view, context.workspace);
  if (tooLarge(view)) throw new Refusal("view_too_large");
  const external = textAt(view, "external_id") || undefined;
  const taken = findView(context.workspace, { external });
  if (taken && taken.id !== replacing?.id) throw new Refusal("duplicate_external_id");
  return view;
}

/** Slack's reference demands the scope for this element, and names no error. */
function refuseFileInput(view: Json, { manifest, scopes }: Workspace): void {
  const takesFiles = objectsAt(view, "blocks").some((block) => objectAt(block, "element")?.type === "file_input");
  if (takesFiles && manifest && !scopes.has("files:read"))
    throw new Refusal("missing_scope", [], { needed: "files:read", provided: [...scopes].join(",") });
}

function exchange(args: Json, { triggers }: MethodContext): Exchanged {
  const exchanged = triggers.exchange(needed(args, "trigger_id"));
  if ("error" in exchanged) throw new Refusal(exchanged.error);
  return exchanged;
}

function refuseStale(args: Json, view: View | undefined): void {
  const hash = textAt(args, "hash");
  if (hash !== undefined && view !== undefined && hash !== view.hash) throw new Refusal("hash_conflict");
}

const open: Method = {
  handle(args, context) {
    const view = acceptedView(args, context, "modal");
    const { user, window } = exchange(args, context);
    return { view: viewAsSent(context.workspace, openModal(context.workspace, user, view, window)) };
  },
};

const push: Method = {
  handle(args, context) {
    const sent = acceptedView(args, context, "modal");
    const { user, view: from } = exchange(args, context);
    // A view can only be pushed by a trigger that came from the stack that it goes on.
    if (!from || !findView(context.workspace, { id: from })) throw new Refusal("not_found");
    const view = pushModal(context.workspace, user, sent);
    if (!view) throw new Refusal("push_limit_reached");
    return { view: viewAsSent(context.workspace, view) };
  },
};

const update: Method = {
  handle(args, context) {
    const [id, external] = [textAt(args, "view_id"), textAt(args, "external_id")];
    if (id === undefined && external === undefined)
      throw new Refusal("invalid_arguments", ["[ERROR] missing required field: view_id or external_id"]);
    const view = findView(context.workspace, { id, external });
    if (!view) throw new Refusal("not_found");
    refuseStale(args, view);
    replaceContent(context.workspace, view, acceptedView(args, context, view.type, view));
    return { view: viewAsSent(context.workspace, view) };
  },
};

const publish: Method = {
  handle(args, context) {
    const { workspace } = context;
    const user = workspace.users.get(needed(args, "user_id"));
    if (!user || user.deleted) throw new Refusal("user_not_found");
    if (workspace.manifest?.homeTab === false) throw new Refusal("not_enabled");
    const before = workspace.homes.get(user.id);
    refuseStale(args, before);
    const sent = acceptedView(args, context, "home", before);
    const view = before ?? newView(user.id, sent, "home");
    workspace.homes.set(user.id, view);
    replaceContent(workspace, view, sent);
    return { view: viewAsSent(workspace, view) };
  },
};

export const views: Record<string, Method> = {
  "views.open": open,
  "views.push": push,
  "views.update": update,
  "views.publish": publish,
};
