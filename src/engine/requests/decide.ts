import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Access } from "../access.ts";
import type { Origin } from "../answers/origin.ts";
import type { BoundOperation } from "../bound.ts";
import type { RequestChecks } from "./checks.ts";
import { expire } from "./expire.ts";
import { type Request, thingOf } from "./request.ts";
import type { RequestRun } from "./run.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";
import { withThing } from "./thing-lock.ts";
import { refuseWhileUnclear } from "./unclear.ts";
import { stateWords } from "./view.ts";

/** Decides requests by a press. No press is ever silent: one that comes too late, or from somebody else, is told what is so. */
export interface Decide {
  press(id: string, origin: Origin): Promise<void>;
  deny(id: string, origin: Origin, reason: string): Promise<void>;
  withdraw(id: string, origin: Origin): Promise<void>;
}

export function createDecide(deps: {
  store: Store;
  requests: RequestStore;
  run: Pick<RequestRun, "run">;
  checks: RequestChecks;
  access: Pick<Access, "isAdmin">;
  say: SayState;
  clock: Clock;
}): Decide {
  const { store, requests, run, checks, access, say, clock } = deps;

  async function press(request: Request, origin: Origin): Promise<unknown> {
    const operation = checks.operation(request);
    if (!operation)
      return end(request, "void", origin, "This version of Rackbell no longer has that command. Nothing was done.");
    await checks.presser(request, operation, origin);
    const bound = await checks.requester(request, operation);
    if (!bound) {
      const words = `The key of <@${request.slackUser}> changed since they asked. Nothing was done. Ask again if it is still wanted.`;
      return end(request, "void", origin, words);
    }
    const holder = { ...request, slackUser: origin.slackUser };
    const work = () => runOnce(request, bound, origin);
    await withThing(store.locks, thingOf(request), holder, work, (by) => say.locked(request, by, origin));
  }

  async function runOnce(request: Request, bound: BoundOperation, origin: Origin): Promise<unknown> {
    await refuseWhileUnclear(requests, request, request.risk, request.id);
    const checked = await checks.facts(request, bound);
    if (!("act" in checked)) return end(request, "void", origin, checked.changed);
    // The claim comes before the run: of two presses in one second, one gets through.
    const claimed = await requests.advance(
      request,
      {
        state: "claimed",
        outcome: "",
        // An hour may have passed: what is reconciled with is how it stood just before the run.
        before: checked.before,
        decidedBy: origin.slackUser,
        decidedAt: clock.now(),
        instance: store.instance,
        ...newestOf(request, origin),
      },
      { note: { what: "approved", outcome: "Approved." } },
    );
    if (!claimed) return say.state(request.id, origin);
    await run.run(claimed, checked.act, bound, request.outcome);
  }

  async function end(
    request: Request,
    state: "void" | "withdrawn" | "denied",
    origin: Origin,
    outcome = "",
  ): Promise<Request | null> {
    const decidedBy = state === "void" ? null : origin.slackUser;
    const decided = { state, outcome, sealed: null, decidedBy, decidedAt: clock.now() } as const;
    const note = { what: state, outcome: outcome || stateWords({ ...request, ...decided }) };
    return requests.advance(request, { ...decided, ...newestOf(request, origin) }, { note });
  }

  /** The request while it waits, else null, having told what is so. */
  async function waiting(id: string, origin: Origin): Promise<Request | null> {
    const request = await requests.read(id);
    if (request?.state === "pending") {
      if (clock.now() < request.expiresAt) return request;
      await expire(requests, request);
    }
    await say.state(id, origin);
    return null;
  }

  return {
    async press(id, origin) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin);
    },
    async deny(id, origin, reason) {
      const request = await waiting(id, origin);
      const operation = request && checks.operation(request);
      if (!request || !operation) return;
      await checks.presser(request, operation, origin);
      const words = `<@${origin.slackUser}> denied it: ${reason} Nothing was done.`;
      if (!(await end(request, "denied", origin, words))) await say.state(id, origin);
    },
    async withdraw(id, origin) {
      const request = await waiting(id, origin);
      if (!request) return;
      const allowed = origin.member === request.member || (await access.isAdmin(origin.slackUser));
      if (!allowed) throw new Refusal(`Only <@${request.slackUser}> or an admin can withdraw this.`);
      if (!(await end(request, "withdrawn", origin))) await say.state(id, origin);
    },
  };
}

/** The newest interaction of who asked is where what only they see can be brought up to date. */
function newestOf(request: Request, origin: Origin): Partial<Request> {
  return origin.member === request.member ? { origin: { ...origin, channel: request.origin.channel } } : {};
}
