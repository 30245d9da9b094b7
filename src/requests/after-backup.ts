import type { BoundOperation } from "../access/bound.ts";
import { errorText } from "../access/error-text.ts";
import type { Clock } from "../clock.ts";
import type { Progress } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import { isPlatformError, keyRejected } from "../platform/http/errors.ts";
import { demandOf } from "../policy/words.ts";
import type { Store } from "../storage/store.ts";
import { code } from "../views/text.ts";
import type { RequestChecks } from "./checks.ts";
import type { NewestBackups } from "./newest-backups.ts";
import { type BackupFirst, currentCommand, type Request, resourceKeyOf } from "./request.ts";
import { withResourceLock } from "./resource-lock.ts";
import { approvalLevel, policyFactsNow, type Rules } from "./rules.ts";
import type { RequestRun } from "./run.ts";
import { step } from "./step.ts";
import { createStopAfterBackup } from "./stop-after-backup.ts";
import type { RequestStore } from "./store.ts";
import { refuseWhileUnknown } from "./unknown-outcome.ts";

/**
 * Continues a request from its backup to its act (design section 4). It destroys nothing unless the backup exists and the preconditions are
 * unchanged.
 */
export interface AfterBackup {
  /**
   * The platform's job for the backup has ended. Resolves to the next attempt in milliseconds since the epoch, or undefined when the
   * request ended too.
   */
  backupEnded(request: Request, end: Pick<Progress, "text" | "next"> & { is: JobEnd }): Promise<number | undefined>;
  /** The backup is taken: checks it once more, reads the preconditions again and runs the act. Resolves like `backupEnded`. */
  goOn(request: Request): Promise<number | undefined>;
  /** Records the newest backup of the target, whichever request took it: a later review names its age. */
  remember(request: Request): Promise<void>;
}

/** The event that ends a job. */
export type JobEnd = "succeed" | "fail" | "leave";

export function createAfterBackup(deps: {
  store: Store;
  requests: RequestStore;
  checks: RequestChecks;
  run: Pick<RequestRun, "run">;
  rules: Rules;
  newestBackups: NewestBackups;
  clock: Clock;
}): AfterBackup {
  const { store, requests, checks, run, rules, newestBackups, clock } = deps;
  const { stop, later } = createStopAfterBackup({ requests, rules, clock });

  /** Checks the requester and the backup. Returns the reason to stop as a sentence, or null. */
  async function reasonToStop(
    request: Request,
    copy: BackupFirst,
    boundBackup: BoundOperation,
  ): Promise<string | null> {
    const refusal = await checks.asker(request).catch(refusalOf);
    if (refusal) return refusal;
    const { state, text } = await boundBackup.poll(
      { targetId: request.target?.id ?? "", since: request.job?.since ?? request.createdAt, now: clock.now() },
      copy.handle,
    );
    return state === "done" ? null : `The copy ${code(copy.name)} is not there any more: ${text}`;
  }

  async function act(request: Request, copy: BackupFirst, bound: BoundOperation, boundBackup: BoundOperation) {
    const why = await reasonToStop(request, copy, boundBackup);
    if (why !== null) return stop(request, "void", why);
    await refuseWhileUnknown(requests, request, request.risk, request.id);
    const checked = await checks.facts(request, bound);
    if (!("act" in checked)) return stop(request, "void", checked.changed);
    const { demand, rule } = await rules.verdict(policyFactsNow(request, checked));
    const needed = request.glass && rule?.breakGlass ? 0 : approvalLevel(demand).needed;
    if (demand === "never" || needed > request.approvals.length)
      return stop(
        request,
        "void",
        `The rules of this workspace changed meanwhile. ${rule ? demandOf(rule) : ""}`.trim(),
      );
    const claimed = await step(
      requests,
      request,
      "goOn",
      {
        ...{ outcome: "", before: checked.before, price: checked.price },
        ...{ instance: store.instance, copy: { ...copy, step: "acting" } },
      },
      { said: `The copy ${copy.name} is there, and the facts are as they were.` },
    );
    if (!claimed) return;
    const { request: ran } = await run.run(claimed, checked.act, bound, "");
    if (ran.price !== null && (ran.state === "refused" || ran.state === "pending")) await rules.release(ran);
  }

  async function goOn(request: Request): Promise<number | undefined> {
    const { copy } = request;
    const operation = checks.operation(request);
    const backupOperation = copy && checks.operation(copy);
    if (!copy || !operation || !backupOperation)
      return stop(request, "void", "This version of Rackbell no longer has that command.");
    const bound = await checks.requester(request, operation);
    const boundBackup = await checks.requester(request, backupOperation);
    if (!bound || !boundBackup) return stop(request, "void", `The key of <@${request.slackUser}> changed meanwhile.`);
    try {
      return await withResourceLock(
        store.locks,
        resourceKeyOf(request),
        request,
        () => act(request, copy, bound, boundBackup),
        () => later(request, "Something else went on with it for too long."),
      );
    } catch (error) {
      if (keyRejected(error))
        return stop(request, "void", `The platform no longer accepts the key of <@${request.slackUser}>.`);
      if (error instanceof Refusal || isPlatformError(error)) return later(request, errorText(error, clock.now()).text);
      throw error;
    }
  }

  async function remember(request: Request): Promise<void> {
    const { api, target, job } = request;
    const command = currentCommand(request);
    if (!target || !job || !checks.operation({ command })?.copy) return;
    await newestBackups.remember({ api, command, target: target.id }, { handle: job.handle, at: clock.now() });
  }

  return {
    goOn,
    remember,
    async backupEnded(request, { is, text, next = [] }) {
      const { copy, job } = request;
      if (!copy || !job) return undefined;
      if (is !== "succeed") return stop(request, is, text);
      const taken: BackupFirst = { ...copy, step: "taken", handle: job.handle, next };
      const words = `${text} Now the facts are read once more.`;
      await step(
        requests,
        request,
        "backedUp",
        { copy: taken, job: { ...job, text: words, misses: 0 } },
        { said: text },
      );
      return clock.now();
    },
  };
}

/** A Refusal is final here: the caller stops the request with this sentence. Any other error is thrown again, so that it is retried. */
function refusalOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}
