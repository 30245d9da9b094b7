import type { Clock } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import { areTwoPeople, personOf } from "../identities/person.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { isPlatformError } from "../platform/http/errors.ts";
import type { MemberRef, RequestChecks } from "./checks.ts";
import type { Approval, Request } from "./request.ts";
import type { StateAnswers } from "./state-answers.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";

/** Collects the approvals of a request that needs several. */
export interface Approve {
  /**
   * Returns the approvals that are still valid, plus the presser's own. Refuses a presser who is the same person as an earlier approver.
   */
  with(request: Request, operation: PlatformOperation, who: MemberRef): Promise<Approval[]>;
  /** Stores the approvals of a request that still needs more of them. */
  keep(
    request: Request,
    who: MemberRef & Parameters<StateAnswers["state"]>[1],
    so: { approvals: Approval[]; needs: number; copyFirst: boolean },
  ): Promise<void>;
}

export function createApprove(deps: {
  requests: RequestStore;
  checks: Pick<RequestChecks, "presser">;
  identities: Pick<Identities, "links">;
  say: Pick<StateAnswers, "state">;
  clock: Clock;
}): Approve {
  const { requests, checks, identities, say, clock } = deps;

  async function stillApproves(request: Request, operation: PlatformOperation, who: MemberRef): Promise<boolean> {
    try {
      await checks.presser(request, operation, who);
      return true;
    } catch (error) {
      if (error instanceof Refusal || isPlatformError(error)) return false;
      throw error;
    }
  }

  async function requireTwoPeople(approvals: readonly MemberRef[], member: string): Promise<void> {
    const presserPerson = personOf(await identities.links(member));
    for (const other of approvals) {
      if (!areTwoPeople(personOf(await identities.links(other.member)), presserPerson))
        throw new Refusal(
          `<@${other.slackUser}> approved it, and you are linked as the same user of the platform, so you do not count as somebody else.`,
        );
    }
  }

  return {
    async with(request, operation, { member, slackUser }) {
      const stillValid: Approval[] = [];
      for (const approval of request.approvals)
        if (approval.member !== member && (await stillApproves(request, operation, approval)))
          stillValid.push(approval);
      await requireTwoPeople(stillValid, member);
      return [...stillValid, { member, slackUser, at: clock.now() }];
    },
    async keep(request, who, { approvals, needs, copyFirst }) {
      if (request.approvals.some(({ member }) => member === who.member))
        throw new Refusal("You approved this already; somebody else must, too.");
      const copy = request.copy && { ...request.copy, step: copyFirst ? ("chosen" as const) : request.copy.step };
      const advanced = await step(
        requests,
        request,
        "approveInPart",
        { approvals, needed: needs, decidedBy: who.slackUser, copy },
        { said: `Approved by ${approvals.length} of ${needs}.` },
      );
      if (!advanced) await say.state(request.id, who);
    },
  };
}
