import type { BoundOperation } from "../access/bound.ts";
import type { Identities } from "../identities/identities.ts";
import { areTwoPeople, personOf } from "../identities/person.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { keyRejected } from "../platform/http/errors.ts";
import type { CheckedFacts, RequestChecks } from "./checks.ts";
import type { Approval, Request } from "./request.ts";

/**
 * Checks everything that a scheduled request was decided on: requester, approvers, keys and preconditions. `gone` is the reason to end, as
 * a sentence. A Refusal or platform error says that the check failed for now.
 */
export type RecheckDecision = (
  request: Request,
) => Promise<{ bound: BoundOperation; checked: CheckedFacts } | { gone: string }>;

export function createRecheckDecision(deps: {
  checks: RequestChecks;
  identities: Pick<Identities, "links" | "refresh">;
}): RecheckDecision {
  const { checks, identities } = deps;

  /** Binds the operation to the requester's key, if they could still ask for it. */
  async function bindRequester(
    request: Request,
    operation: PlatformOperation,
  ): Promise<{ bound: BoundOperation } | { gone: string }> {
    const { slackUser, member } = request;
    const whoSubject = `<@${slackUser}>, who asked,`;
    await checks.asker(request);
    // Ask the platform again: a scope or key that was removed since must not count.
    await identities.refresh(member, operation.api);
    const bound = await checks.requester(request, operation);
    if (!bound) return { gone: `${whoSubject} no longer has the key that it was asked with.` };
    return bound.may(request.command) ? { bound } : { gone: `The key of ${whoSubject} may no longer do it.` };
  }

  async function stillApproves(request: Request, operation: PlatformOperation, approval: Approval): Promise<boolean> {
    try {
      await checks.presser(request, operation, approval);
      return true;
    } catch (error) {
      if (error instanceof Refusal || keyRejected(error)) return false;
      throw error;
    }
  }

  /** Returns the reason why an approval no longer counts, as a sentence; null if all do. */
  async function approvalProblem(request: Request, operation: PlatformOperation): Promise<string | null> {
    for (const [at, approval] of request.approvals.entries()) {
      if (!(await stillApproves(request, operation, approval)))
        return `<@${approval.slackUser}>, who approved it, could no longer approve it.`;
      const person = personOf(await identities.links(approval.member));
      for (const other of request.approvals.slice(0, at))
        if (!areTwoPeople(personOf(await identities.links(other.member)), person))
          return `<@${other.slackUser}> and <@${approval.slackUser}>, who approved it, are linked as one user of the platform by now.`;
    }
    return null;
  }

  return async (request) => {
    const operation = checks.operation(request);
    if (!operation) return { gone: "This version of Rackbell no longer has that command." };
    const requester = await bindRequester(request, operation).catch(refusalOf);
    if ("gone" in requester) return requester;
    const gone = await approvalProblem(request, operation);
    if (gone !== null) return { gone };
    const { bound } = requester;
    const checked = await checks.facts(request, bound);
    return "act" in checked ? { bound, checked } : { gone: checked.changed };
  };
}

/** A Refusal is final here and becomes the reason. Any other error is thrown again, so that it is retried. */
function refusalOf(error: unknown): { gone: string } {
  if (error instanceof Refusal) return { gone: error.message };
  throw error;
}
