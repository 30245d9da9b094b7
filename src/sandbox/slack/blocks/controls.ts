import { isObject, type Json, objectAt, textAt } from "../wire/json.ts";
import type { Block } from "./block.ts";
import { elementsOf } from "./blocks.ts";
import { isInteractive } from "./normalize.ts";

/** Something in a message or view that a person can press, choose or fill in. */
export interface Control {
  block: Block;
  element: Json;
  type: string;
  action_id: string;
  block_id: string;
  /** Its name for a person: a button's text, an input's label, or a menu's placeholder. */
  label: string;
  /** True when using it sends something at once; false for an input that waits for the submit. */
  dispatches: boolean;
}

/** All controls, from the top down. */
export function controlsOf(blocks: Block[]): Control[] {
  return blocks.flatMap((block) =>
    elementsOf(block)
      .filter(isInteractive)
      .map((element) => ({
        block,
        element,
        type: textAt(element, "type") ?? "",
        action_id: textAt(element, "action_id") ?? "",
        block_id: block.block_id,
        label: labelOf(block, element),
        dispatches: block.type !== "input" || block.dispatch_action === true,
      })),
  );
}

function labelOf(block: Block, element: Json): string {
  const named = [objectAt(element, "text"), objectAt(block, "label"), objectAt(element, "placeholder")];
  return named.filter(isObject).map((text) => textAt(text, "text"))[0] ?? "";
}

export type Target = string | { label?: string; actionId?: string; blockId?: string; index?: number };

/** The control that a target names: a plain string is a label, or else an action_id, or else a block_id. */
export function findControl(blocks: Block[], target: Target): Control | undefined {
  const controls = controlsOf(blocks);
  if (typeof target === "string") {
    return (
      controls.find((control) => control.label === target) ??
      controls.find((control) => control.action_id === target) ??
      controls.find((control) => control.block_id === target)
    );
  }
  const { label, actionId, blockId, index = 0 } = target;
  const fitting = controls.filter(
    (control) =>
      (label === undefined || control.label === label) &&
      (actionId === undefined || control.action_id === actionId) &&
      (blockId === undefined || control.block_id === blockId),
  );
  return fitting[index];
}
