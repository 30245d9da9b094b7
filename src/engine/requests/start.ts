import { Refusal } from "../../operation/errors.ts";
import type { Ask } from "./ask.ts";
import type { Change } from "./change.ts";
import type { Wanted } from "./create.ts";
import { aboutWanted, type Rules, refuseForbidden } from "./rules.ts";
import { waitForWindow } from "./wait-for-window.ts";

/** Does what a member wants at once, or asks first: the one place that decides it. */
export interface Start {
  /** What changes, costs or destroys something. `asksFirst`: whether what is done at once waits for one more press of the caller's. */
  act(wanted: Wanted, asksFirst: () => Promise<boolean>): Promise<void>;
  /** Refuses what may not even be read. */
  admitReading(wanted: Omit<Wanted, "generated">): Promise<void>;
}

export function createStart({ rules, ask, change }: { rules: Rules; ask: Ask; change: Change }): Start {
  return {
    async act(wanted, asksFirst) {
      const { when, act } = wanted;
      if (when && act.risk !== "change" && act.risk !== "destroy")
        throw new Refusal(
          `${act.risk === "spend" ? "This costs money, and its price is of now" : "This only reads"}, so it cannot be planned. Nothing was asked. Ask without a time.`,
        );
      if (wanted.act.risk !== "change") return ask(wanted);
      const verdict = await rules.verdict(aboutWanted(wanted, null));
      refuseForbidden(verdict, (opens) => waitForWindow(wanted, opens));
      if (verdict.demand !== "allowed") return ask(wanted);
      if (!(await asksFirst())) await change(wanted);
    },
    async admitReading(wanted) {
      refuseForbidden(await rules.verdict(aboutWanted(wanted, null)));
    },
  };
}
