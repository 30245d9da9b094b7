import type { Logger } from "pino";
import type { Clock } from "../../../clock.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { Budget } from "../../../platform/http/transport.ts";
import type { Store } from "../../../storage/store.ts";
import { moment } from "../../../views/format.ts";
import { againAt } from "../../reading-pace.ts";
import type { RequestChecks } from "../checks.ts";
import { isBulkAtWork, type Request } from "../request.ts";
import { aboutOf, type Rules } from "../rules.ts";
import { bulkWake, type RequestStore } from "../store.ts";
import { atOnceOf } from "./act.ts";
import type { BeginPart } from "./begin-part.ts";
import { endState, endWords, progressWords, tally, whyStopped, withOutcome } from "./progress.ts";
import { type Bulk, type BulkTarget, partId, priceOfAll } from "./record.ts";

type AtWork = Request & { bulk: Bulk };

/**
 * Works on many, a few at once, until all are done or too many failed. What is kept of each is enough to go on from whatever died: a
 * target is marked before it is begun, and begun under an id that is the same each time.
 */
export function workOnBulks(deps: {
  store: Store;
  requests: RequestStore;
  checks: Pick<RequestChecks, "operation" | "requester">;
  rules: Pick<Rules, "reserve" | "release">;
  beginPart: BeginPart;
  clock: Clock;
  log: Logger;
}): void {
  const { store, requests, checks, rules, beginPart, clock, log } = deps;

  /** The operation with the asker's key, or why nothing more is begun. */
  async function keyOf(request: AtWork) {
    const operation = checks.operation(request);
    if (!operation) return { why: "This version of Rackbell no longer has that command." };
    const bound = await checks.requester(request, operation).catch(noneIfRefused);
    if (!bound) return { why: `The key of <@${request.slackUser}> changed meanwhile.` };
    if (bound.link.rejectedAt !== null)
      return { why: `The platform no longer accepts the key of <@${request.slackUser}>.` };
    return { bound };
  }

  async function step(request: AtWork): Promise<number | undefined> {
    const targets = await requests.targets.read(request.id);
    const known = await caughtUp(requests, request, targets);
    const key = await keyOf(request);
    const bulk: Bulk = { ...known, stopped: whyStopped(known) ?? ("why" in key ? key.why : null) };
    const { running, waiting } = tally(bulk);
    if (running === 0 && (bulk.stopped !== null || waiting === 0)) return end(request, bulk, targets);
    if (bulk.stopped !== null || !("bound" in key)) return void (await keep(request, bulk, progressWords(bulk)));
    const { bound } = key;
    const now = clock.now();
    const untilCalls = callsAgainAt(bound.budget(), now);
    if (untilCalls !== null) return pause(request, bulk, "your key has few calls left in this hour", untilCalls);
    const next = beginnable(bulk, now).slice(0, Math.max(0, atOnceOf(bound.operation) - running));
    if (next.length === 0) return pauseForPutOff(request, bulk, now);
    const outcomes = bulk.outcomes.map((outcome, at) => (next.includes(at) ? "running" : outcome));
    const marked: Bulk = { ...bulk, outcomes };
    const begun = await keep(request, marked, progressWords(marked));
    if (!begun) return now;
    const begins = next.flatMap((at) => {
      const target = targets[at];
      return target ? [beginPart({ request: begun, bound }, target, triesOf(marked, at))] : [];
    });
    const results = await Promise.allSettled(begins);
    for (const { reason } of results.filter((result) => result.status === "rejected"))
      log.warn({ err: reason, request: request.id }, "One of many could not be begun yet");
    return results.some(({ status }) => status === "rejected") ? clock.now() + retryAfter : clock.now();
  }

  /** Null where somebody else has changed it since; then all is looked at anew. */
  async function keep(request: AtWork, bulk: Bulk, text: string): Promise<Request | null> {
    if (!request.job) return null;
    const same = JSON.stringify(bulk) === JSON.stringify(request.bulk) && request.job.text === text;
    return same ? request : requests.advance(request, { bulk, job: { ...request.job, text } });
  }

  async function pause(request: AtWork, bulk: Bulk, why: string, until: number): Promise<number> {
    await keep(request, bulk, `${progressWords(bulk)} It goes on ${moment(until)}: ${why}.`);
    return until;
  }

  /** What is put off goes on when the platform lets it; what is under way wakes this by itself. */
  async function pauseForPutOff(request: AtWork, bulk: Bulk, now: number): Promise<number | undefined> {
    const due = Object.entries(bulk.putOff).flatMap(([at, { until }]) =>
      bulk.outcomes[Number(at)] === "waiting" && until > now ? [until] : [],
    );
    if (due.length === 0) return void (await keep(request, bulk, progressWords(bulk)));
    return pause(request, bulk, "the platform asked to wait", Math.min(...due));
  }

  async function end(request: AtWork, bulk: Bulk, targets: readonly BulkTarget[]): Promise<undefined> {
    const outcome = endWords(bulk);
    const job = request.job && { ...request.job, endedAt: clock.now() };
    const ended = await requests.advance(
      request,
      { state: endState(bulk), bulk, outcome, job },
      { note: { what: "ended" } },
    );
    if (ended) await settle(rules, ended, { bulk, targets });
  }

  store.wakeups.handle(bulkWake, async (wakeId) => {
    const request = await requests.read(wakeId.slice(bulkWake.length));
    return request && isBulkAtWork(request) ? step(request) : undefined;
  });
}

function noneIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** Milliseconds after which what could not be written down is tried again. */
const retryAfter = 5_000;

function triesOf({ putOff }: Bulk, at: number): number {
  return putOff[at]?.times ?? 0;
}

/** The places of those that can be begun now. */
function beginnable({ outcomes, putOff }: Bulk, now: number): number[] {
  return outcomes.flatMap((outcome, at) => (outcome === "waiting" && (putOff[at]?.until ?? 0) <= now ? [at] : []));
}

/** People come first: under a fifth of the hour's calls it waits for the next hour. Null where it need not. */
function callsAgainAt(budget: Budget | undefined, now: number): number | null {
  const again = againAt(budget);
  return again === null ? null : Math.max(now + 1_000, again);
}

/** The work with what came meanwhile of what was begun. */
async function caughtUp(requests: RequestStore, request: AtWork, targets: readonly BulkTarget[]): Promise<Bulk> {
  let { bulk } = request;
  for (const [at, outcome] of request.bulk.outcomes.entries()) {
    const target = targets[at];
    if (outcome !== "running" || !target) continue;
    bulk = withOutcome(bulk, at, await requests.read(partId(request.id, target.id, triesOf(bulk, at))));
  }
  return bulk;
}

/** What was not done has cost nothing. */
async function settle(
  rules: Pick<Rules, "reserve" | "release">,
  request: Request,
  { bulk, targets }: { bulk: Bulk; targets: readonly BulkTarget[] },
): Promise<void> {
  if (request.price === null) return;
  const spent = targets.filter((_, at) => bulk.outcomes[at] === "done" || bulk.outcomes[at] === "unclear");
  if (spent.length === 0) return rules.release(request);
  await rules.reserve({ ...aboutOf(request), price: priceOfAll(spent) }, "never");
}
