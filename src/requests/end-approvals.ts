import type { Link } from "../identities/link.ts";
import type { Request } from "./request.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";

const pageSize = 200;

/**
 * Removes a member's approvals after they unlinked a key, unless the act has begun. Every approval is checked again before the run; this
 * tells people at once.
 */
export async function endApprovalsOf(requests: RequestStore, link: Pick<Link, "member" | "api">): Promise<void> {
  for (const list of [requests.planned, requests.open]) {
    let after: string | undefined;
    do {
      const page = await list({ limit: pageSize, after });
      for (const request of page.requests)
        if (needsKey(request, link)) await removeApproval(requests, request, link.member);
      after = page.next;
    } while (after !== undefined);
  }
}

/** An approval needs a key of the request's API, and the customer key, which proves the person. */
function needsKey({ api, approvals, state }: Request, link: Pick<Link, "member" | "api">): boolean {
  if (state !== "planned" && state !== "pending") return false;
  return (link.api === api || link.api === "customer") && approvals.some(({ member }) => member === link.member);
}

async function removeApproval(requests: RequestStore, request: Request, member: string): Promise<void> {
  const gone = request.approvals.find((approval) => approval.member === member);
  const who = `<@${gone?.slackUser}>, who approved it, no longer has the key linked that it takes.`;
  if (request.state === "planned") {
    const outcome = `${who} Nothing was done. Ask again if it is still wanted.`;
    await step(requests, request, "takeBackApproval", { outcome });
    return;
  }
  const approvals = request.approvals.filter((approval) => approval.member !== member);
  const outcome = `${who} Another member must approve it in their place.`;
  await step(requests, request, "takeBackApproval", { approvals, outcome });
}
