import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Origin } from "../answers/origin.ts";
import type { Noted } from "../audit/audit.ts";
import type { BoundOperation } from "../bound.ts";
import type { Checked } from "./checks.ts";
import { newestOf } from "./end.ts";
import type { PreparedCopy } from "./prepare-copy.ts";
import { type DecidedForLater, putOff } from "./put-off.ts";
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

/** Takes a decided request in hand and runs it, once: now, or when its time comes. */
export interface CarryOut {
  now(decided: Decided): Promise<void>;
  later(decided: DecidedForLater): Promise<void>;
}

export function createCarryOut(deps: {
  store: Store;
  requests: RequestStore;
  run: Pick<RequestRun, "run">;
  rules: Pick<Rules, "release">;
  say: Pick<SayState, "state">;
  clock: Clock;
}): CarryOut {
  const { store, requests, run, rules, say, clock } = deps;

  async function now({ request, checked, bound, origin, approvals, glass: reason, first }: Decided): Promise<void> {
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
        ...(request.state === "planned" ? begunNow(request, clock.now()) : decidedNow(slackUser, clock.now())),
        instance: store.instance,
        copy: first?.copy ?? request.copy,
        ...newestOf(request, origin),
      },
      { note: noteOf(request, reason, first !== null) },
    );
    if (!claimed) return request.state === "planned" ? undefined : say.state(request.id, origin);
    const { request: ran } = await (first
      ? run.run(claimed, first.act, first.bound, request.outcome)
      : run.run(claimed, checked.act, bound, request.outcome));
    // What was refused, or waits again, has cost nothing.
    if (ran.state !== "refused" && ran.state !== "pending") return;
    if (ran.price !== null) await rules.release(ran);
    if (first) await rules.release(first.about);
  }

  return { now, later: (decided) => putOff({ requests, say, clock }, decided) };
}

function decidedNow(slackUser: string, now: number): Partial<Request> {
  // Run at once without approval, it waits for no time.
  return { decidedBy: slackUser, decidedAt: now, planned: null };
}

/** It was decided long before; refused by then, it does not wait for another press. */
function begunNow({ planned }: Request, now: number): Partial<Request> {
  return { planned: planned && { ...planned, begunAt: now }, expiresAt: now };
}

function noteOf({ state }: Request, glass: string | undefined, copyFirst: boolean): Noted {
  if (state === "planned") return { what: "started", outcome: "Its time came, and all was found as it was approved." };
  if (glass !== undefined) return { what: "glass broken", outcome: `Run without approval: ${glass}` };
  return { what: "approved", outcome: copyFirst ? "Approved, with a copy first." : "Approved." };
}
