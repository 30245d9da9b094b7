import type { Block } from "../../views/blocks.ts";
import { plan, type Task } from "../../views/plan.ts";
import { unmarked } from "../../views/text.ts";
import { isBeforeAct, isOpen, type Request } from "./request.ts";

/** The steps of a long job, ticked off as far as it is. */
export function planOf(request: Request, title: string): Block[] {
  const { state, copy } = request;
  const own = ownStages(request);
  const stages = chainStages(copy, own, request.press);
  if (stages === null) return [];
  const { titles, at } = stages;
  function statusAt(stage: number): Task["status"] {
    if (state === "done" || stage < at) return "complete";
    if (stage > at) return "pending";
    if (state === "failed" || (copy && (state === "void" || state === "refused"))) return "error";
    return state === "working" || (copy && isOpen(request)) ? "in_progress" : "pending";
  }
  const tasks = titles.map((title, stage) => ({ title, status: statusAt(stage) }));
  return [plan(unmarked(title), tasks)];
}

interface Titles {
  titles: string[];
  at: number;
}

/** The steps that the platform shows of what was asked. */
function ownStages({ job, copy }: Request): Titles | null {
  return job?.plan && !isBeforeAct({ copy }) ? { titles: job.plan.stages, at: job.plan.at } : null;
}

/** With a copy first, all of it is one plan: the copy, the facts, and what was asked. */
function chainStages(copy: Request["copy"], own: Titles | null, press = ""): Titles | null {
  if (!copy || copy.step === "offered" || copy.step === "chosen") return own;
  const after = own ?? { titles: [press], at: 0 };
  const before = [`${copy.title}: ${copy.name}`, "Find that it is there, and read the facts again"];
  const at = { taking: 0, taken: 1, acting: before.length + after.at }[copy.step];
  return { titles: [...before, ...after.titles], at };
}
