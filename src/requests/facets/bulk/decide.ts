import { admit } from "../../../members/access/access.ts";
import { bind } from "../../../members/access/bound.ts";
import { type ScheduledTime, scheduledTime } from "../../../members/access/when.ts";
import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import { withResolvedTime } from "../../../operation/schedule-input.ts";
import { prose } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { pointToDuplicate } from "../../ask.ts";
import { operationOf, requireMay } from "../../checks.ts";
import { type BulkRequest, hasEndedUnsent, isBulk, isBulkWorking, type Request } from "../../request.ts";
import { inputAgain, openedInput } from "../../sealed.ts";
import { findFor, sayState } from "../../state-answers.ts";
import { step } from "../../step.ts";
import { readRequest } from "../../store.ts";
import { accessOf } from "../../visibility.ts";
import type { Schedule } from "../schedule/record.ts";
import { tally } from "./progress.ts";
import { proposeBulk } from "./propose.ts";
import type { ApprovedTarget, Bulk, TargetOutcome } from "./record.ts";
import { stillToDo } from "./series.ts";
import { readTargetRequest, readTargets } from "./targets.ts";
import { bulkFile } from "./view.ts";

/**
 * The bulk request of a button, with its targets, for a member who may see all of it: the file and the buttons reveal targets, losses and
 * outcomes. Null after telling its state if it does not fit. Refuses any other member.
 */
export async function openBulkFor(
  app: RequestsApp,
  id: string,
  origin: Origin,
  fits: (request: Request) => boolean,
): Promise<{ request: BulkRequest; targets: ApprovedTarget[] } | null> {
  const request = await readRequest(app, id);
  if (!request || !isBulk(request) || !fits(request)) {
    await sayState(app, id, origin);
    return null;
  }
  await admit(app, origin.slackUser);
  if ((await accessOf(app, origin).at(request)) !== "whole")
    throw new Refusal(
      `Only <@${request.requester.slackUser}>, who decides it, can see that, and members of its channel whose keys list all of it. Nothing was done.`,
    );
  const targets = await readTargets(app, id);
  if (targets.length === 0) throw new Refusal("Rackbell no longer knows which ones those were, so nothing was done.");
  return { request, targets };
}

/** The bulk request, if its time passed before it began: its presser is asked for another. Null of any other. Refuses who may not see it. */
export async function findLate(app: RequestsApp, id: string, origin: Origin): Promise<Request | null> {
  const request = await readRequest(app, id);
  const isLate = request?.bulk && isUnbegun(request) && request.schedule.at <= app.clock.now();
  return isLate ? ((await openBulkFor(app, id, origin, isUnbegun))?.request ?? null) : null;
}

/** It had a time, and ended before it began. */
function isUnbegun(request: Request): request is Request & { schedule: Schedule } {
  return request.schedule !== null && hasEndedUnsent(request);
}

/** The presser's answer, where they were asked for a time: milliseconds since the epoch, or null for no time. */
interface OtherTime {
  at: number | null;
}

/** The time of a request that takes the place of an earlier one: what never began keeps its time, or takes the other one. */
async function timeAgain(
  app: RequestsApp,
  request: Request,
  { slackUser }: Origin,
  other: OtherTime | null,
): Promise<ScheduledTime | null> {
  if (!isUnbegun(request)) return null;
  const { at } = other ?? request.schedule;
  if (at === null) return null;
  if (at <= app.clock.now())
    throw new Refusal("That time has passed meanwhile. Nothing was requested. Press again, and choose another time.");
  return scheduledTime(app, withResolvedTime({}, at), slackUser);
}

async function askAgainFor(
  app: RequestsApp,
  id: string,
  origin: Origin,
  which: TargetOutcome,
  other: OtherTime | null = null,
): Promise<void> {
  const opened = await openBulkFor(app, id, origin, (one) => !isBulkWorking(one));
  if (!opened) return;
  const { request, targets } = opened;
  const operation = operationOf(app, request);
  if (!operation) throw new Refusal("This version of Rackbell no longer has that command. Nothing was requested.");
  const { bulk } = request;
  const wanted = targets.filter((_, at) => bulk.outcomes[at] === which && !bulk.doneLater.includes(at));
  const found = await stillToDo(app, request, wanted, { act: request.acts[0], origin });
  if ("open" in found) return pointToDuplicate(app, found.open, origin);
  const bound = await bind(app, operation, origin.member);
  const { stopAfter } = bulk;
  const input = request.input.sealed === null ? inputAgain(app, request) : openedInput(app, request);
  // The originator of the first request must not approve the second one.
  const originator = request.originator ?? undefined;
  // The requester confirmed the interruption of these very targets, so their second press needs no question.
  const confirmed = which === "failed" && request.requester.member === origin.member;
  await proposeBulk(app, {
    bound: bound.in(request.requester.project),
    origin,
    input,
    chosen: { earlier: found.left, series: bulk.series },
    stopAfter,
    originator,
    confirmed,
    when: await timeAgain(app, request, origin, other),
  });
}

/** Reads the outcome of each target that did not succeed. The keys are positions in `targets`. */
async function reasonsOf(
  app: RequestsApp,
  id: string,
  bulk: Bulk,
  targets: readonly ApprovedTarget[],
): Promise<Map<number, string>> {
  const reasons = new Map<number, string>();
  for (const [at, outcome] of bulk.outcomes.entries()) {
    const target = targets[at];
    if (outcome === "done" || outcome === "waiting" || !target) continue;
    reasons.set(at, (await readTargetRequest(app, id, bulk, at, target))?.outcome ?? "");
  }
  return reasons;
}

/** Begins no more targets. Those under way go on to their end. */
export async function stopBulk(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const { clock } = app;
  for (;;) {
    const request = await findFor(app, "stopBulk", id, origin);
    if (!request?.bulk) return;
    await requireMay(app, "stopBulk", request, origin);
    const stopped = `<@${origin.slackUser}> stopped it.`;
    const { waiting } = tally(request.bulk);
    const advanced = await step(
      app,
      request,
      "stopBulk",
      { bulk: { ...request.bulk, stopped } },
      { auditOutcome: `${stopped} Not begun: ${waiting}.`, stepAt: clock.now(), by: origin.slackUser },
    );
    if (advanced) return;
  }
}

/** Makes a new bulk request of the targets that failed. */
export function askForFailed(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  return askAgainFor(app, id, origin, "failed");
}

/** Makes a new bulk request of the targets that were never begun. `other`: where its time had passed before it began. */
export function askForRest(app: RequestsApp, id: string, origin: Origin, other?: OtherTime): Promise<void> {
  return askAgainFor(app, id, origin, "waiting", other);
}

/** Sends the presser a CSV file of all targets. */
export async function listBulk(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const opened = await openBulkFor(app, id, origin, () => true);
  if (!opened) return;
  const { request, targets } = opened;
  const content = bulkFile(request, targets, await reasonsOf(app, id, request.bulk, targets));
  await app.reply.file(origin, { name: `${request.command.replaceAll(" ", "-")}.csv`, content }, prose(request.verb));
}
