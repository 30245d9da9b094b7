import type { PlainText } from "../../../process/plain-text.ts";
import type { Block } from "../../../views/blocks.ts";
import { plan, type Task } from "../../../views/plan.ts";
import { unmarked } from "../../../views/text.ts";
import { isOpen, type Request, wasNotDone } from "../../request.ts";
import { isBeforeMainAct } from "../../states.ts";

/** Shows the steps of a long job, with a tick on each finished one. */
export function jobPlan(request: Request, title: string): Block[] {
  const { state, backupFirst, endUnknown } = request;
  const own = jobSteps(request);
  const stages = allSteps(backupFirst, own, request.review.press);
  if (stages === null) return [];
  const { titles, at } = stages;
  function statusAt(stage: number): Task["status"] {
    if ((state === "done" && !endUnknown) || stage < at) return "complete";
    if (stage > at) return "pending";
    if (state === "failed" || (backupFirst && (state === "void" || wasNotDone(request)))) return "error";
    return state === "working" || (backupFirst && isOpen(request)) ? "in_progress" : "pending";
  }
  const tasks = titles.map((title, stage) => ({ title, status: statusAt(stage) }));
  return [plan(unmarked(title), tasks)];
}

interface StepTitles {
  titles: PlainText[];
  at: number;
}

/** The steps of the act's own job, if the platform shows them. */
function jobSteps({ job, backupFirst }: Request): StepTitles | null {
  return job?.plan && !isBeforeMainAct({ backupFirst }) ? { titles: job.plan.stages, at: job.plan.at } : null;
}

/** With a backup first, the backup, the check and the act make one list. */
function allSteps(copy: Request["backupFirst"], own: StepTitles | null, press: PlainText): StepTitles | null {
  if (!copy || copy.step === "offered" || copy.step === "chosen") return own;
  const after = own ?? { titles: [press], at: 0 };
  const before = [`${copy.title}: ${copy.name}`, "Check the backup, and read the facts again"];
  const at = { taking: 0, taken: 1, acting: before.length + after.at }[copy.step];
  return { titles: [...before, ...after.titles], at };
}
