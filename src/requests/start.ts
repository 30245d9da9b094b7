import type { BoundOperation } from "../members/access/bound.ts";
import { errorText, isLasting, sealLost, whoseKey } from "../messages/answers/error-text.ts";
import { NotYet, Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { isPlatformError, keyRejected } from "../platform/http/errors.ts";
import { SealBroken } from "../storage/errors.ts";
import type { RequestsApp } from "./app.ts";
import {
  admitRequester,
  bindRequester,
  operationOf,
  readFacts,
  refusalReason,
  requireOperation,
  stillApproves,
} from "./checks.ts";
import { findSamePerson } from "./deciders.ts";
import { askOwner } from "./facets/agent/ask-owner.ts";
import { agentProblem } from "./facets/agent/right.ts";
import { prepareBackup } from "./facets/backup-first/offer.ts";
import { removedPasskey } from "./facets/passkey/gate.ts";
import { requireDecidedSince } from "./facets/protection/steps.ts";
import { latestStart } from "./facets/schedule/record.ts";
import type { Request } from "./request.ts";
import { underWayWords, withResourceLock } from "./resource-lock.ts";
import { lackingNow, reserve } from "./rules.ts";
import { claimAndRun } from "./run.ts";
import { refuseWhileUnknown, subjectKeyOf } from "./unknown-outcome.ts";

/** Milliseconds between tries of what cannot begin yet. The pauses grow, since each try reads everything again. */
const shortestPause = 20_000;
const longestPause = 2 * 60_000;

/** A decided request whose moment has come: its scheduled time, or its backup exists. */
interface Start {
  /** That moment (milliseconds since the epoch). After `latestStart` nobody expects the act any more. */
  due: number;
  /** Ends the request without its act. `why`: a sentence. */
  end(why: string): Promise<void>;
}

/**
 * Runs a decided request under the lock of its resource, after every check of the decision was made again; `first` comes before these. An
 * obstacle that passes by itself is waited for, and any other ends the request. Resolves to the time of the next try.
 */
export async function startWhenPossible(
  app: RequestsApp,
  request: Request,
  { due, end }: Start,
  first: () => Promise<void> = async () => {},
): Promise<number | undefined> {
  const { store, clock, log } = app;
  const { slackUser } = request.requester;

  async function later(why: string): Promise<number | undefined> {
    const now = clock.now();
    const next = now + Math.min(longestPause, Math.max(shortestPause, (now - due) / 3));
    return next > due + latestStart ? void (await end(why)) : next;
  }

  try {
    return await withResourceLock(
      store.locks,
      subjectKeyOf(app, operationOf(app, request), request),
      { ...request, slackUser },
      async () => {
        await first();
        return runDecided(app, request);
      },
      (by) => later(underWayWords(by)),
    );
  } catch (error) {
    if (keyRejected(error)) return void (await end(`The platform no longer accepts the key of <@${slackUser}>.`));
    // A key that was removed does not come back: thrown, the timer would try until it blames the clock.
    if (error instanceof SealBroken) return void (await end(sealLost));
    if (!(error instanceof Refusal || isPlatformError(error))) throw error;
    // Waiting does not repair these errors, and a try every 20 s would use up the key's calls.
    if (error instanceof Refusal && !(error instanceof NotYet)) return void (await end(refusalReason(error)));
    const { text } = errorText(error, clock.now(), whoseKey(slackUser));
    if (isLasting(error)) return void (await end(text));
    log.info({ err: error, request: request.id }, "A decided request could not start yet");
    return later(text);
  }
}

/** Repeats every check of the decision, and runs the act. Throws a Refusal if something changed, a NotYet if it must wait. */
async function runDecided(app: RequestsApp, request: Request): Promise<number | undefined> {
  const operation = requireOperation(app, request);
  await refuseWhileUnknown(app, operation, request);
  const bound = await bindAgain(app, request, operation);
  await requireApprovals(app, request, operation);
  const checked = await readFacts(app, request, bound);
  await requireDecidedSince(app, request, checked.destroys);
  const priced = { ...request, price: checked.price };
  const { required, why } = await lackingNow(app, priced, checked.act);
  const removed = await removedPasskey(app, request);
  if (removed !== null) throw new Refusal(removed);
  const problem = why ?? (await agentProblem(app, request));
  if (problem !== null) {
    if (await askOwner(app, request, operation, { why: problem, ruling: required })) return undefined;
    throw new Refusal(problem);
  }
  const { origin, approvals, backupFirst } = request;
  const [approver = origin] = approvals;
  const first = backupFirst?.step === "chosen" ? await prepareBackup(app, request, approver) : null;
  if (!(await reserve(app, priced, required, { read: checked.act, first })))
    throw new Refusal("Other spending used up the limit meanwhile.");
  const ran = await claimAndRun(app, { request, checked, origin, approvals, override: undefined, first });
  // Another change came first. One that was no step leaves the request as it is, and without a timer it would never start.
  return ran ? undefined : app.clock.now();
}

/** Binds the operation to the requester's key, if they could still ask for it. */
async function bindAgain(app: RequestsApp, request: Request, operation: PlatformOperation): Promise<BoundOperation> {
  const { slackUser, member } = request.requester;
  await admitRequester(app, request);
  // Ask the platform again: a scope or key that was removed since must not count.
  await app.identities.refresh(member, operation.api);
  const bound = await bindRequester(app, request);
  if (bound.may(operation.command)) return bound;
  throw new Refusal(`The key of <@${slackUser}>, who asked, no longer allows it.`);
}

/** Throws a Refusal if an approval no longer counts. */
async function requireApprovals(app: RequestsApp, request: Request, operation: PlatformOperation): Promise<void> {
  for (const [at, approval] of request.approvals.entries()) {
    // Nobody is there to approve in that one's place. So an error that may pass is thrown, and the start is tried again.
    if (!(await stillApproves(app, request, operation, approval, keyRejected)))
      throw new Refusal(`<@${approval.slackUser}>, who approved it, could no longer approve it.`);
    const same = await findSamePerson(app, approval, request.approvals.slice(0, at));
    if (same !== null)
      throw new Refusal(
        `<@${same.slackUser}> and <@${approval.slackUser}>, who approved it, are or were linked as the same platform user.`,
      );
  }
}
