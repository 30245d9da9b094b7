import type { Request } from "./request.ts";
import { approvalLevel, missingApprovals, policyFactsOf, type Rules, ruleReason } from "./rules.ts";
import type { RequestStore } from "./store.ts";
import { voidWaiting } from "./unsettled.ts";

const pageSize = 200;

/** Applies stricter rules to requests that are pending or scheduled. */
export async function tightenAll(requests: RequestStore, rules: Rules): Promise<void> {
  await tightenPending(requests, rules);
  await tightenPlanned(requests, rules);
}

/** A pending request needs more approvals then, or becomes void. Looser rules change nothing. */
async function tightenPending(requests: RequestStore, rules: Rules): Promise<void> {
  let after: string | undefined;
  do {
    const page = await requests.open({ limit: pageSize, after });
    for (const request of page.requests) if (request.state === "pending") await tighten(requests, rules, request);
    after = page.next;
  } while (after !== undefined);
}

/** A scheduled request was decided by older rules. If the present ones demand more, it becomes void. */
async function tightenPlanned(requests: RequestStore, rules: Rules): Promise<void> {
  let after: string | undefined;
  do {
    const page = await requests.planned({ limit: pageSize, after });
    for (const request of page.requests) await tightenDecided(requests, rules, request);
    after = page.next;
  } while (after !== undefined);
}

async function tightenDecided(requests: RequestStore, rules: Rules, request: Request): Promise<void> {
  const verdict = await rules.verdict(policyFactsOf(request));
  const { demand } = verdict;
  const why = ruleReason(verdict);
  const words = why ? ` The rule: ${why}` : "";
  if (demand === "never") return end(requests, request, `A rule of this workspace no longer allows it.${words}`);
  const lacking = missingApprovals(demand, request);
  if (lacking) await end(requests, request, `${lacking} Ask again if it is still wanted.${words}`);
}

async function tighten(requests: RequestStore, rules: Rules, request: Request): Promise<void> {
  const verdict = await rules.verdict(policyFactsOf(request));
  const { demand, rule } = verdict;
  const admin = verdict.admin || request.admin;
  const { needed, mode } = approvalLevel(demand);
  const why = ruleReason(verdict);
  const words = why ? ` The rule: ${why}` : "";
  if (demand === "never") return end(requests, request, `A rule of this workspace no longer allows it.${words}`);
  const breakable = request.breakable && (rule?.breakGlass ?? false);
  if (needed <= request.needed && breakable === request.breakable && admin === request.admin) return;
  // Only the requester saw it: there is no place where others could decide it.
  if (needed > request.needed && request.mode !== mode)
    return end(requests, request, `Others must approve it now; ask again if it is still wanted.${words}`);
  await requests.amend(request, {
    needed: Math.max(needed, request.needed),
    rule: why,
    breakable,
    admin,
  });
}

async function end(requests: RequestStore, request: Request, why: string): Promise<void> {
  const outcome = `The rules of this workspace changed, and nothing was done. ${why}`;
  await voidWaiting(requests, request, outcome);
}
