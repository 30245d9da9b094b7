import type { Identities } from "../../identities/identities.ts";
import { areTwoPeople } from "../../identities/link.ts";
import { Refusal } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { keyRejected } from "../../platform/http/errors.ts";
import type { BoundOperation } from "../bound.ts";
import type { Checked, RequestChecks } from "./checks.ts";
import type { Approval, Request } from "./request.ts";

/**
 * Looks, long after a request was decided, whether all still stands that it was decided on: who asked and who approved it, their keys,
 * and the facts. Why not, as a sentence. A Refusal or a platform's error says that it cannot be told now.
 */
export type StillStands = (request: Request) => Promise<{ bound: BoundOperation; checked: Checked } | { gone: string }>;

export function createStillStands(deps: {
  checks: RequestChecks;
  identities: Pick<Identities, "links" | "refresh">;
}): StillStands {
  const { checks, identities } = deps;

  /** The operation with the key of who asked, if they could still ask for it; else why not. */
  async function askerStill(
    request: Request,
    operation: PlatformOperation,
  ): Promise<{ bound: BoundOperation } | { gone: string }> {
    const { slackUser, member } = request;
    const whose = `<@${slackUser}>, who asked,`;
    await checks.asker(request);
    // The platform is asked anew: a scope or a key that was taken away since counts no more.
    await identities.refresh(member, operation.api);
    const bound = await checks.requester(request, operation);
    if (!bound) return { gone: `${whose} no longer has the key that it was asked with.` };
    return bound.may(request.command) ? { bound } : { gone: `The key of ${whose} may no longer do it.` };
  }

  async function approves(request: Request, operation: PlatformOperation, approval: Approval): Promise<boolean> {
    try {
      await checks.presser(request, operation, approval);
      return true;
    } catch (error) {
      if (error instanceof Refusal || keyRejected(error)) return false;
      throw error;
    }
  }

  /** Why it would not be approved now by those who did. */
  async function approvalGone(request: Request, operation: PlatformOperation): Promise<string | null> {
    for (const [at, approval] of request.approvals.entries()) {
      if (!(await approves(request, operation, approval)))
        return `<@${approval.slackUser}>, who approved it, could no longer approve it.`;
      const links = await identities.links(approval.member);
      for (const other of request.approvals.slice(0, at))
        if (!areTwoPeople(await identities.links(other.member), links))
          return `<@${other.slackUser}> and <@${approval.slackUser}>, who approved it, are linked as one user of the platform by now.`;
    }
    return null;
  }

  return async (request) => {
    const operation = checks.operation(request);
    if (!operation) return { gone: "This version of Rackbell no longer has that command." };
    const asker = await askerStill(request, operation).catch(refusalOf);
    if ("gone" in asker) return asker;
    const gone = await approvalGone(request, operation);
    if (gone !== null) return { gone };
    const { bound } = asker;
    const checked = await checks.facts(request, bound);
    return "act" in checked ? { bound, checked } : { gone: checked.changed };
  };
}

/** What is refused by now is not tried again: it is said. */
function refusalOf(error: unknown): { gone: string } {
  if (error instanceof Refusal) return { gone: error.message };
  throw error;
}
