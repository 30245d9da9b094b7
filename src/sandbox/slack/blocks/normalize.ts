import { newSecret } from "../wire/ids.ts";
import { isObject, type Json } from "../wire/json.ts";
import type { Block } from "./block.ts";

/** Blocks as Slack stores them: ids made up where the app gave none, defaults of text objects filled in. */
export function asPosted(blocks: unknown): Block[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.filter(isObject).map((block) => {
    const { type, block_id: given, ...rest } = withDefaults(block);
    const block_id = typeof given === "string" ? given : newSecret(3);
    return { type: String(type), block_id, ...rest };
  });
}

function withDefaults(object: Json): Json {
  const filled = Object.fromEntries(Object.entries(object).map(([name, value]) => [name, filledIn(value)]));
  if (object.type === "plain_text" && object.emoji === undefined) filled.emoji = true;
  if (object.type === "mrkdwn" && object.verbatim === undefined) filled.verbatim = false;
  if (isInteractive(object) && object.action_id === undefined) filled.action_id = newSecret(3);
  return filled;
}

function filledIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filledIn);
  return isObject(value) ? withDefaults(value) : value;
}

const interactive = /^(button|overflow|checkboxes|radio_buttons|(multi_)?\w+_select|\w+picker|\w+_input)$/;

export function isInteractive(element: Json): boolean {
  return typeof element.type === "string" && interactive.test(element.type);
}
