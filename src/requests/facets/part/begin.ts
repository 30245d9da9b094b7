import type { BoundAct } from "../../../members/access/bound.ts";
import type { Act } from "../../../operation/act.ts";
import { type Review, wholeReview } from "../../../operation/answer.ts";
import { withCaution } from "../../../operation/caution.ts";
import type { RequestsApp } from "../../app.ts";
import { createRequest, termsWithoutDecision } from "../../create.ts";
import type { NewRequest, Request } from "../../request.ts";

// A part of a request is a request of its own, which nobody decides again: one target of a bulk request, or the backup before an act.

/** The state to reconcile with, and the price and facts if it spends or destroys. */
export async function reviewOfPart(act: Act, { risk }: Pick<Act, "risk"> = act): Promise<Review> {
  if (risk !== "change") return act.review();
  return withCaution(wholeReview(risk, { before: await act.before() }, act.interrupts), act);
}

/** The record of a part that is about to be sent. Stores nothing. */
export function partOf(
  app: RequestsApp,
  request: Request,
  { bound, act }: BoundAct,
  { risk, review }: { risk: Request["risk"]; review: Review },
): NewRequest {
  const { origin, originator, agent, approvals, decidedBy, decidedAt, overrides } = request;
  const proposal = { bound, act, origin, generated: [], originator: originator ?? undefined, agent };
  const terms = termsWithoutDecision(review, act, request);
  const ruling = { ...terms.ruling, rule: request.ruling.rule };
  return {
    ...createRequest(app, proposal, { ...terms, risk, ruling }),
    ...{ approvals, decidedBy, decidedAt, overrides },
    instance: app.store.instance,
    part: { of: request.id, again: null, interrupted: false, stops: false },
  };
}
