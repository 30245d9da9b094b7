import { isOverdue, markRejected } from "../../../members/access/access.ts";
import { backgroundAllowedAt } from "../../../members/access/background-rate.ts";
import { type BoundOperation, bindPinned } from "../../../members/access/bound.ts";
import { whyLeftOut } from "../../../members/slack-user.ts";
import { errorText, whoseKey } from "../../../messages/answers/error-text.ts";
import type { Progress } from "../../../operation/answer.ts";
import type { Tracking } from "../../../operation/operation.ts";
import type { Budget } from "../../../platform/http/budget.ts";
import { isPermanentRefusal, keyRejected } from "../../../platform/http/errors.ts";
import { duration, moment } from "../../../views/format.ts";
import { capital, reasonWords, sentence } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { operationOf } from "../../checks.ts";
import type { Request } from "../../request.ts";
import { noteCost } from "../../rules.ts";
import { madeIds } from "../../run.ts";
import { hasParts } from "../../states.ts";
import { step } from "../../step.ts";
import { amend, jobTimer, readRequest } from "../../store.ts";
import { rememberBackup } from "../backup-first/offer.ts";
import type { Job } from "./record.ts";

/** A request with a job that is under way at the platform. */
type TrackedRequest = Request & { job: Job };

/** Parts of a tracked request that a poll may have changed. */
interface JobUpdate {
  next?: Request["next"];
  misses?: number;
  plan?: Job["plan"];
  handle?: Job["handle"];
}

/** The message admits that the platform does not answer after this many failed polls in a row. */
const missesWorthSaying = 3;
const noAnswer = "The platform does not answer at the moment; I keep checking.";
const slowestRetry = 60_000;

/**
 * The timer that tracks accepted jobs to their end. It is stored in the transaction that accepted the job, so that no
 * crash loses it.
 */
export async function onJobTimer(app: RequestsApp, timerId: string): Promise<number | undefined> {
  const request = await readRequest(app, timerId.slice(jobTimer.length));
  return request && isTracked(request) ? poll(app, request) : undefined;
}

/** Polls once. Resolves to the time of the next poll in milliseconds since the epoch, or undefined when tracking has ended. */
async function poll(app: RequestsApp, request: TrackedRequest): Promise<number | undefined> {
  const { clock } = app;
  const operation = operationOf(app, request);
  if (!operation?.follow) return abandon(app, request, "this version of Rackbell does not know how");
  const bound = await bindPinned(app, operation, request.requester);
  // A retired key is there to check unknown outcomes alone.
  if (bound?.links[bound.link.api]?.keyId !== request.requester.keyId)
    return abandon(app, request, "the key of this request is no longer linked");
  const left = await whyRequesterLeft(app, request);
  if (left !== null) return abandon(app, request, left);
  const follow = request.part ? { ...operation.follow, every: bulkPollInterval(operation.follow) } : operation.follow;
  const isLate = clock.now() - request.job.since > follow.deadline;
  const owner = `<@${request.requester.slackUser}>`;
  if (isOverdue(app, bound.link) && isLate) return abandon(app, request, `${owner} did not link their key again`);
  if (isOverdue(app, bound.link)) return wait(app, request, linkWords(owner), clock.now() + slowestRetry);
  const pause = pauseFor(bound.budget(), follow.every, clock.now());
  if (pause > follow.every * 10) return wait(app, request, fewCalls(request, clock.now() + pause), clock.now() + pause);
  const polled = await pollShared(app, request, request.job, bound);
  if ("progress" in polled) {
    await noteCost(app, request, polled.progress);
    return render(app, request, follow, polled.progress, pause);
  }
  await markRejected(app, request.requester, polled.error);
  if (keyRejected(polled.error)) return abandon(app, request, "the platform no longer accepts the key");
  return onPollError(app, request, follow, polled.error);
}

/** Why the requester's key polls no more; null if it may, and while Slack does not say who they are: they were a member when it began. */
async function whyRequesterLeft(
  { people }: RequestsApp,
  { requester: { slackUser } }: Request,
): Promise<string | null> {
  const person = await people.person(slackUser).catch(() => null);
  const why = person && whyLeftOut(person);
  return why && `<@${slackUser}>, who asked, ${why}`;
}

type Polled = { progress: Progress } | { error: unknown };

/** Joins polls of the same job with the same key at the same moment into one call. It works within this process alone. */
async function pollShared(
  { inProcess: { polls }, clock }: RequestsApp,
  { requester: { keyId }, target }: Request,
  { handle, since }: Job,
  bound: BoundOperation,
): Promise<Polled> {
  const { command } = bound.operation;
  const targetId = target?.id ?? "";
  // Another key may not be allowed to see the job, so it polls by itself.
  const key = JSON.stringify([bound.link.api, keyId, command, targetId, handle]);
  const running = polls.get(key) ?? bound.poll({ targetId, since, now: clock.now() }, handle);
  polls.set(key, running);
  try {
    return { progress: await running };
  } catch (error) {
    return { error };
  } finally {
    polls.delete(key);
  }
}

async function render(
  app: RequestsApp,
  request: TrackedRequest,
  follow: Tracking,
  { state, text, next = [], every = 0, plan: newPlan, endUnknown = false, handle = request.job.handle }: Progress,
  pause: number,
): Promise<number | undefined> {
  const now = app.clock.now();
  const plan = newPlan ?? request.job.plan;
  if (state !== "working")
    return end(app, request, state === "done" ? "succeed" : "fail", text, next, { plan, endUnknown });
  if (now - request.job.since > follow.deadline) return end(app, request, "leave", gaveUp(follow.deadline), []);
  await storeProgress(app, request, text, { next, misses: 0, plan, handle });
  return app.clock.now() + Math.max(pause, every);
}

async function onPollError(
  app: RequestsApp,
  request: TrackedRequest,
  follow: Tracking,
  error: unknown,
): Promise<number | undefined> {
  app.log.warn({ err: error, command: request.command }, "A poll of a tracked job failed");
  const now = app.clock.now();
  if (now - request.job.since > follow.deadline) return end(app, request, "leave", gaveUp(follow.deadline), []);
  const { again } = errorText(error, now);
  if (again !== null && again - now > follow.every * 10) return wait(app, request, fewCalls(request, again), again);
  const misses = request.job.misses + 1;
  if (misses >= missesWorthSaying && isPermanentRefusal(error))
    return abandon(app, request, `the platform refuses to show it. It says: ${reasonWords(error.reason, 200)}`);
  await storeProgress(app, request, misses === missesWorthSaying ? noAnswer : request.job.text, { misses });
  return now + retryAfter(follow.every, misses);
}

function wait(app: RequestsApp, request: TrackedRequest, text: string, until: number): Promise<number> {
  return storeProgress(app, request, text, {}).then(() => until);
}

/** Stores the progress, and updates the message only if readers would see a difference. */
async function storeProgress(
  app: RequestsApp,
  request: TrackedRequest,
  text: string,
  update: JobUpdate,
): Promise<void> {
  const {
    next = request.next,
    misses = request.job.misses,
    plan = request.job.plan,
    handle = request.job.handle,
  } = update;
  const hasChanged = text !== request.job.text || plan?.at !== request.job.plan?.at;
  const isSameHandle = JSON.stringify(handle) === JSON.stringify(request.job.handle);
  if (!hasChanged && misses === request.job.misses && isSameHandle) return;
  await amend(app, request, { next, job: { ...request.job, text, misses, plan, handle } }, { silent: !hasChanged });
}

function abandon(app: RequestsApp, request: TrackedRequest, why: string): Promise<number | undefined> {
  const outcome = `I can no longer track this: ${sentence(why)} It goes on at the platform; check the resource yourself.`;
  return end(app, request, "leave", outcome, []);
}

async function end(
  app: RequestsApp,
  request: TrackedRequest,
  event: "succeed" | "fail" | "leave",
  outcome: string,
  next: Request["next"],
  { plan, endUnknown }: { plan: Job["plan"]; endUnknown: boolean } = { plan: request.job.plan, endUnknown: false },
): Promise<undefined> {
  // A later review would name it as the newest backup.
  if (event === "succeed" && !endUnknown) await rememberBackup(app, request);
  const job = { ...request.job, plan, endedAt: app.clock.now() };
  await step(app, request, event, { outcome, endUnknown, next, job }, { made: madeIds({ next }) });
}

function isTracked(request: Request): request is TrackedRequest {
  return request.state === "working" && request.job !== null && !hasParts(request);
}

/** The rest of the key's hourly calls is left to people. */
function fewCalls({ requester }: Request, until: number): string {
  return `${capital(whoseKey(requester.slackUser).key)} has few calls left in this hour, so I check again ${moment(until)}.`;
}

/** A channel reads it, so it names who must link their key. */
function linkWords(owner: string): string {
  return `I cannot check the progress: ${owner} must link their key again (\`/rackbell link\`). I go on after that.`;
}

function gaveUp(deadline: number): string {
  return `I stopped checking after ${duration(deadline)}: it had not ended by then. It may still end; check the resource yourself.`;
}

/** Milliseconds to the next poll, growing with each one that was not answered. */
function retryAfter(every: number, misses: number): number {
  return Math.min(slowestRetry, every * 2 ** Math.min(misses, 5));
}

/** Below this share of the hour's calls, polling waits for the next hour. The calls are left to people. */
const waitBelowShare = 0.05;

/** Milliseconds. Several targets of a bulk request are polled at the same time, and nobody watches a single one. */
const leastBulkInterval = 10_000;

function bulkPollInterval({ every }: { every: number }): number {
  return Math.max(every, leastBulkInterval);
}

/** Milliseconds to the next poll, by the calls that the key has left this hour. */
function pauseFor(budget: Budget | undefined, every: number, now: number): number {
  if (!budget) return every;
  if (budget.remaining < budget.limit * waitBelowShare) return Math.max(every, budget.resetAt - now + 1_000);
  return backgroundAllowedAt(budget) === null ? every : every * 5;
}
