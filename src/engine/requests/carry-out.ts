import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Origin } from "../answers/origin.ts";
import type { BoundOperation } from "../bound.ts";
import type { Checked } from "./checks.ts";
import { newestOf } from "./end.ts";
import type { PreparedCopy } from "./prepare-copy.ts";
import type { Approval, Request } from "./request.ts";
import type { Rules } from "./rules.ts";
import type { RequestRun } from "./run.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";

/** A request that is decided, with all that was found at the press. */
export interface Decided {
  request: Request;
  checked: Checked;
  bound: BoundOperation;
  origin: Origin;
  approvals: Approval[];
  /** Why an admin runs it without approval. */
  glass: string | undefined;
  /** The copy that comes first; null where none does. */
  first: PreparedCopy | null;
}

/** Takes a decided request in hand and runs it, once. */
export type CarryOut = (decided: Decided) => Promise<void>;

export function createCarryOut(deps: {
  store: Store;
  requests: RequestStore;
  run: Pick<RequestRun, "run">;
  rules: Pick<Rules, "release">;
  say: Pick<SayState, "state">;
  clock: Clock;
}): CarryOut {
  const { store, requests, run, rules, say, clock } = deps;
  return async ({ request, checked, bound, origin, approvals, glass: reason, first }) => {
    const { slackUser } = origin;
    // The claim comes before the run: of two presses in one second, one gets through.
    const claimed = await requests.advance(
      request,
      {
        state: "claimed",
        outcome: "",
        // An hour may have passed: what is reconciled with is how it stood just before the run.
        before: checked.before,
        price: checked.price,
        approvals,
        glass: reason === undefined ? null : { slackUser, reason, reviewedBy: null },
        decidedBy: slackUser,
        decidedAt: clock.now(),
        instance: store.instance,
        copy: first?.copy ?? request.copy,
        ...newestOf(request, origin),
      },
      {
        note:
          reason === undefined
            ? { what: "approved", outcome: first ? "Approved, with a copy first." : "Approved." }
            : { what: "glass broken", outcome: `Run without approval: ${reason}` },
      },
    );
    if (!claimed) return say.state(request.id, origin);
    const { request: ran } = await (first
      ? run.run(claimed, first.act, first.bound, request.outcome)
      : run.run(claimed, checked.act, bound, request.outcome));
    // What was refused, or waits again, has cost nothing.
    if (ran.state !== "refused" && ran.state !== "pending") return;
    if (ran.price !== null) await rules.release(ran);
    if (first) await rules.release(first.about);
  };
}
