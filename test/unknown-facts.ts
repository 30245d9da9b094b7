import type { Fact } from "../src/operation/answer.ts";
import { factsOfPreconditions } from "../src/operation/preconditions.ts";
import type { Request } from "../src/requests/request.ts";
import { unmarked } from "../src/views/text.ts";

/** The words in which reviews say that something is unknown. */
const saysUnknown =
  /\bunknown\b|\b(?:does|do|did) not (?:say|show|name)|shows neither|names none|not (?:shown|named|known)|(?:cannot|could not) (?:be )?read/;

/** Words that may be of anything; a longer sentence may be the card's own. */
const needsLabel =
  /^(?:unknown|not shown|of unknown size|The platform does not show it\.|not (?:shown|named) by the platform)$/;

/** The facts of a request which say that something is unknown, and which a card does not show, so that somebody decides without them. */
export function unknownFactsMissing({ review }: Pick<Request, "review">, card: readonly string[]): string[] {
  const text = plainly(card.join("\n"));
  const known: Fact[] = [...review.described, ...factsOfPreconditions(review.preconditions), ...review.shown];
  return known.flatMap(({ label, value }) =>
    saysUnknown.test(value) && !text.includes(plainly(needsLabel.test(value) ? `${label} ${value}` : value))
      ? [`${label}: ${value}`]
      : [],
  );
}

function plainly(text: string): string {
  return unmarked(text).replaceAll(/\s+/g, " ");
}
