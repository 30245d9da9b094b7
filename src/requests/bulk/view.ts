import { actions, type Block, button, context, paragraphs } from "../../views/blocks.ts";
import { csvOf } from "../../views/csv.ts";
import { money } from "../../views/format.ts";
import { plan, type Task } from "../../views/plan.ts";
import { dataTables, type Table } from "../../views/table.ts";
import { clipMarkup, code, count, unmarked } from "../../views/text.ts";
import { isBulkWorking, type Request } from "../request.ts";
import type { Bulk, BulkTarget, Outcome } from "./record.ts";

export const countAction = "request:count";
export const stopAction = "request:stop";
export const listAction = "request:list";
export const againAction = "request:again";
export const restAction = "request:rest";

/** A message shows this many targets. If there are more, a file has them all. */
const mostShown = 20;
/** A message shows this many failures, each with this many characters. */
export const mostFailures = 8;
const mostInFailure = 250;

/** Shows the targets that a decision is about, with the loss or price of each. */
export function askedBlocks({ id, bulk }: Request, targets: readonly BulkTarget[]): Block[] {
  if (!bulk) return [];
  const shown = targets.slice(0, mostShown);
  const left = targets.length - shown.length;
  return [
    ...dataTables(tableOf(shown, bulk)),
    ...(left > 0
      ? [context(`and ${count(left, "other")}.`), ...actions([allButton(id, targets.length)], "bulk-list")]
      : []),
  ];
}

/** Shows the progress or outcome of each target, the failures with their reasons, and the next buttons. */
export function workBlocks(
  request: Request,
  targets: readonly BulkTarget[],
  { reasons, others }: { reasons: readonly { name: string; outcome: string }[]; others: number },
): Block[] {
  const { id, bulk } = request;
  if (!bulk) return [];
  const lines = reasons.map(({ name, outcome }) => `• ${code(name, 60)}: ${clipMarkup(outcome, mostInFailure)}`);
  const isLong = targets.length > mostShown;
  const buttons = [...nextButtons(request, bulk), ...(isLong ? [allButton(id, targets.length)] : [])];
  return [
    ...(isLong ? [] : [plan(request.verb, tasksOf(targets, bulk))]),
    ...paragraphs(lines),
    ...(others > 0 ? [context(`and ${count(others, "other")} that did not go well: the file has them.`)] : []),
    ...actions(buttons, "bulk"),
  ];
}

/** Makes a CSV file of all targets and their outcomes. `reasons`: by position. */
export function bulkFile(
  { bulk }: Request,
  targets: readonly BulkTarget[],
  reasons: ReadonlyMap<number, string>,
): string {
  if (!bulk) return "";
  const { columns, rows } = tableOf(targets, bulk);
  return csvOf({
    columns: [...columns, "Id", "Outcome", "Why"],
    rows: rows.map((row, at) => [
      ...row,
      targets[at]?.id ?? "",
      outcomeWords[bulk.outcomes[at] ?? "waiting"],
      unmarked(reasons.get(at) ?? ""),
    ]),
  });
}

function nextButtons(request: Request, bulk: Bulk) {
  const { id } = request;
  if (isBulkWorking(request)) return bulk.stopped === null ? [button("Stop", stopAction, id, { style: "danger" })] : [];
  const failed = bulk.outcomes.filter((outcome) => outcome === "failed").length;
  const waiting = bulk.outcomes.filter((outcome) => outcome === "waiting").length;
  return [
    ...(failed > 0 ? [button("Try the failed ones again", againAction, id)] : []),
    ...(waiting > 0 ? [button(`Go on with the other ${waiting}`, restAction, id)] : []),
  ];
}

function allButton(id: string, amount: number) {
  return button(`All ${amount.toLocaleString("en")} as a file`, listAction, id);
}

/** Makes a table of the targets without empty columns. */
function tableOf(targets: readonly BulkTarget[], { nouns }: Bulk): Table {
  const known = new Map(
    targets.flatMap(({ preconditions }) => Object.entries(preconditions).map(([key, { label }]) => [key, label])),
  );
  const rows = targets.map(({ name, state, project, preconditions, price }) => [
    name,
    state,
    project?.name ?? "",
    ...[...known.keys()].map((key) => unmarked(preconditions[key]?.text ?? "")),
    price === null ? "" : price === "unknown" ? "not named" : money(price.amount, price.currency),
  ]);
  const headings = ["Name", "State", "Project", ...known.values(), "Charge"];
  const kept = headings.flatMap((_, at) => (at === 0 || rows.some((row) => row[at] !== "") ? [at] : []));
  return {
    caption: nouns,
    columns: kept.map((at) => headings[at] ?? ""),
    rows: rows.map((row) => kept.map((at) => row[at] ?? "")),
  };
}

function tasksOf(targets: readonly BulkTarget[], { outcomes }: Bulk): Task[] {
  const statuses: Record<Outcome, Task["status"]> = {
    waiting: "pending",
    running: "in_progress",
    unclear: "error",
    done: "complete",
    failed: "error",
    "left out": "error",
  };
  return targets.map(({ name }, at) => {
    const outcome = outcomes[at] ?? "waiting";
    const words = outcome === "done" || outcome === "waiting" ? "" : `: ${outcomeWords[outcome]}`;
    return { title: `${name}${words}`, status: statuses[outcome] };
  });
}

const outcomeWords: Record<Outcome, string> = {
  waiting: "not begun",
  running: "under way",
  unclear: "not clear",
  done: "done",
  failed: "failed",
  "left out": "left out",
};
