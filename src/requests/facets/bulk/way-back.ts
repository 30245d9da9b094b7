import { bind } from "../../../members/access/bound.ts";
import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import { characters, plainly } from "../../../process/plain-text.ts";
import type { RequestsApp } from "../../app.ts";
import { operationOf } from "../../checks.ts";
import { isBulkWorking, type Request } from "../../request.ts";
import { possibleSteps } from "../../run.ts";
import { openBulkFor } from "./decide.ts";
import { proposeBulk } from "./propose.ts";
import type { ApprovedTarget, Bulk } from "./record.ts";
import { readTargetRequest } from "./targets.ts";

type StoredStep = Request["next"][number];

/** The way back for all targets that were done, as the step of an ended bulk request; empty if the act has none. */
export async function findWayBack(
  app: RequestsApp,
  request: Request,
  bulk: Bulk,
  targets: readonly ApprovedTarget[],
): Promise<StoredStep[]> {
  const back = await stepsBack(app, request, bulk, targets);
  const [first] = back;
  if (!first) return [];
  const { label, command } = first.step;
  const ends = back.flatMap(({ step }) => step.until ?? []);
  // The button stays as long as one of them can go back.
  const until = ends.length === back.length ? { until: Math.max(...ends) } : {};
  return [
    {
      label: back.length === 1 ? label : plainly`${characters(label).replace(/ it$/, "")} all ${back.length}`,
      command,
      ...until,
    },
  ];
}

/** Asks for the way back of all targets that were done and can still go back. */
export async function askForWayBack(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const { clock } = app;
  const opened = await openBulkFor(app, id, origin, (one) => !isBulkWorking(one));
  if (!opened) return;
  const { request, targets } = opened;
  const back = await stepsBack(app, request, request.bulk, targets);
  const possible = possibleSteps(
    back.map(({ target, step }) => ({ ...step, of: target })),
    clock.now(),
  );
  const operation = wayBackOperation(app, possible[0]);
  if (!operation) throw new Refusal("It is too late: none of them can go back now. Nothing was requested.");
  const bound = (await bind(app, operation, origin.member)).in(request.requester.project);
  await proposeBulk(app, { bound, origin, input: {}, chosen: possible.map(({ of }) => of) });
}

/** The step back of each target that was done. Only the first is read if it has none: all targets share one operation. */
async function stepsBack(
  app: RequestsApp,
  { id }: Request,
  bulk: Bulk,
  targets: readonly ApprovedTarget[],
): Promise<{ target: ApprovedTarget; step: StoredStep }[]> {
  const found: { target: ApprovedTarget; step: StoredStep }[] = [];
  for (const [at, target] of targets.entries()) {
    if (bulk.outcomes[at] !== "done") continue;
    const part = await readTargetRequest(app, id, bulk, at, target);
    const step = part?.next.find((one) => wayBackOperation(app, one) !== null);
    if (step) found.push({ target, step });
    else if (found.length === 0) return [];
  }
  return found;
}

/** The operation of a step that changes several resources at once and asks for nothing more; null of any other step. */
function wayBackOperation(app: RequestsApp, step: StoredStep | undefined): PlatformOperation | null {
  const operation = step && step.input === undefined ? operationOf(app, step) : null;
  return operation?.bulk && operation.risk === "change" ? operation : null;
}
