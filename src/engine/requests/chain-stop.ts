import type { Clock } from "../../clock.ts";
import type { Request } from "./request.ts";
import { copyPart, type Rules } from "./rules.ts";
import type { RequestStore } from "./store.ts";
import { untouched } from "./untouched.ts";

/** Ends a request between its copy and its act: nothing was destroyed, and it is said. */
export interface ChainStop {
  stop(request: Request, state: "void" | "failed" | "left", why: string): Promise<undefined>;
  /** Tries once more, the later the more often; ends it where that has been long enough. When to go on (milliseconds since the epoch). */
  later(request: Request, why: string): Promise<number | undefined>;
}

/** How often what does not answer, or is in use, is tried again before it is given up: some five minutes in all. */
const tries = 8;

export function createChainStop(deps: { requests: RequestStore; rules: Rules; clock: Clock }): ChainStop {
  const { requests, rules, clock } = deps;

  async function stop(request: Request, state: "void" | "failed" | "left", why: string): Promise<undefined> {
    const outcome = `${why} ${untouched(request)}`;
    const job = request.job && { ...request.job, endedAt: clock.now() };
    const stopped = await requests.advance(request, { state, outcome, job, sealed: null }, { note: { what: state } });
    if (!stopped) return;
    if (request.price !== null) await rules.release(request);
    if (state === "failed") await rules.release({ ...request, id: copyPart(request) });
  }

  async function later(request: Request, why: string): Promise<number | undefined> {
    const { job } = request;
    if (!job || job.misses + 1 >= tries) return stop(request, "void", `${why} So it was not done.`);
    const misses = job.misses + 1;
    await requests.advance(request, { job: { ...job, misses } }, { silent: true });
    return clock.now() + Math.min(60_000, 5_000 * 2 ** misses);
  }

  return { stop, later };
}
