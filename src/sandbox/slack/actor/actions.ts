import type { Block, ViewState } from "../blocks/block.ts";
import { suggestions } from "../blocks/composition.ts";
import { holdings, stateOf, withEntry } from "../blocks/control-state.ts";
import type { Control } from "../blocks/controls.ts";
import { faultsOf } from "../blocks/schema.ts";
import { actionsPayload, type Surface, suggestionPayload } from "../delivery/payloads.ts";
import { isObject, type Json, objectsAt, textAt } from "../json.ts";
import type { User } from "../workspace/cast.ts";
import { findView } from "../workspace/view-stack.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Desk } from "./composer.ts";
import { ShownError } from "./shown-error.ts";

function blocksOf(surface: Surface): Block[] {
  return "view" in surface ? surface.view.blocks : surface.message.blocks;
}

/** Keeps what was entered in the live view; a message's is sent along with each action. */
function keepEntry(workspace: Workspace, surface: Surface, control: Control, entry: Json): void {
  if (!("view" in surface)) return;
  const views = [surface.view, findView(workspace, { id: surface.view.id })];
  for (const view of views) {
    if (view) view.state = withEntry(view.state, control.block_id, control.action_id, { type: control.type, ...entry });
  }
}

/**
 * Uses a control: a press, a choice, an entry that dispatches. `held` is what was chosen or entered, under the field
 * that its type has in Slack's payloads; for a button it is empty.
 */
export async function act(
  desk: Desk,
  user: User,
  surface: Surface,
  control: Control,
  held: Json,
  before?: ViewState,
): Promise<void> {
  const { workspace, delivery, triggers, responses } = desk;
  keepEntry(workspace, surface, control, held);
  if (!control.dispatches) return;
  const action = actionOf(workspace, control, held);
  const shown = "message" in surface ? messageState(surface, control, held, before) : { values: {} };
  const trigger_id = triggers.issue(
    user.id,
    "view" in surface && surface.view.type === "modal" ? surface.view.id : undefined,
  );
  const common =
    "message" in surface
      ? { trigger_id, response_url: responses.issue(user.id, surface.message.channel, surface.message) }
      : { trigger_id };
  const payload = actionsPayload(workspace, user, surface, action, shown, common);
  const receipt = await delivery.send({ type: "interactive", payload });
  if (!receipt.acked)
    throw new ShownError(receipt.error, `"${control.label}" failed with the error "${receipt.error}".`);
}

function messageState(surface: Surface, control: Control, held: Json, before?: ViewState): ViewState {
  const state = stateOf(blocksOf(surface), before);
  if (!holdings[control.type]) return state;
  return withEntry(state, control.block_id, control.action_id, { type: control.type, ...held });
}

function actionOf(workspace: Workspace, control: Control, held: Json): Json {
  const { element, type, action_id, block_id } = control;
  const said = ["text", "value", "style", "url", "confirm", "placeholder"].filter(
    (name) => element[name] !== undefined,
  );
  const shown = Object.fromEntries(said.map((name) => [name, element[name]]));
  return { type, action_id, block_id, ...shown, ...held, action_ts: workspace.nextTs() };
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
  desk: Desk,
  user: User,
  surface: Surface,
  control: Control,
  query: string,
): Promise<Choice[]> {
  const { workspace, delivery } = desk;
  const { min_query_length: least = 3 } = control.element;
  if (typeof least === "number" && query.length < least)
    throw new ShownError("query_too_short", `"${control.label}" searches from ${least} characters on.`);
  const payload = suggestionPayload(workspace, user, surface, control, query);
  const receipt = await delivery.send({ type: "interactive", payload });
  if (!receipt.acked)
    throw new ShownError(receipt.error, `"${control.label}" could not load its choices: ${receipt.error}.`);
  const reasons = faultsOf(suggestions, receipt.answer ?? {}, "");
  if (reasons.length > 0) {
    workspace.violations.push({ method: "block_suggestion", error: "invalid_response", reasons });
    throw new ShownError("invalid_response", `"${control.label}" could not load its choices: ${reasons.join("; ")}`);
  }
  return choicesIn(receipt.answer ?? {});
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
