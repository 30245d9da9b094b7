// engine/jobs/: follows what goes on at the platform after an accepted call, at the pace that the key's budget allows.
// May import: engine/, engine/*, operation/, views/, platform/, platform/*, storage/, the clock.

import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Progress } from "../../operation/answer.ts";
import type { Follow } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import type { Wakeups } from "../../storage/store.ts";
import { duration, moment } from "../../views/format.ts";
import type { Access } from "../access.ts";
import { errorText } from "../answers/error-text.ts";
import type { Binder, BoundOperation } from "../bound.ts";
import type { AfterCopy } from "../requests/after-copy.ts";
import { madeBy } from "../requests/copy-run.ts";
import { commandInHand, isBeforeAct, type Job, type Request } from "../requests/request.ts";
import { followWake, type RequestStore } from "../requests/store.ts";
import { everyOfPart, pauseFor } from "./pace.ts";
import { createSharedPolls } from "./shared-polls.ts";

/** A request whose job goes on. */
type Following = Request & { job: Job };

/** What has changed since it was told last, where anything has. */
interface News {
  next?: Request["next"];
  misses?: number;
  plan?: Job["plan"];
}

/** How many polls in a row may fail before it is said. */
const worthSaying = 3;
const noAnswer = "The platform does not answer at the moment; I keep looking.";
const slowestRetry = 60_000;
const linkWords =
  "I cannot look how it goes on: your key must be linked anew (`/rackbell link`). I go on as soon as it is.";

/** Keeps what was accepted current until it has ended (design section 7); its wake-up is stored with the fact that it was accepted. */
export function followJobs(deps: {
  requests: RequestStore;
  access: Access;
  binder: Binder;
  registry: Registry;
  afterCopy: AfterCopy;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
}): void {
  const { requests, access, binder, registry, afterCopy, wakeups, clock, log } = deps;
  const pollShared = createSharedPolls(clock);

  /** When to poll next, or nothing when it has ended. */
  async function poll(request: Following): Promise<number | undefined> {
    const operation = registry.find(commandInHand(request));
    if (!operation || operation.api === "app" || !operation.follow)
      return abandon(request, "this version of Rackbell does not know how");
    const bound = await binder.bindPinned(operation, request);
    if (!bound) return abandon(request, "the key that it was done with is no longer linked");
    const follow = request.part ? { ...operation.follow, every: everyOfPart(operation.follow) } : operation.follow;
    const isLate = clock.now() - request.job.since > follow.deadline;
    if (access.isOverdue(bound.link) && isLate) return abandon(request, "your key was not linked anew");
    if (access.isOverdue(bound.link)) return wait(request, linkWords, clock.now() + slowestRetry);
    const pause = pauseFor(bound.budget(), follow.every, clock.now());
    if (pause > follow.every * 10) return wait(request, fewCalls(clock.now() + pause), clock.now() + pause);
    const polled = await pollShared(request, request.job, bound);
    if ("progress" in polled) return render(request, follow, polled.progress, pause);
    await access.markRejected(request.member, polled.error);
    if (keyRejected(polled.error)) return abandon(request, "the platform no longer accepts the key");
    return onPollError(request, follow, polled.error, bound);
  }

  async function render(
    request: Following,
    follow: Follow,
    { state, text, next = [], every = 0, plan: told }: Progress,
    pause: number,
  ): Promise<number | undefined> {
    const plan = told ?? request.job.plan;
    if (state !== "working") return end(request, state, text, next, plan);
    if (clock.now() - request.job.since > follow.deadline) return end(request, "left", gaveUp(follow.deadline), []);
    await say(request, text, { next, misses: 0, plan });
    return clock.now() + Math.max(pause, every);
  }

  async function onPollError(
    request: Following,
    follow: Follow,
    error: unknown,
    { operation }: BoundOperation,
  ): Promise<number | undefined> {
    log.warn({ err: error, command: operation.command }, "A poll of what is followed failed");
    const now = clock.now();
    if (now - request.job.since > follow.deadline) return end(request, "left", gaveUp(follow.deadline), []);
    const { again } = errorText(error, now);
    if (again !== null && again - now > follow.every * 10) return wait(request, fewCalls(again), again);
    const misses = request.job.misses + 1;
    if (misses >= worthSaying && isRefused(error))
      return abandon(request, `the platform does not show it any more (${error.status})`);
    await say(request, misses === worthSaying ? noAnswer : request.job.text, { misses });
    return now + retryAfter(follow.every, misses);
  }

  function wait(request: Following, text: string, until: number): Promise<number> {
    return say(request, text, {}).then(() => until);
  }

  /** Keeps how far it is, and tells it if that is news. */
  async function say(request: Following, text: string, told: News): Promise<void> {
    const { next = request.next, misses = request.job.misses, plan = request.job.plan } = told;
    const news = text !== request.job.text || plan?.at !== request.job.plan?.at;
    if (!news && misses === request.job.misses) return;
    await requests.advance(request, { next, job: { ...request.job, text, misses, plan } }, { silent: !news });
  }

  function abandon(request: Following, why: string): Promise<number | undefined> {
    return end(request, "left", `I can no longer follow this: ${why}. It goes on without me; look at it yourself.`, []);
  }

  async function end(
    request: Following,
    state: "done" | "failed" | "left",
    outcome: string,
    next: Request["next"],
    plan = request.job.plan,
  ): Promise<number | undefined> {
    if (state === "done") await afterCopy.remember(request);
    if (isBeforeAct(request)) return afterCopy.copyEnded(request, { is: state, text: outcome, next });
    const job = { ...request.job, plan, endedAt: clock.now() };
    await requests.advance(request, { state, outcome, next, job }, { note: { what: "ended", made: madeBy({ next }) } });
  }

  wakeups.handle(followWake, async (wakeId) => {
    const request = await requests.read(wakeId.slice(followWake.length));
    if (!request || !isFollowed(request)) return;
    return request.copy?.step === "taken" ? afterCopy.goOn(request) : poll(request);
  });
}

function isFollowed(request: Request): request is Following {
  return request.state === "working" && request.job !== null && request.bulk === null;
}

function isRefused(error: unknown): error is PlatformRefused {
  return error instanceof PlatformRefused && error.status < 500 && error.status !== 429;
}

/** People come first. */
function fewCalls(until: number): string {
  return `Your key has few calls left in this hour, so I look again ${moment(until)}.`;
}

function gaveUp(deadline: number): string {
  return `I stopped looking after ${duration(deadline)}: it had not ended by then. It may still end; look at it yourself.`;
}

/** Waits longer after each poll that was not answered. */
function retryAfter(every: number, misses: number): number {
  return Math.min(slowestRetry, every * 2 ** Math.min(misses, 5));
}
