import type { BoundOperation } from "../../../access/bound.ts";
import { errorText } from "../../../access/error-text.ts";
import type { Progress } from "../../../operation/answer.ts";
import { Refusal } from "../../../operation/errors.ts";
import { isPlatformError, keyRejected } from "../../../platform/http/errors.ts";
import { code } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { admitRequester, bindRequester, operationOf, readFacts, refusalReason } from "../../checks.ts";
import { actSubject, currentCommand, type Request, resourceKeyOf, wasNotDone } from "../../request.ts";
import { withResourceLock } from "../../resource-lock.ts";
import { lackingNow, policyFactsNow, releaseBackup, releaseRequest } from "../../rules.ts";
import { runClaimed } from "../../run.ts";
import { step } from "../../step.ts";
import { amend } from "../../store.ts";
import { refuseWhileUnknown, sendingOf } from "../../unknown-outcome.ts";
import { removedPasskey } from "../passkey/gate.ts";
import type { BackupFirst } from "./record.ts";
import { rememberBackup, untouched } from "./steps.ts";

/** The event that ends a job. */
export type JobEnd = "succeed" | "fail" | "leave";

/** Checks the requester and the backup. Returns the reason to stop as a sentence, or null. */
async function reasonToStop(
  app: RequestsApp,
  request: Request,
  copy: BackupFirst,
  boundBackup: BoundOperation,
): Promise<string | null> {
  const { clock } = app;
  const refusal = await admitRequester(app, request).catch(refusalReason);
  if (refusal) return refusal;
  const { state, endUnknown, text } = await boundBackup.poll(
    { targetId: request.target?.id ?? "", since: request.job?.since ?? request.createdAt, now: clock.now() },
    copy.handle,
  );
  if (state !== "done") return `The backup ${code(copy.name)} no longer exists: ${text}`;
  // Nothing may be destroyed on the strength of a backup that perhaps cannot be restored.
  return endUnknown ? text : null;
}

async function act(
  app: RequestsApp,
  request: Request,
  copy: BackupFirst,
  bound: BoundOperation,
  boundBackup: BoundOperation,
) {
  const { store } = app;
  const why = (await removedPasskey(app, request)) ?? (await reasonToStop(app, request, copy, boundBackup));
  if (why !== null) return stop(app, request, "void", why);
  const subject = sendingOf(app, request);
  await refuseWhileUnknown(app, bound.operation, subject, request.risk, request.id);
  const checked = await readFacts(app, request, bound);
  if (!("act" in checked)) return stop(app, request, "void", checked.changed);
  const lacking = await lackingNow(app, request, policyFactsNow(request, checked));
  if (lacking.why !== null) return stop(app, request, "void", lacking.why);
  const claim = () =>
    step(
      app,
      request,
      "goOn",
      {
        outcome: "",
        before: checked.before,
        price: checked.price,
        instance: store.instance,
        backupFirst: { ...copy, step: "acting" },
      },
      { auditOutcome: `The backup ${copy.name} exists, and no fact changed.` },
    );
  const run = await runClaimed(app, request.id, claim, checked);
  if (!run) return;
  const { request: ran } = run;
  if (wasNotDone(ran) || ran.state === "pending") await releaseRequest(app, ran);
}

/** The backup is taken: checks it once more, reads the preconditions again and runs the act. Resolves like `backupEnded`. */
export async function goOn(app: RequestsApp, request: Request): Promise<number | undefined> {
  const { store, clock } = app;
  const { backupFirst } = request;
  const operation = operationOf(app, request);
  const backupOperation = backupFirst && operationOf(app, backupFirst);
  if (!backupFirst || !operation || !backupOperation)
    return stop(app, request, "void", "This version of Rackbell no longer has that command.");
  const bound = await bindRequester(app, request, operation);
  const boundBackup = await bindRequester(app, request, backupOperation);
  if (!bound || !boundBackup)
    return stop(app, request, "void", `The key of <@${request.requester.slackUser}> changed meanwhile.`);
  try {
    return await withResourceLock(
      store.locks,
      resourceKeyOf(actSubject(request)),
      { ...request, slackUser: request.requester.slackUser },
      () => act(app, request, backupFirst, bound, boundBackup),
      () => later(app, request, "Another act on the same resource took too long."),
    );
  } catch (error) {
    if (keyRejected(error))
      return stop(app, request, "void", `The platform no longer accepts the key of <@${request.requester.slackUser}>.`);
    if (error instanceof Refusal || isPlatformError(error))
      return later(app, request, errorText(error, clock.now()).text);
    throw error;
  }
}

/** Records the newest backup of the target, whichever request took it: a later review names its age. */
export async function remember(app: RequestsApp, request: Request): Promise<void> {
  const { clock } = app;
  const { api, target, job } = request;
  const command = currentCommand(request);
  if (!target || !job || !operationOf(app, { command })?.copy) return;
  await rememberBackup(app, { api, command, target: target.id }, { handle: job.handle, at: clock.now() });
}

/**
 * The platform's job for the backup has ended. Resolves to the next attempt in milliseconds since the epoch, or undefined when the request
 * ended too.
 */
export async function backupEnded(
  app: RequestsApp,
  request: Request,
  { is, text, next = [] }: Pick<Progress, "text" | "next"> & { is: JobEnd },
): Promise<number | undefined> {
  const { clock } = app;
  const { backupFirst, job } = request;
  if (!backupFirst || !job) return undefined;
  if (is !== "succeed") return stop(app, request, is, text);
  const taken: BackupFirst = { ...backupFirst, step: "taken", handle: job.handle, next };
  const words = `${text} Rackbell now reads the facts again.`;
  await step(
    app,
    request,
    "backedUp",
    { backupFirst: taken, job: { ...job, text: words, misses: 0 } },
    { auditOutcome: text },
  );
  return clock.now();
}

/** Tries before the request is given up: about five minutes in all. */
const tries = 8;

/** Ends a request between its backup and its act. Nothing was destroyed, and the outcome says so. */
async function stop(
  app: RequestsApp,
  request: Request,
  event: "void" | "fail" | "leave",
  why: string,
): Promise<undefined> {
  const { clock } = app;
  const outcome = `${why} ${untouched(request)}`;
  const job = request.job && { ...request.job, endedAt: clock.now() };
  const stopped = await step(app, request, event, { outcome, job });
  if (!stopped) return;
  await releaseRequest(app, request);
  if (event === "fail") await releaseBackup(app, request);
}

/** Returns when to try again (milliseconds since the epoch), with growing pauses. Ends the request after the last try. */
async function later(app: RequestsApp, request: Request, why: string): Promise<number | undefined> {
  const { clock } = app;
  const { job } = request;
  if (!job || job.misses + 1 >= tries) return stop(app, request, "void", `${why} So it was not done.`);
  const misses = job.misses + 1;
  await amend(app, request, { job: { ...job, misses } }, { silent: true });
  return clock.now() + Math.min(60_000, 5_000 * 2 ** misses);
}
