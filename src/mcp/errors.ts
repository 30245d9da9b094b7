import { errorText } from "../access/error-text.ts";
import { InputError, Refusal } from "../operation/errors.ts";
import { unmarked } from "../views/text.ts";

/** A call that did nothing, with the sentence for the agent. */
export class AgentError extends Error {
  override readonly name = "AgentError";
}

/** Any error as a sentence for an agent. It never shows a key, a stack or another member's data. */
export function sentenceOf(error: unknown, now: number): string {
  return error instanceof AgentError ? error.message : plainText(errorText(error, now).text);
}

/** False for the answers that an agent causes by itself: they would fill the log. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof AgentError || error instanceof Refusal || error instanceof InputError);
}

/** mrkdwn as plain text, without Slack's references. */
export function plainText(text: string): string {
  return unmarked(
    text.replaceAll(/<[@#]([A-Z0-9]+)(?:\|[^<>]*)?>/g, "$1").replaceAll(/<(https?:[^|<>]+)(?:\|[^<>]*)?>/g, "$1"),
  );
}
