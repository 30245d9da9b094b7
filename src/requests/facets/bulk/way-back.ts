import { bind } from "../../../members/access/bound.ts";
import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import { actsWith } from "../../../operation/same-act.ts";
import type { RequestsApp } from "../../app.ts";
import { pointToDuplicate } from "../../ask.ts";
import { operationOf } from "../../checks.ts";
import { isBulkWorking, type Request } from "../../request.ts";
import { possibleSteps } from "../../run.ts";
import { openBulkFor } from "./decide.ts";
import { withWayBack } from "./progress.ts";
import { proposeBulk } from "./propose.ts";
import type { ApprovedTarget, Bulk } from "./record.ts";
import { stillToDo } from "./series.ts";
import { readTargetRequest } from "./targets.ts";

type StoredStep = Request["next"][number];

/** Of so many targets without a way back, no other has one either: all share one operation. */
const mostTried = 20;

/** The bulk request at its end with the targets that can go back, and the step for all of them; no step if the act has none. */
export async function findWayBack(
  app: RequestsApp,
  request: Request,
  bulk: Bulk,
  targets: readonly ApprovedTarget[],
): Promise<{ bulk: Bulk; next: StoredStep[] }> {
  const done = targets.flatMap((_, at) => (bulk.outcomes[at] === "done" && !bulk.takenBack.includes(at) ? [at] : []));
  const tried = await stepsBack(app, request, bulk, targets, done.slice(0, mostTried));
  const others = tried.length > 0 ? await stepsBack(app, request, bulk, targets, done.slice(mostTried)) : [];
  const back = [...tried, ...others];
  const canGoBack = Object.fromEntries(back.map(({ at, step }) => [at, step.until ?? null]));
  const steps = back.slice(0, 1).map(({ step: { label, command } }) => ({ label, command }));
  return withWayBack({ ...bulk, canGoBack }, steps, () => true);
}

/** Asks for the way back of all targets that were done and can still go back. */
export async function askForWayBack(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const { clock } = app;
  const opened = await openBulkFor(app, id, origin, (one) => !isBulkWorking(one));
  if (!opened) return;
  const { request, targets } = opened;
  const places = Object.keys(request.bulk.canGoBack).map(Number);
  const back = await stepsBack(app, request, request.bulk, targets, places);
  const possible = possibleSteps(
    back.map(({ target, step }) => ({ ...step, of: target })),
    clock.now(),
  );
  const operation = wayBackOperation(app, possible[0]);
  if (!operation) throw new Refusal("It is too late: none of them can go back now. Nothing was requested.");
  const wanted = possible.map(({ of }) => of);
  const [act] = actsWith(operation, {});
  const found = await stillToDo(app, request, wanted, { act, origin });
  if ("open" in found) return pointToDuplicate(app, found.open, origin);
  const bound = (await bind(app, operation, origin.member)).in(request.requester.project);
  const chosen = { earlier: found.left, series: request.bulk.series, anyName: true };
  await proposeBulk(app, { bound, origin, input: {}, chosen });
}

/** The step back of each of these targets that has one. `places`: their positions. */
async function stepsBack(
  app: RequestsApp,
  { id }: Request,
  bulk: Bulk,
  targets: readonly ApprovedTarget[],
  places: readonly number[],
): Promise<{ at: number; target: ApprovedTarget; step: StoredStep }[]> {
  const found: { at: number; target: ApprovedTarget; step: StoredStep }[] = [];
  for (const at of places) {
    const target = targets[at];
    const part = target && (await readTargetRequest(app, id, bulk, at, target));
    const step = part?.next.find((one) => wayBackOperation(app, one) !== null);
    if (target && step) found.push({ at, target, step });
  }
  return found;
}

/** The operation of a step that changes several resources at once and asks for nothing more; null of any other step. */
function wayBackOperation(app: RequestsApp, step: StoredStep | undefined): PlatformOperation | null {
  const operation = step && step.input === undefined ? operationOf(app, step) : null;
  return operation?.bulk && operation.risk === "change" ? operation : null;
}
