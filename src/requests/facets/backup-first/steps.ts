import { randomBytes } from "node:crypto";
import type { BoundAct, BoundOperation } from "../../../access/bound.ts";
import { errorText } from "../../../access/error-text.ts";
import type { Act } from "../../../operation/act.ts";
import type { Answer, Json, Progress } from "../../../operation/answer.ts";
import type { BackupOffer } from "../../../operation/backup.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import { isPlatformError, keyRejected } from "../../../platform/http/errors.ts";
import type { RequiredApproval } from "../../../policy/evaluate.ts";
import { demandOf } from "../../../policy/words.ts";
import { duration, moment } from "../../../views/format.ts";
import { code } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import type { MemberRef } from "../../checks.ts";
import type { Proposal } from "../../create.ts";
import { newestBackupOf, rememberBackup } from "../../newest-backups.ts";
import { type Amendment, currentCommand, isBeforeMainAct, type Request, resourceKeyOf } from "../../request.ts";
import { withResourceLock } from "../../resource-lock.ts";
import {
  approvalLevel,
  backupFacts,
  backupSpendingId,
  missingPasskey,
  type PolicyFacts,
  policyFactsNow,
  policyFactsOf,
} from "../../rules.ts";
import { type StepExtras, step } from "../../step.ts";
import { refuseWhileUnknown } from "../../unknown-outcome.ts";
import type { BackupFirst } from "./record.ts";

const none = { copy: null, notice: null };

async function read(
  app: RequestsApp,
  { bound: { actor } }: Proposal,
  operation: PlatformOperation,
  target: string,
): Promise<BackupOffer | null> {
  const { binder } = app;
  const bound = (await binder.bind(operation, actor.member)).in(actor.project);
  const { api, command } = operation;
  return bound.offerCopy(target, await newestBackupOf(app, { api, command, target }));
}

/** Finds the backup that can be taken first. `notice` is a sentence if there should be one but it is not possible. */
export async function offerBackup(
  app: RequestsApp,
  proposal: Proposal,
  { policyFacts, needed }: { policyFacts: PolicyFacts; needed: number },
): Promise<{ copy: Request["copy"]; notice: string | null }> {
  const { registry, rules, clock, log } = app;
  const { act, bound } = proposal;
  if (act.backupFirst === null || !act.target || !bound.may(act.backupFirst)) return none;
  const operation = registry.find(act.backupFirst);
  if (!operation || operation.api === "app" || !operation.copy) return none;
  try {
    const offer = await read(app, proposal, operation, act.target.id);
    if (!offer) return none;
    const { demand } = await rules.verdict(backupFacts(policyFacts, operation));
    if (demand === "never" || approvalLevel(demand).needed > needed) return { copy: null, notice: forbiddenNotice };
    return { copy: offeredBackup(operation, operation.copy, offer, clock.now()), notice: null };
  } catch (error) {
    // The request goes on without the offer: an unreadable list must not stop an operator at night.
    if (!isPlatformError(error)) throw error;
    log.warn({ err: error, command: operation.command }, "Could not read if a backup is possible first");
    return { copy: null, notice: "Rackbell could not find out if a backup is possible first." };
  }
}

const forbiddenNotice = "An approval rule needs more for a backup than for this, so no backup is offered first.";

function offeredBackup(
  { command }: PlatformOperation,
  { label, step }: NonNullable<PlatformOperation["copy"]>,
  { words, brief, newest }: BackupOffer,
  now: number,
): Request["copy"] {
  const age = newest && `${code(newest.name)}, ${duration(now - newest.at)} old (taken ${moment(newest.at)})`;
  const said = { words, brief, newest: age ?? "none made with Rackbell" };
  return { command, label, title: step, ...said, name: "", step: "offered", before: null, handle: null, next: [] };
}

/** A backup that is ready to be taken, with everything that was read for it. */
export interface PreparedBackup extends BoundAct {
  copy: BackupFirst;
  /** The backup as an act of its own, for the approval rules. */
  policyFacts: PolicyFacts;
  verdict: Pick<RequiredApproval, "demand" | "passkey">;
  /** True if an emergency override may skip the approval of the backup. */
  breakable: boolean;
}

/** Reads everything that a backup needs. Throws a Refusal if none can be taken. Writes nothing at the platform. */
export async function prepareBackup(
  app: Pick<RequestsApp, "checks" | "rules" | "clock">,
  request: Request,
  who: MemberRef,
): Promise<PreparedBackup> {
  const { checks, clock } = app;
  const { copy, target } = request;
  // The presser asked for a backup, so the act must never run without one.
  if (!copy || !target) throw new Refusal("No backup is possible before this act. Nothing was done.");
  const operation = checks.operation(copy);
  const bound = operation && (await checks.requester(request, operation));
  if (!bound?.may(copy.command))
    throw new Refusal(`The key of <@${request.slackUser}> can no longer make a backup. Nothing was done.`);
  // The backup may cost money: an approver must be allowed to take one themselves.
  if (request.mode === "peer") await checks.able(bound.operation, who);
  const policyFacts = backupFacts(policyFactsOf(request), bound.operation);
  const verdict = await requireAllowed(app, policyFacts, request.mode);
  const name = backupName(target.name, clock.now());
  const act = await bound.begin({ id: request.id, targetId: target.id, input: { name }, now: clock.now() });
  await act.usable();
  const before = await beforeOf(act);
  const breakable = verdict.rule?.breakGlass ?? false;
  return { bound, act, policyFacts, verdict, breakable, copy: { ...copy, name, before, step: "taking" } };
}

async function requireAllowed(
  { rules }: Pick<RequestsApp, "rules">,
  policyFacts: PolicyFacts,
  mode: Request["mode"],
): Promise<RequiredApproval> {
  const verdict = await rules.verdict(policyFacts);
  const { demand, rule } = verdict;
  const words = rule ? ` The rule: ${demandOf(rule)}` : "";
  if (demand === "never")
    throw new Refusal(`A rule of this workspace does not allow the backup, so nothing was done.${words}`);
  if (mode !== "peer" && approvalLevel(demand).needed > 0)
    throw new Refusal(`Others must approve the backup now, so nothing was done.${words}`);
  return verdict;
}

/** Reads the state that reconciling compares with. An act that costs money has it in its review. */
async function beforeOf(act: Act): Promise<Json> {
  return act.risk === "spend" ? (await act.review()).before : act.before();
}

/** Makes a unique name that every platform accepts, from the target and the day: "web-1-20261128-3fa9c1". */
function backupName(name: string, now: number): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  return `${plain.slice(0, 60) || "copy"}-${day}-${randomBytes(3).toString("hex")}`;
}

/** The platform ids of what a call made: the targets of its next steps. Alerts about them find the requester by these ids. */
export function madeIds({ next = [] }: Pick<Answer, "next">): string[] {
  return next.flatMap(({ target }) => target ?? []);
}

/** The change after the platform accepted the backup. The input stays sealed, since the act comes after it. */
export function backupAccepted({ operation }: BoundOperation, answer: Answer, now: number): [Amendment, StepExtras] {
  const { handle = null, text } = answer;
  const job = { handle, since: now, text, misses: 0, endedAt: null, plan: null };
  return [
    { attemptedAt: now, outcome: "", job },
    { said: text, made: madeIds(answer), pollAt: now + (operation.follow?.every ?? 0) },
  ];
}

/** The outcome after a refusal of the backup or of the act after it, and the backup offered again. */
export function refusalOutcome(request: Request, text: string): Pick<Request, "outcome" | "copy"> {
  const { copy } = request;
  if (!copy || copy.step === "offered" || copy.step === "chosen") return { outcome: text, copy };
  const again = { ...copy, step: "offered" as const, handle: null };
  if (isBeforeMainAct(request))
    return { outcome: `The backup was not made: ${text} ${untouched(request)}`, copy: again };
  const newest = `${code(copy.name)}, made for this request`;
  return {
    outcome: `${text} The backup ${code(copy.name)} exists, and stays until somebody deletes it.`,
    copy: { ...again, newest },
  };
}

/** The event that ends a job. */
export type JobEnd = "succeed" | "fail" | "leave";

/** Checks the requester and the backup. Returns the reason to stop as a sentence, or null. */
async function reasonToStop(
  app: RequestsApp,
  request: Request,
  copy: BackupFirst,
  boundBackup: BoundOperation,
): Promise<string | null> {
  const { checks, clock } = app;
  const refusal = await checks.asker(request).catch(refusalOf);
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
  const { store, requests, checks, run, rules, gate } = app;
  const why = (await gate.removedSince(request)) ?? (await reasonToStop(app, request, copy, boundBackup));
  if (why !== null) return stop(app, request, "void", why);
  const subject = { ...request, input: requests.input(request) };
  await refuseWhileUnknown(requests, bound.operation, subject, request.risk, request.id);
  const checked = await checks.facts(request, bound);
  if (!("act" in checked)) return stop(app, request, "void", checked.changed);
  const verdict = await rules.verdict(policyFactsNow(request, checked));
  const { demand, rule } = verdict;
  const needed = request.glass && rule?.breakGlass ? 0 : approvalLevel(demand).needed;
  if (demand === "never" || needed > request.approvals.length || missingPasskey(verdict, request))
    return stop(
      app,
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
    { said: `The backup ${copy.name} exists, and no fact changed.` },
  );
  if (!claimed) return;
  const { request: ran } = await run.run(claimed, checked);
  if (ran.state === "refused" || ran.state === "pending") await rules.release(ran);
}

/** The backup is taken: checks it once more, reads the preconditions again and runs the act. Resolves like `backupEnded`. */
export async function goOn(app: RequestsApp, request: Request): Promise<number | undefined> {
  const { store, checks, clock } = app;
  const { copy } = request;
  const operation = checks.operation(request);
  const backupOperation = copy && checks.operation(copy);
  if (!copy || !operation || !backupOperation)
    return stop(app, request, "void", "This version of Rackbell no longer has that command.");
  const bound = await checks.requester(request, operation);
  const boundBackup = await checks.requester(request, backupOperation);
  if (!bound || !boundBackup)
    return stop(app, request, "void", `The key of <@${request.slackUser}> changed meanwhile.`);
  try {
    return await withResourceLock(
      store.locks,
      resourceKeyOf(request),
      request,
      () => act(app, request, copy, bound, boundBackup),
      () => later(app, request, "Another act on the same resource took too long."),
    );
  } catch (error) {
    if (keyRejected(error))
      return stop(app, request, "void", `The platform no longer accepts the key of <@${request.slackUser}>.`);
    if (error instanceof Refusal || isPlatformError(error))
      return later(app, request, errorText(error, clock.now()).text);
    throw error;
  }
}

/** Records the newest backup of the target, whichever request took it: a later review names its age. */
export async function remember(app: RequestsApp, request: Request): Promise<void> {
  const { checks, clock } = app;
  const { api, target, job } = request;
  const command = currentCommand(request);
  if (!target || !job || !checks.operation({ command })?.copy) return;
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
  const { requests, clock } = app;
  const { copy, job } = request;
  if (!copy || !job) return undefined;
  if (is !== "succeed") return stop(app, request, is, text);
  const taken: BackupFirst = { ...copy, step: "taken", handle: job.handle, next };
  const words = `${text} Rackbell now reads the facts again.`;
  await step(requests, request, "backedUp", { copy: taken, job: { ...job, text: words, misses: 0 } }, { said: text });
  return clock.now();
}

/** A Refusal is final here: the caller stops the request with this sentence. Any other error is thrown again, so that it is retried. */
function refusalOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
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
  const { requests, rules, clock } = app;
  const outcome = `${why} ${untouched(request)}`;
  const job = request.job && { ...request.job, endedAt: clock.now() };
  const stopped = await step(requests, request, event, { outcome, job });
  if (!stopped) return;
  await rules.release(request);
  if (event === "fail") await rules.release({ ...request, id: backupSpendingId(request) });
}

/** Returns when to try again (milliseconds since the epoch), with growing pauses. Ends the request after the last try. */
async function later(app: RequestsApp, request: Request, why: string): Promise<number | undefined> {
  const { requests, clock } = app;
  const { job } = request;
  if (!job || job.misses + 1 >= tries) return stop(app, request, "void", `${why} So it was not done.`);
  const misses = job.misses + 1;
  await requests.amend(request, { job: { ...job, misses } }, { silent: true });
  return clock.now() + Math.min(60_000, 5_000 * 2 ** misses);
}

/** Describes the target, and the backup if one exists, after a request ended before its act began. */
export function untouched({ target, copy }: Pick<Request, "target" | "copy">): string {
  const thing = target ? `${code(target.name)} is as it was.` : "Nothing else was done.";
  if (copy?.step === "taken")
    return `${thing} The backup ${code(copy.name)} exists, and stays until somebody deletes it.`;
  return thing;
}
