import type { Clock } from "../../clock.ts";
import type { Progress } from "../../operation/answer.ts";
import type { BoundOperation } from "../bound.ts";
import type { Job, Request } from "../requests/request.ts";

type Polled = { progress: Progress } | { error: unknown };

/** Polls that follow one thing with one key at one time are one call; in this process alone. */
export function createSharedPolls(
  clock: Clock,
): (request: Request, job: Job, bound: BoundOperation) => Promise<Polled> {
  const underWay = new Map<string, Promise<Progress>>();

  return async ({ keyId, target }, { handle, since }, bound) => {
    const { command } = bound.operation;
    const targetId = target?.id ?? "";
    // What one key may see, another may not.
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
