import type { BoundOperation } from "../../access/bound.ts";
import type { Clock } from "../../clock.ts";
import type { Progress } from "../../operation/answer.ts";
import type { Job, Request } from "../request.ts";

type Polled = { progress: Progress } | { error: unknown };

/** Joins polls of the same job with the same key at the same moment into one call. It works within this process alone. */
export function createSharedPolls(
  clock: Clock,
): (request: Request, job: Job, bound: BoundOperation) => Promise<Polled> {
  const underWay = new Map<string, Promise<Progress>>();

  return async ({ keyId, target }, { handle, since }, bound) => {
    const { command } = bound.operation;
    const targetId = target?.id ?? "";
    // Another key may not be allowed to see the job, so it polls by itself.
    const key = JSON.stringify([bound.link.api, keyId, command, targetId, handle]);
    const running = underWay.get(key) ?? bound.poll({ targetId, since, now: clock.now() }, handle);
    underWay.set(key, running);
    try {
      return { progress: await running };
    } catch (error) {
      return { error };
    } finally {
      underWay.delete(key);
    }
  };
}
