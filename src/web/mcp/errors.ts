import { errorText } from "../../messages/answers/error-text.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { listing, unmarked } from "../../views/text.ts";

/** A call that did nothing, with the sentence for the agent. */
export class AgentError extends Error {
  override readonly name = "AgentError";
}

/** Any error as a sentence for an agent. It never shows a key, a stack or another member's data. */
export function agentSentence(error: unknown, now: number): string {
  if (error instanceof AgentError) return error.message;
  const { text, next } = errorText(error, now, ownerWords);
  const steps = next.map(({ command }) => `/${command}`);
  const ask = steps.length === 0 ? "" : ` Ask your owner: ${listing([...new Set(steps)], "or")} in Slack may help.`;
  return unmarkedText(`${text}${ask}`);
}

const ownerWords = {
  key: "the key of your owner",
  account: "The account of your owner",
  own: false,
  verb: "link",
} as const;

/** False for the answers that an agent causes by itself: they would fill the log. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof AgentError || error instanceof Refusal || error instanceof InputError);
}

/** mrkdwn as plain text, without Slack's references. */
export function unmarkedText(text: string): string {
  return unmarked(text, (reference) =>
    reference.replace(/^<(?:[@#]([A-Z0-9]+)|(https?:[^|<>]+))(?:\|[^<>]*)?>$/, "$1$2"),
  );
}
