import type { Request } from "./request.ts";

type Steps = readonly Pick<Request["next"][number], "until">[];

/** Longer than this nothing remembers where a message stands: a way back that lapses later answers its press itself. */
const most = 28 * 24 * 60 * 60_000;

/** When the first of the ways back lapses and is taken away (milliseconds since the epoch); undefined where none does in time. */
export function lapseOf(steps: Steps, now: number): number | undefined {
  const due = steps.flatMap(({ until }) => (until !== undefined && until - now <= most ? [until] : []));
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** The ways back that still lead somewhere. */
export function standing<S extends Steps[number]>(steps: readonly S[], now: number): S[] {
  return steps.filter(({ until }) => until === undefined || until > now);
}

/** The same, as it goes with a step of a request. */
export function lapsing(steps: Steps, now: number): { lookAt?: number } {
  const lookAt = lapseOf(steps, now);
  return lookAt === undefined ? {} : { lookAt };
}
