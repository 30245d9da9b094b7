import type { ViewState } from "../blocks/block.ts";
import { suggestions } from "../blocks/composition.ts";
import { stateOf, valueFields, withEntry } from "../blocks/control-state.ts";
import type { Control } from "../blocks/controls.ts";
import { issuesIn } from "../blocks/schema.ts";
import { actionsPayload, blocksOf, type Container, suggestionPayload } from "../delivery/payloads.ts";
import { isObject, type Json, objectsAt, textAt } from "../wire/json.ts";
import type { User } from "../workspace/users.ts";
import { findView } from "../workspace/view-stack.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { interact, type SlackContext } from "./composer.ts";
import { ShownError } from "./shown-error.ts";

/** Stores the entered values in the live view; those of a message go along with each action. */
function keepEntry(workspace: Workspace, container: Container, control: Control, entry: Json): void {
  if (!("view" in container)) return;
  const views = [container.view, findView(workspace, { id: container.view.id })];
  for (const view of views) {
    if (view) view.state = withEntry(view.state, control.block_id, control.action_id, { type: control.type, ...entry });
  }
}

/**
 * Uses a control: a press, a choice, an entry that dispatches. `entered` is what was chosen or entered, under the field
 * that its type has in Slack's payloads; for a button it is empty.
 */
export async function act(
  context: SlackContext,
  user: User,
  container: Container,
  control: Control,
  entered: Json,
  before?: ViewState,
): Promise<void> {
  const { workspace, triggers, responses } = context;
  keepEntry(workspace, container, control, entered);
  if (!control.dispatches) return;
  const action = actionOf(workspace, control, entered);
  const shown = "message" in container ? messageState(container, control, entered, before) : { values: {} };
  const trigger_id = triggers.issue(
    user.id,
    "view" in container && container.view.type === "modal" ? container.view.id : undefined,
  );
  const common =
    "message" in container
      ? { trigger_id, response_url: responses.issue(user.id, container.message.channel, container.message) }
      : { trigger_id };
  const payload = actionsPayload(workspace, user, container, action, shown, common);
  await interact(context, payload, (error) => `"${control.label}" failed with the error "${error}".`);
}

function messageState(container: Container, control: Control, entered: Json, before?: ViewState): ViewState {
  const state = stateOf(blocksOf(container), before);
  if (!valueFields[control.type]) return state;
  return withEntry(state, control.block_id, control.action_id, { type: control.type, ...entered });
}

function actionOf(workspace: Workspace, control: Control, entered: Json): Json {
  const { element, type, action_id, block_id } = control;
  const said = ["text", "value", "style", "url", "confirm", "placeholder"].filter(
    (name) => element[name] !== undefined,
  );
  const shown = Object.fromEntries(said.map((name) => [name, element[name]]));
  return { type, action_id, block_id, ...shown, ...entered, action_ts: workspace.nextTs() };
}

export interface Choice {
  text: string;
  value: string;
  description?: string;
  group?: string;
  /** The option as the app gave it, which is what it gets back. */
  option: Json;
}

/** Asks the app what a typeahead menu has to offer. */
export async function suggest(
  context: SlackContext,
  user: User,
  container: Container,
  control: Control,
  query: string,
): Promise<Choice[]> {
  const { workspace } = context;
  const { min_query_length: least = 3 } = control.element;
  if (typeof least === "number" && query.length < least)
    throw new ShownError("query_too_short", `"${control.label}" searches from ${least} characters on.`);
  const payload = suggestionPayload(workspace, user, container, control, query);
  const answer = await interact(
    context,
    payload,
    (error) => `"${control.label}" could not load its choices: ${error}.`,
  );
  const reasons = issuesIn(suggestions, answer, "");
  if (reasons.length > 0) {
    workspace.violations.push({ method: "block_suggestion", error: "invalid_response", reasons });
    throw new ShownError("invalid_response", `"${control.label}" could not load its choices: ${reasons.join("; ")}`);
  }
  return choicesIn(answer);
}

/** The choices of an answer, or of a menu that lists its own. */
export function choicesIn(menu: Json): Choice[] {
  const groups = objectsAt(menu, "option_groups");
  const grouped = groups.flatMap((group) =>
    objectsAt(group, "options").map((option) => choiceOf(option, words(group.label))),
  );
  return [...objectsAt(menu, "options").map((option) => choiceOf(option)), ...grouped];
}

function choiceOf(option: Json, group?: string): Choice {
  return {
    text: words(option.text),
    value: textAt(option, "value") ?? "",
    ...(option.description !== undefined && { description: words(option.description) }),
    ...(group !== undefined && { group }),
    option,
  };
}

/** The words of a text object. */
export function words(text: unknown): string {
  return isObject(text) ? (textAt(text, "text") ?? "") : "";
}
