import { context, section } from "../views/blocks.ts";
import { code, listing } from "../views/text.ts";
import type { Act } from "./act.ts";
import type { Answer, Preconditions, Review } from "./answer.ts";

// The spec may not list a state of a target. Then it may be harmless or forbid everything, so that reads go on as usual, answers offer no act on
// it, and a typed act asks first with words about the state.

/** The same key in every version: open requests are compared by it. */
export const unlistedKey = "unlistedState";

/** "the state “locked”". */
function named(states: readonly string[]): string {
  const words = states.map((state) => `“${state.replaceAll("_", " ")}”`);
  return `the state${words.length > 1 ? "s" : ""} ${listing(words)}`;
}

/** A state that appears or goes after the decision voids it. */
export function unlistedPreconditions(states: readonly string[]): Preconditions {
  if (states.length === 0) return {};
  const label = "State that Rackbell does not know";
  return { [unlistedKey]: { value: [...states], label, text: named(states), decides: "known" } };
}

/** The heading of such targets in a request for several; their names follow it after a colon. */
export function unlistedHeading(states: readonly string[]): string {
  return `In ${named(states)}, which Rackbell does not know, so the platform may refuse this or do more than Rackbell says`;
}

/** The review with a warning for whoever decides; as it is where every state is listed. */
export function withCaution(review: Review, { unlisted, target }: Pick<Act, "unlisted" | "target">): Review {
  if (unlisted.length === 0 || unlistedKey in review.preconditions) return review;
  const preconditions = { ...review.preconditions, ...unlistedPreconditions(unlisted) };
  const of = target ? ` of ${code(target.name)}` : "";
  const words = `Rackbell does not know ${named(unlisted)}${of}. The platform may refuse this, or do more than Rackbell says here.`;
  // A dialog has room for the first sentences alone.
  return review.consequence === ""
    ? { ...review, preconditions, consequence: words }
    : { ...review, preconditions, warnings: [words, ...review.warnings] };
}

/** The answer of a read about such a target, which says why it offers no act, and how one is still possible. */
export function withStateNote(answer: Answer, states: readonly string[]): Answer {
  const note = `:grey_question: Rackbell does not know ${named(states)}, so it offers no act here. You can still type one: Rackbell then asks first.`;
  return {
    ...answer,
    text: `${answer.text} ${note}`,
    blocks: [...(answer.blocks ?? [section(answer.text)]), context(note)],
  };
}
