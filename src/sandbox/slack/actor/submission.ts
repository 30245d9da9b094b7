import { controlsOf } from "../blocks/controls.ts";
import { formErrors } from "../blocks/form-errors.ts";
import { refusedView } from "../blocks/views.ts";
import { closedPayload, submissionPayload } from "../delivery/payloads.ts";
import { isObject, type Json, textAt } from "../wire/json.ts";
import type { User } from "../workspace/users.ts";
import { clearStack, closeView, findView, pushModal, replaceContent } from "../workspace/view-stack.ts";
import type { View, Workspace } from "../workspace/workspace.ts";
import { interact, type SlackContext } from "./composer.ts";
import { ShownError } from "./shown-error.ts";

export type Submitted = { closed: true } | { errors: Record<string, string> } | { view: View };

/** Submits a modal and does what the app answers: close, errors, update, push or clear. */
export async function submit(context: SlackContext, user: User, view: View): Promise<Submitted> {
  const { workspace, triggers } = context;
  if (!view.submit) throw new ShownError("not_found", "This modal has no button that submits it.");
  const errors = formErrors(view);
  if (Object.keys(errors).length > 0) return { errors };
  const common = { trigger_id: triggers.issue(user.id, view.id), response_urls: responseUrls(context, user, view) };
  const payload = submissionPayload(workspace, user, view, common);
  const answer = await interact(context, payload, (error) => `Submitting failed with the error "${error}".`);
  return applyResponse(workspace, view, answer);
}

function applyResponse(workspace: Workspace, view: View, answer: Json): Submitted {
  switch (answer.response_action) {
    case undefined:
      closeView(workspace, view);
      return { closed: true };
    case "clear":
      clearStack(workspace, view.user);
      return { closed: true };
    case "errors":
      return { errors: checkedErrors(workspace, view, answer.errors) };
    case "update": {
      replaceContent(workspace, view, accepted(workspace, answer.view));
      return { view };
    }
    case "push": {
      const pushed = pushModal(workspace, view.user, accepted(workspace, answer.view));
      if (!pushed) refuse(workspace, ["[ERROR] push_limit_reached"]);
      return { view: pushed ?? view };
    }
    default:
      return refuse(workspace, [`[ERROR] unknown response_action: ${String(answer.response_action)}`]);
  }
}

function checkedErrors(workspace: Workspace, view: View, errors: unknown): Record<string, string> {
  const given = isObject(errors) ? Object.entries(errors) : [];
  const inputs = view.blocks.filter((block) => block.type === "input").map((block) => block.block_id);
  const wrong = given.filter(
    ([block_id, text]) => !inputs.includes(block_id) || typeof text !== "string" || text === "",
  );
  if (given.length === 0) refuse(workspace, ["[ERROR] errors is empty"]);
  if (wrong.length > 0)
    refuse(
      workspace,
      wrong.map(([block_id]) => `[ERROR] no input block for this error: ${block_id}`),
    );
  return Object.fromEntries(given.map(([block_id, text]) => [block_id, String(text)]));
}

function accepted(workspace: Workspace, sent: unknown): Json {
  const reasons = refusedView(sent, "modal", workspace.withoutBlocks);
  if (reasons.length > 0 || !isObject(sent)) return refuse(workspace, reasons);
  return sent;
}

function refuse(workspace: Workspace, reasons: string[]): never {
  workspace.violations.push({ method: "view_submission", error: "invalid_response", reasons });
  throw new ShownError("invalid_response", `Slack refused the answer to the form: ${reasons.join("; ")}`);
}

/** Menus of conversations may ask for a response URL to the one that is chosen. */
function responseUrls({ responses }: SlackContext, user: User, view: View): Json[] {
  return controlsOf(view.blocks).flatMap(({ element, block_id, action_id }) => {
    const entry = view.state.values[block_id]?.[action_id] ?? {};
    const channel_id = textAt(entry, "selected_conversation") ?? textAt(entry, "selected_channel");
    if (element.response_url_enabled !== true || channel_id === undefined) return [];
    return [{ block_id, action_id, channel_id, response_url: responses.issue(user.id, channel_id) }];
  });
}

/** Closes a modal, or with `all` the whole stack; the app gets an event if it asked for one. */
export async function close(context: SlackContext, user: User, view: View, all: boolean): Promise<void> {
  const { workspace } = context;
  const stack = workspace.modals.get(user.id) ?? [];
  const closed = all || view.clear_on_close ? [...stack].reverse() : [view];
  if (!findView(workspace, { id: view.id })) throw new ShownError("not_found", "This modal is no longer open.");
  if (closed.length > 1 || all) clearStack(workspace, user.id);
  else closeView(workspace, view);
  for (const one of closed.filter((other) => other.notify_on_close)) {
    const payload = closedPayload(workspace, user, one, all || view.clear_on_close);
    await interact(context, payload, (error) => `Closing was not acknowledged: ${error}.`);
  }
}
