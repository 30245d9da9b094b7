import type { Clock } from "../clock.ts";
import type { Request } from "./request.ts";
import { backupSpendingId, type Rules } from "./rules.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";
import { untouched } from "./untouched.ts";

/** Ends a request between its backup and its act. Nothing was destroyed, and the outcome says so. */
export interface StopAfterBackup {
  stop(request: Request, event: "void" | "fail" | "leave", why: string): Promise<undefined>;
  /** Returns when to try again (milliseconds since the epoch), with growing pauses. Ends the request after the last try. */
  later(request: Request, why: string): Promise<number | undefined>;
}

/** Tries before the request is given up: about five minutes in all. */
const tries = 8;

export function createStopAfterBackup(deps: { requests: RequestStore; rules: Rules; clock: Clock }): StopAfterBackup {
  const { requests, rules, clock } = deps;

  async function stop(request: Request, event: "void" | "fail" | "leave", why: string): Promise<undefined> {
    const outcome = `${why} ${untouched(request)}`;
    const job = request.job && { ...request.job, endedAt: clock.now() };
    const stopped = await step(requests, request, event, { outcome, job });
    if (!stopped) return;
    if (request.price !== null) await rules.release(request);
    if (event === "fail") await rules.release({ ...request, id: backupSpendingId(request) });
  }

  async function later(request: Request, why: string): Promise<number | undefined> {
    const { job } = request;
    if (!job || job.misses + 1 >= tries) return stop(request, "void", `${why} So it was not done.`);
    const misses = job.misses + 1;
    await requests.amend(request, { job: { ...job, misses } }, { silent: true });
    return clock.now() + Math.min(60_000, 5_000 * 2 ** misses);
  }

  return { stop, later };
}
