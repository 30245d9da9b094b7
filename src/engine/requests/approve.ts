import type { Clock } from "../../clock.ts";
import type { Identities } from "../../identities/identities.ts";
import { areTwoPeople } from "../../identities/link.ts";
import { Refusal } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { isPlatformError } from "../../platform/http/errors.ts";
import type { RequestChecks, Who } from "./checks.ts";
import type { Approval, Request } from "./request.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";

/** Counts who approved a request that needs several. */
export interface Approve {
  /** Those who approved it, who presses now included; who could not approve it any more is left out. */
  with(request: Request, operation: PlatformOperation, who: Who): Promise<Approval[]>;
  /** Keeps that it is approved by fewer than it needs. */
  keep(
    request: Request,
    who: Who & Parameters<SayState["state"]>[1],
    so: { approvals: Approval[]; needs: number; copyFirst: boolean },
  ): Promise<void>;
}

export function createApprove(deps: {
  requests: RequestStore;
  checks: Pick<RequestChecks, "presser">;
  identities: Pick<Identities, "links">;
  say: Pick<SayState, "state">;
  clock: Clock;
}): Approve {
  const { requests, checks, identities, say, clock } = deps;

  async function stillApproves(request: Request, operation: PlatformOperation, who: Who): Promise<boolean> {
    try {
      await checks.presser(request, operation, who);
      return true;
    } catch (error) {
      if (error instanceof Refusal || isPlatformError(error)) return false;
      throw error;
    }
  }

  async function areSeveral(approvals: readonly Who[], member: string): Promise<void> {
    const own = await identities.links(member);
    for (const other of approvals) {
      if (!areTwoPeople(await identities.links(other.member), own))
        throw new Refusal(
          `<@${other.slackUser}> approved it, and you are linked as the same user of the platform, so you do not count as somebody else.`,
        );
    }
  }

  return {
    async with(request, operation, { member, slackUser }) {
      const kept: Approval[] = [];
      for (const approval of request.approvals)
        if (approval.member !== member && (await stillApproves(request, operation, approval))) kept.push(approval);
      await areSeveral(kept, member);
      return [...kept, { member, slackUser, at: clock.now() }];
    },
    async keep(request, who, { approvals, needs, copyFirst }) {
      if (request.approvals.some(({ member }) => member === who.member))
        throw new Refusal("You approved this already; somebody else must, too.");
      const copy = request.copy && { ...request.copy, step: copyFirst ? ("chosen" as const) : request.copy.step };
      const kept = await requests.advance(
        request,
        { approvals, needed: needs, decidedBy: who.slackUser, copy },
        { note: { what: "approved", outcome: `Approved by ${approvals.length} of ${needs}.` } },
      );
      if (!kept) await say.state(request.id, who);
    },
  };
}
