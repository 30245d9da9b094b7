import type { KindName } from "./kinds.ts";
import type { Plan, Step } from "./plan.ts";

type Does = Step["does"];

const ask = (kind: KindName, who: "ana" | "ben", mark: number, target = "bulk-00001"): Does => ({
  is: "ask",
  wish: { kind, who, target, also: null, mark, inMinutes: null },
});
const press = (nth: number): Does => ({ is: "press", nth, button: "go", times: 1 });
const ana = (gapMs: number, does: Does): Step => ({ gapMs, who: "ana", does });

/** Plans that are written by hand, for guards that random ones seldom come near. */
export const scenes: Readonly<Record<string, Plan>> = {
  "two payments of one invoice, pressed at once": {
    seed: 6,
    approvals: "self",
    steps: [ana(0, ask("pay", "ana", 1)), ana(5_000, ask("pay", "ana", 2)), ana(5_000, press(0)), ana(0, press(1))],
    faults: [],
  },
  "payments that together pass the sum of a day": {
    seed: 8,
    approvals: "sum",
    steps: [1, 2, 3].flatMap((mark) => [ana(20_000, ask("pay", "ana", mark)), ana(20_000, press(0))]),
    faults: [],
  },
  "a machine that was given another name before the press": {
    seed: 3,
    approvals: "self",
    steps: [
      ana(0, ask("cancel", "ana", 1, "bulk-00006")),
      ana(5_000, { is: "rename", machine: "bulk-00006" }),
      ana(150_000, press(0)),
    ],
    faults: [],
  },
};
