import { backgroundAllowedAt } from "../../../members/access/background-rate.ts";
import { whoseKey } from "../../../messages/answers/error-text.ts";
import type { Budget } from "../../../platform/http/budget.ts";
import { moment } from "../../../views/format.ts";
import { code } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { bindRequester, refusalReason } from "../../checks.ts";
import type { BulkRequest, Request } from "../../request.ts";
import { releaseRequest, reserve } from "../../rules.ts";
import { wakeAtStepEnd } from "../../run.ts";
import { step } from "../../step.ts";
import { amend } from "../../store.ts";
import { targetsAtOnce } from "./act.ts";
import { beginTarget } from "./begin-target.ts";
import { bulkEnd, bulkEndWords, progressWords, tally, whyStopped, withOutcome } from "./progress.ts";
import { type ApprovedTarget, type Bulk, priceOfAll, triesOf } from "./record.ts";
import { noteDoneLater } from "./series.ts";
import { readTargetRequest, readTargets } from "./targets.ts";
import { findWayBack } from "./way-back.ts";

/**
 * Binds the operation to the requester's key. Returns the reason to stop, as a sentence, if that fails. `refused`: the platform refused a
 * target since the last step.
 */
async function bindForBulk(app: RequestsApp, request: BulkRequest, refused: boolean) {
  // A permission that the account lost is refused in the words of a resource's own state, so only reading the permissions again tells.
  if (refused && request.api === "customer") await app.identities.refresh(request.requester.member, "customer");
  const bound = await bindRequester(app, request).catch((error: unknown) => ({ why: refusalReason(error) }));
  if ("why" in bound) return bound;
  if (bound.link.rejectedAt !== null)
    return { why: `The platform no longer accepts the key of <@${request.requester.slackUser}>.` };
  if (!bound.may(request.command))
    return {
      why: `The key or the account of <@${request.requester.slackUser}> no longer allows ${code(request.command)}.`,
    };
  return { bound };
}

/**
 * Works through a bulk request, a few targets at once, whenever its timer comes. It ends when all targets ended or too many failed. It stores
 * a mark before it begins a target, under a fixed id, so that it resumes after any crash.
 */
export async function workOnBulk(app: RequestsApp, request: BulkRequest): Promise<number | undefined> {
  const { clock, log } = app;
  const targets = await readTargets(app, request.id);
  const current = await withNewOutcomes(app, request, targets);
  const { running, waiting, failed } = tally(current);
  const key = await bindForBulk(app, request, failed > tally(request.bulk).failed);
  const bulk: Bulk = { ...current, stopped: whyStopped(current) ?? ("why" in key ? key.why : null) };
  if (running === 0 && (bulk.stopped !== null || waiting === 0)) return end(app, request, bulk, targets);
  if (bulk.stopped !== null || !("bound" in key))
    return void (await storeProgress(app, request, bulk, progressWords(bulk)));
  const { bound } = key;
  const now = clock.now();
  const callsAvailableAt = callsAgainAt(bound.budget(), now);
  if (callsAvailableAt !== null) {
    const { key } = whoseKey(request.requester.slackUser);
    return pause(app, request, bulk, `${key} has few calls left in this hour`, callsAvailableAt);
  }
  const next = beginnable(bulk, now).slice(0, Math.max(0, targetsAtOnce(bound.operation) - running));
  if (next.length === 0) return pauseForPutOff(app, request, bulk, now);
  const outcomes = bulk.outcomes.map((outcome, at) => (next.includes(at) ? "running" : outcome));
  const marked: Bulk = { ...bulk, outcomes };
  const begun = await storeProgress(app, request, marked, progressWords(marked));
  if (!begun) return now;
  const begins = next.flatMap((at) => {
    const target = targets[at];
    return target ? [beginTarget(app, { request: begun, bound }, target, triesOf(marked, at))] : [];
  });
  const results = await Promise.allSettled(begins);
  for (const { reason } of results.filter((result) => result.status === "rejected"))
    log.warn({ err: reason, request: request.id }, "A target of a bulk request could not be begun yet");
  return results.some(({ status }) => status === "rejected") ? clock.now() + retryAfter : clock.now();
}

/** Stores the progress. Returns null if another process changed the request first: the next run reads it again. */
async function storeProgress(
  app: RequestsApp,
  request: BulkRequest,
  bulk: Bulk,
  text: string,
): Promise<Request | null> {
  if (!request.job) return null;
  const same = JSON.stringify(bulk) === JSON.stringify(request.bulk) && request.job.text === text;
  return same ? request : amend(app, request, { bulk, job: { ...request.job, text } });
}

async function pause(app: RequestsApp, request: BulkRequest, bulk: Bulk, why: string, until: number): Promise<number> {
  await storeProgress(app, request, bulk, `${progressWords(bulk)} It goes on ${moment(until)}: ${why}.`);
  return until;
}

/** Pauses until the platform accepts a delayed target again. If targets are under way, their end wakes this timer. */
async function pauseForPutOff(
  app: RequestsApp,
  request: BulkRequest,
  bulk: Bulk,
  now: number,
): Promise<number | undefined> {
  const due = Object.entries(bulk.delayed).flatMap(([at, { until }]) =>
    bulk.outcomes[Number(at)] === "waiting" && until > now ? [until] : [],
  );
  if (due.length === 0) return void (await storeProgress(app, request, bulk, progressWords(bulk)));
  return pause(app, request, bulk, "the platform asked to wait", Math.min(...due));
}

async function end(
  app: RequestsApp,
  request: BulkRequest,
  bulk: Bulk,
  targets: readonly ApprovedTarget[],
): Promise<number | undefined> {
  const { clock } = app;
  const now = clock.now();
  const job = request.job && { ...request.job, endedAt: now };
  const back = await findWayBack(app, request, bulk, targets);
  const change = { ...back, outcome: bulkEndWords(bulk, targets[0]?.name), job };
  const ended = await step(app, request, bulkEnd(bulk), change, wakeAtStepEnd(back.next, now));
  // Somebody took a target back in this moment, or another process was first: then read it again.
  if (!ended) return now;
  await correctSpending(app, ended, { bulk, targets });
  const done = targets.flatMap(({ id }, at) => (bulk.outcomes[at] === "done" ? [id] : []));
  await noteDoneLater(app, { ...ended, bulk }, new Set(done));
  return undefined;
}

/** Milliseconds until a step that could not be stored runs again. */
const retryAfter = 5_000;

/** The positions of the targets that may begin now. */
function beginnable({ outcomes, delayed }: Bulk, now: number): number[] {
  return outcomes.flatMap((outcome, at) => (outcome === "waiting" && (delayed[at]?.until ?? 0) <= now ? [at] : []));
}

/** Returns when calls are available again (milliseconds since the epoch), or null. The last fifth of the hour's calls is left to people. */
function callsAgainAt(budget: Budget | undefined, now: number): number | null {
  const again = backgroundAllowedAt(budget);
  return again === null ? null : Math.max(now + 1_000, again);
}

/** Returns the bulk with the outcomes of targets that ended since the last step. */
async function withNewOutcomes(
  app: RequestsApp,
  request: BulkRequest,
  targets: readonly ApprovedTarget[],
): Promise<Bulk> {
  let { bulk } = request;
  for (const [at, outcome] of request.bulk.outcomes.entries()) {
    const target = targets[at];
    if (outcome !== "running" || !target) continue;
    bulk = withOutcome(bulk, at, await readTargetRequest(app, request.id, bulk, at, target));
  }
  return bulk;
}

/** Done is done: it is counted, whatever the rules say by now. */
const anyRuling = { demand: "not-allowed", passkey: { rule: null } } as const;

/** Corrects the spending: targets that were not done have cost nothing. */
async function correctSpending(
  app: RequestsApp,
  request: Request,
  { bulk, targets }: { bulk: Bulk; targets: readonly ApprovedTarget[] },
): Promise<void> {
  if (request.price === null) return;
  const spent = targets.filter((_, at) => bulk.outcomes[at] === "done" || bulk.outcomes[at] === "unknown");
  if (spent.length === 0) return releaseRequest(app, request);
  await reserve(app, { ...request, price: priceOfAll(spent) }, anyRuling);
}
