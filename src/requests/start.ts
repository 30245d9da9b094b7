import { Refusal } from "../operation/errors.ts";
import type { Change } from "./change.ts";
import type { Proposal } from "./create.ts";
import type { OpenRequest } from "./open-request.ts";
import { proposalFacts, type Rules, refuseForbidden } from "./rules.ts";
import { waitForWindow } from "./wait-for-window.ts";

/** Runs a proposal at once or makes a request of it: the only place that decides this. */
export interface Start {
  /**
   * Starts anything that changes, costs or destroys. `asksFirst`: the caller may ask for one more press before an act that runs at once.
   */
  act(proposal: Proposal, asksFirst: () => Promise<boolean>): Promise<void>;
  /** Throws a Refusal if a rule forbids even reading. */
  admitReading(proposal: Omit<Proposal, "generated">): Promise<void>;
}

export function createStart({
  rules,
  openRequest,
  change,
}: {
  rules: Rules;
  openRequest: OpenRequest;
  change: Change;
}): Start {
  return {
    async act(proposal, asksFirst) {
      const { when, act } = proposal;
      if (when && act.risk !== "change" && act.risk !== "destroy")
        throw new Refusal(
          `${act.risk === "spend" ? "This costs money, and its price is of now" : "This only reads"}, so it cannot be planned. Nothing was asked. Ask without a time.`,
        );
      if (proposal.act.risk !== "change") return openRequest(proposal);
      const verdict = await rules.verdict(proposalFacts(proposal, null));
      refuseForbidden(verdict, (opens) => waitForWindow(proposal, opens));
      if (verdict.demand !== "allowed") return openRequest(proposal);
      if (!(await asksFirst())) await change(proposal);
    },
    async admitReading(proposal) {
      refuseForbidden(await rules.verdict(proposalFacts(proposal, null)));
    },
  };
}
