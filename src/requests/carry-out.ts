import type { Origin } from "../notifications/origin.ts";
import type { Assertion } from "../webauthn/assertion.ts";
import type { RequestsApp } from "./app.ts";
import type { CheckedFacts } from "./checks.ts";
import type { PreparedBackup } from "./facets/backup-first/steps.ts";
import { overriddenBy } from "./facets/override/steps.ts";
import { releasePrice } from "./facets/price/spending.ts";
import { type Amendment, type Approval, newestOf, type Request } from "./request.ts";
import { step } from "./step.ts";

/** A decided request, with everything that was read at the press. */
interface Decided {
  request: Request;
  checked: CheckedFacts;
  origin: Origin;
  approvals: Approval[];
  /** The facts that the presser's passkey signed; undefined where none was asked for, or the decision was made before. */
  assertion?: Assertion | undefined;
  /** The admin's reason for the emergency override, if it is one. */
  glass: string | undefined;
  /** The backup to take first; null without one. */
  first: PreparedBackup | null;
}

/** Claims a decided request and runs it once. */
export async function carryOut(
  app: Pick<RequestsApp, "store" | "requests" | "run" | "rules" | "say" | "clock">,
  { request, checked, origin, approvals, assertion, glass: reason, first }: Decided,
): Promise<void> {
  const { store, requests, run, rules, say, clock } = app;
  const { slackUser } = origin;
  // Claim before running: a second press within the same second would run it twice.
  const [event, said] = eventOf(request, reason, first !== null);
  const claimed = await step(
    requests,
    request,
    event,
    {
      outcome: "",
      // The review may be an hour old. Reconciling must compare with the state right before the run.
      before: checked.before,
      price: checked.price,
      approvals,
      proven: provenBy(request, assertion),
      glass: reason === undefined ? null : overriddenBy(slackUser, reason),
      ...(request.state === "planned" ? beginsNow(request, clock.now()) : decidedNow(slackUser, clock.now())),
      instance: store.instance,
      copy: first?.copy ?? request.copy,
      ...newestOf(request, origin),
    },
    { said, assertion },
  );
  if (!claimed) return request.state === "planned" ? undefined : say.state(request.id, origin);
  const { request: ran } = await run.run(claimed, first ?? checked, request.outcome);
  // A request that was refused or reopened has cost nothing. An unsettled one may have: its first sending is unknown.
  if (ran.unsettled || (ran.state !== "refused" && ran.state !== "pending")) return;
  await releasePrice(rules, ran);
  if (first) await rules.release(first.policyFacts);
}

/** Those who decided the request with a passkey, with the one who does so now. */
export function provenBy({ proven }: Pick<Request, "proven">, assertion: Assertion | undefined): Request["proven"] {
  if (!assertion) return proven;
  const { member, credential } = assertion;
  return [...proven.filter((by) => by.member !== member), { member, credential }];
}

function decidedNow(slackUser: string, now: number): Amendment {
  // An emergency override runs at once, so the schedule ends.
  return { decidedBy: slackUser, decidedAt: now, planned: null };
}

/** A scheduled request was decided long ago. If it is refused now, it must not wait for another press. */
function beginsNow({ planned }: Request, now: number): Amendment {
  return { planned: planned && { ...planned, begunAt: now }, expiresAt: now };
}

/** The event, and the words for the audit log. */
function eventOf(
  { state }: Request,
  glass: string | undefined,
  copyFirst: boolean,
): ["start" | "override" | "approve", string] {
  if (state === "planned") return ["start", "Its time came, and nothing changed since the approval."];
  if (glass !== undefined) return ["override", `Run without approval: ${glass}`];
  return ["approve", copyFirst ? "Approved, with a backup first." : "Approved."];
}
