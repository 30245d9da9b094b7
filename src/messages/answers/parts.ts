import type { Button } from "@slack/types";
import type { Answer } from "../../operation/answer.ts";
import type { Invocation } from "../../operation/operation.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { splitPages } from "../../views/fit.ts";
import { unmarked } from "../../views/text.ts";
import { invocationButton, invokePrefix } from "./buttons.ts";

/**
 * One message's worth of an answer of any length, with buttons to the rest. Every read passes through here, so that an operation returns
 * all that it has and nothing is cut off.
 */
export function answerPart(answer: Answer, invocation: Invocation): { answer: Answer; turns: Button[] } {
  const parts = answer.blocks ? splitPages(answer.blocks) : [];
  if (parts.length < 2) return { answer, turns: [] };
  const at = Math.min(Math.max(1, invocation.part ?? 1), parts.length);
  const blocks = [...(parts[at - 1] ?? []), context(`Part ${at} of ${parts.length}`)];
  // The list's own page buttons appear only at the ends of the parts.
  const within = [...(at > 1 ? ["back"] : []), ...(at < parts.length ? ["more"] : [])];
  const next = answer.next?.filter((step) => step.turn === undefined || !within.includes(step.turn));
  return {
    answer: {
      ...answer,
      blocks:
        at > 1 && !blocks.some((block) => isTitledBy(answer.text, block)) ? [section(answer.text), ...blocks] : blocks,
      ...(next ? { next } : {}),
    },
    turns: [
      ...(at > 1 ? turn("Back", invocation, at - 1) : []),
      ...(at < parts.length ? turn("Next", invocation, at + 1) : []),
    ],
  };
}

/** True for a table whose caption is the answer's title already. */
function isTitledBy(title: string, block: Block): boolean {
  return block.type === "data_table" && block.caption.startsWith(unmarked(title));
}

function turn(label: string, invocation: Invocation, part: number): Button[] {
  const there = { ...invocation, part, replace: true };
  return invocationButton(label, `${invokePrefix}part:${part}`, there, { operation: undefined });
}
