import { limits } from "../../../views/limits.ts";
import { type Json, textAt } from "../wire/json.ts";
import { lengthOf, refusedBlocks } from "./blocks.ts";
import { notComeYet } from "./rollout.ts";

/** Why Slack would not show this text and these blocks as a message. */
export function refusedMessage(
  body: Json,
  withoutBlocks: ReadonlySet<string>,
): { status: number; error: string; reasons: string[] } | undefined {
  const blocks = body.blocks ?? [];
  const text = textAt(body, "text") ?? "";
  const unknown = notComeYet(blocks, withoutBlocks, "/blocks");
  const reasons = unknown.length > 0 ? unknown : refusedBlocks(blocks);
  if (reasons.length > 0) return { status: 400, error: "invalid_blocks", reasons };
  if (text === "" && Array.isArray(blocks) && blocks.length === 0) return { status: 500, error: "no_text", reasons };
  if (text.length > 40_000) return { status: 400, error: "msg_too_long", reasons };
  if (lengthOf(blocks) > limits.message.allText) return { status: 400, error: "msg_blocks_too_long", reasons };
  return undefined;
}
