import type { Request } from "./request.ts";

type Steps = readonly Pick<Request["next"][number], "until">[];

/** Milliseconds. After this time the place of a message is forgotten, so its buttons cannot be removed; the press itself answers then. */
const longestWait = 28 * 24 * 60 * 60_000;

/** Returns when the first step with a time limit ends (milliseconds since the epoch); undefined if none does soon enough. */
export function firstStepEnd(steps: Steps, now: number): number | undefined {
  const due = steps.flatMap(({ until }) => (until !== undefined && until - now <= longestWait ? [until] : []));
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** Returns the steps that are still possible. */
export function possibleSteps<S extends Steps[number]>(steps: readonly S[], now: number): S[] {
  return steps.filter(({ until }) => until === undefined || until > now);
}

/** The same as a part of a store step. */
export function wakeAtStepEnd(steps: Steps, now: number): { lookAt?: number } {
  const lookAt = firstStepEnd(steps, now);
  return lookAt === undefined ? {} : { lookAt };
}
