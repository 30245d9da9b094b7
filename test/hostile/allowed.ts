import type { Case } from "./cases.ts";

interface Allowed {
  /** The command, the route and the field, as the name of a case has them. */
  where: RegExp;
  /** The sentence that may come. */
  says?: RegExp;
  why: string;
}

/** Sentences that are definite although a field says nothing: each is so by the spec, or is about something else. */
const allowed: readonly Allowed[] = [
  {
    where: /customer GET \/vps(\/\{id\})? \| data\.(\*\.)?instance null$/,
    says: /machine|hourglass/,
    why: "spec section 2.3: null until a machine exists",
  },
  {
    where: /\/stats \| data\.points (missing|null)$/,
    says: /^Available: yes$/,
    why: "the platform says no more than that",
  },
];

/** The sentences that a case may make. */
export function allowedFor(one: Case): { sentence: (sentence: string) => boolean; leftOut: boolean } {
  const name = [one.command, one.route, one.shape.name].join(" | ");
  const own = allowed.filter(({ where }) => where.test(name));
  return {
    sentence: (sentence) => own.some(({ says }) => says?.test(sentence)),
    leftOut: own.some(({ says }) => says === undefined),
  };
}
