/** Refusals on which callers or buttons branch. */
export type RefusalName = "no webhook address";

/** One reason for which the platform refuses a route. Its spec says that nothing was changed or charged then. */
export interface DeclaredRefusal {
  status: number;
  /** The code of the customer API; undefined where the spec tells this refusal by its status alone. */
  code?: string;
  /**
   * How the platform's own sentence names this reason, where its status has several: a sentence that the spec fixes, or words that fit. Without
   * its fixed sentence a reason is not even guessed.
   */
  says?: string | Pick<RegExp, "test">;
  /** The reason in Rackbell's words; undefined where the platform's own sentence must do. */
  means?: string;
  is?: RefusalName;
  /** The sentence names the balance of the key's owner, beside the sum that it does not cover: nobody else may read it. */
  states?: "balance";
  /** The section of the spec. */
  spec: string;
}

/** The facts of a route that its errors need: each call carries them to the error that it may end with. */
export interface RouteFacts {
  charges: boolean;
  refusals: readonly DeclaredRefusal[];
}

/** Of a call outside of the endpoints: nothing is declared, so nothing is proven. */
export const noFacts: RouteFacts = { charges: false, refusals: [] };

/** The declared reasons that an answer may have, by its status and code. */
export function declaredFor(
  refusals: readonly DeclaredRefusal[],
  { status, code }: { status: number; code?: string | undefined },
): DeclaredRefusal[] {
  return refusals.filter((one) => one.status === status && (one.code === undefined || one.code === code));
}

/** The reason of a refusal: `stated` by the platform itself, or the `guesses` among which nobody can tell. */
export type Reason = { stated: DeclaredRefusal } | { guesses: string[] };

/**
 * Finds the reason in the platform's own sentence, one that the spec fixes first. A status with one reason alone states it. Of several that
 * the sentence names, nobody can tell.
 */
export function findReason(declared: readonly DeclaredRefusal[], sentence: string): Reason {
  const fixed = declared.find(({ says }) => typeof says === "string" && includes(sentence, says));
  if (fixed) return { stated: fixed };
  const named = declared.filter(({ says }) => typeof says === "object" && says.test(sentence));
  const [first, another] = named;
  if (first && !another) return { stated: first };
  const plain = declared.find(({ says, means }) => says === undefined && means !== undefined);
  if (plain && !first) return { stated: plain };
  // A short balance has its marks: a sentence without them is about something else.
  const possible = first ? named : declared.filter(({ says, states }) => typeof says === "object" && !states);
  return { guesses: possible.flatMap(({ means }) => (means === undefined ? [] : [means])) };
}

/** True for a sentence with two sums of money, which have cents. */
export function namesTwoSums(sentence: string): boolean {
  return (sentence.match(/\d[.,]\d\d(?!\d)/g) ?? []).length > 1;
}

/** Words about credit or a balance. A credit card is declined for other reasons. */
export const aboutCredit = /credit(?![ -]?card)|balance/i;

/** True for a sentence that may name a balance: it has two figures, or one beside words about credit. An id has none. */
export function mayNameBalance(sentence: string): boolean {
  const figures = sentence.match(/(?<![a-z\d.,-])\d[\d.,]*(?![a-z\d-])/g) ?? [];
  return figures.length > 1 || (/\d/.test(sentence) && aboutCredit.test(sentence));
}

function includes(sentence: string, part: string): boolean {
  return sentence.toLowerCase().includes(part.toLowerCase());
}
