import { randomBytes } from "node:crypto";
import * as z from "#zod";
import { type BoundAct, bind } from "../../../members/access/bound.ts";
import type { Origin } from "../../../messages/origin.ts";
import type { Review } from "../../../operation/answer.ts";
import { type BackupOffer, backupField, type LastBackup } from "../../../operation/backup.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import { type ApiName, isPlatformError } from "../../../platform/http/errors.ts";
import type { RequiredApproval } from "../../../policy/evaluate.ts";
import { demandSentence } from "../../../policy/words.ts";
import { characters, type PlainText } from "../../../process/plain-text.ts";
import type { StoreApp } from "../../../storage/foundation.ts";
import { defineKind } from "../../../storage/kind.ts";
import { duration, moment } from "../../../views/format.ts";
import { code } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { findApprovers } from "../../audience.ts";
import { bindRequester, operationOf, requireMay } from "../../checks.ts";
import type { Proposal } from "../../create.ts";
import { type MemberRef, type NewRequest, newestOf, type Request } from "../../request.ts";
import { approvalLevel, type Ruled, readRuling, ruledBackup, ruleReason } from "../../rules.ts";
import { findFor, sayState } from "../../state-answers.ts";
import { step } from "../../step.ts";
import { foundAnew } from "../approvers/record.ts";
import { partOf, reviewOfPart } from "../part/begin.ts";
import { type BackupFirst, choiceWords, madeWords } from "./record.ts";

/** The backup that can be taken first, or is: with the rules that apply to it, and a note where there is none. */
interface OfferedBackup {
  backupFirst: Request["backupFirst"];
  /** The ruling of the rules about the backup that the requester asked for: the act needs as much. */
  ruling: RequiredApproval | null;
  notice: string | null;
}

const none: OfferedBackup = { backupFirst: null, ruling: null, notice: null };

async function read(
  app: RequestsApp,
  { bound: { actor } }: Proposal,
  operation: PlatformOperation,
  target: string,
): Promise<BackupOffer | "unknown" | null> {
  const bound = (await bind(app, operation, actor.member)).in(actor.project);
  const { api, command } = operation;
  return bound.offerCopy(target, await readNewestBackup(app, { api, command, target }));
}

/**
 * Finds the backup that can be taken first. `mode`: how the act itself is decided. Refuses a requester who asked for one that cannot be taken:
 * the act must not run without it. Where nobody asked, a note says what stops it.
 */
export async function offerBackup(
  app: RequestsApp,
  proposal: Proposal,
  { ruled, mode }: { ruled: Ruled; mode: Request["mode"] },
): Promise<OfferedBackup> {
  const { clock, log } = app;
  const { act, bound } = proposal;
  const without = (why: string, notice: string | null): OfferedBackup => {
    if (!act.asksBackup) return { ...none, notice };
    throw new Refusal(`${why} Nothing was requested. Leave out ${code(`${backupField}=yes`)} to ask without a backup.`);
  };
  if (proposal.bulk && bound.operation.backupFirst !== undefined) return { ...none, notice: oneAtATime };
  const operation = act.backupFirst === null ? null : operationOf(app, { command: act.backupFirst });
  if (!operation?.copy || !act.target) return without("Rackbell has no backup to take before this act.", null);
  const command = code(`/${operation.command}`);
  if (!bound.may(operation.command)) {
    const why = `No backup is offered first: the key of <@${bound.actor.slackUser}> does not allow ${command}, which needs the scope ${code(operation.scope)}.`;
    return without(why, why);
  }
  try {
    const offer = await read(app, proposal, operation, act.target.id);
    if (offer === null || offer === "unknown") return without(...withoutOffer(offer, act.target.name));
    const backup = ruledBackup(ruled, operation, "");
    const ruling = await readRuling(app, backup);
    const rule = ruleReason(ruling, backup.price);
    const reason = joinedRule(rule);
    if (ruling.demand === "not-allowed") {
      const why = `A rule does not allow the backup, so none is offered first.${reason}`;
      return without(why, why);
    }
    const backupFirst = { ...offeredBackup(operation, operation.copy, offer, clock.now()), rule };
    if (act.asksBackup)
      return {
        backupFirst: { ...backupFirst, step: "chosen", chosenBy: bound.actor.slackUser },
        ruling,
        notice: null,
      };
    // A request of the requester alone has no place where others could approve the backup.
    if (mode === "peer" || approvalLevel(ruling.demand).needed === 0) return { ...none, backupFirst };
    const notice = `A rule asks for approval of the backup, so none is offered first.${reason} Ask again with ${code(`${backupField}=yes`)}: others then approve both. Or ask for it apart, with ${command}.`;
    return { ...none, notice };
  } catch (error) {
    // The request goes on without the offer: an unreadable list must not stop an operator at night.
    if (!isPlatformError(error)) throw error;
    log.warn({ err: error, command: operation.command }, "Could not read if a backup is possible first");
    return without(notFoundOut, notFoundOut);
  }
}

const notFoundOut = "Rackbell could not find out if a backup is possible first.";

function joinedRule(rule: string | null): string {
  return rule ? ` ${rule}` : "";
}

/** The reason for the requester who asked for a backup, and the note for one who did not. */
function withoutOffer(offer: "unknown" | null, name: PlainText): [why: string, notice: string | null] {
  return offer === null ? [`The platform cannot back up ${code(name)} now.`, null] : [notFoundOut, notFoundOut];
}

/** Says why the targets of one request are not backed up before it. */
export const oneAtATime = `Several at once are not backed up first. Ask for one at a time with ${code(`${backupField}=yes`)}.`;

function offeredBackup(
  { command }: PlatformOperation,
  { label, step, does }: NonNullable<PlatformOperation["copy"]>,
  { words, terms, newest }: BackupOffer,
  now: number,
): Omit<BackupFirst, "rule"> {
  const about = { words, terms, does, newest: newest ? ageWords(newest, now) : "none made with Rackbell" };
  return {
    command,
    label,
    title: step,
    ...about,
    name: "",
    step: "offered",
    chosenBy: null,
    changedAt: null,
    made: [],
    next: [],
  };
}

function ageWords({ name, at }: NonNullable<BackupOffer["newest"]>, now: number): string {
  if (at === null) return `${code(name)}, of unknown age`;
  return `${code(name)}, ${duration(now - at)} old (taken ${moment(at)})`;
}

/** A backup that is ready to be taken, with everything that was read for it. */
export interface PreparedBackup extends BoundAct {
  backupFirst: BackupFirst;
  review: Review;
  /** The backup as an act of its own, for the approval rules. */
  ruled: Ruled;
  ruling: Pick<RequiredApproval, "demand" | "passkey" | "approvers">;
  /** True if an emergency override may skip the approval of the backup. */
  overridable: boolean;
}

/** Reads everything that a backup needs. Throws a Refusal if none can be taken. Writes nothing at the platform. */
export async function prepareBackup(app: RequestsApp, request: Request, who: MemberRef): Promise<PreparedBackup> {
  const { clock } = app;
  const { backupFirst, target } = request;
  // The presser asked for a backup, so the act must never run without one.
  if (!backupFirst || !target) throw new Refusal("No backup is possible before this act. Nothing was done.");
  const bound = await bindRequester(app, { ...request, command: backupFirst.command });
  if (!bound.may(backupFirst.command))
    throw new Refusal(`The key of <@${request.requester.slackUser}> can no longer make a backup. Nothing was done.`);
  // The backup may cost money: an approver must be allowed to take one themselves.
  if (request.mode === "peer") await bind(app, bound.operation, who.member);
  const name = backupName(target.name, clock.now());
  const ruled = ruledBackup(request, bound.operation, name);
  const ruling = await requireAllowed(app, ruled, request.mode);
  const act = await bound.begin({ id: ruled.id, targetId: target.id, input: { name }, now: clock.now() });
  await act.usable();
  const overridable = ruling.rule?.overridable ?? false;
  const taking = { ...backupFirst, name, step: "taking" as const };
  return { bound, act, review: await reviewOfPart(act), ruled, ruling, overridable, backupFirst: taking };
}

/** The request that takes the backup. Its events are those of the platform's own backups: nobody waits for them. */
export function backupRequest(app: RequestsApp, request: Request, prepared: PreparedBackup): NewRequest {
  const risk = prepared.bound.operation.risk === "spend" ? "spend" : "change";
  return { ...partOf(app, request, prepared, { risk, review: prepared.review }), events: null };
}

async function requireAllowed(app: RequestsApp, ruled: Ruled, mode: Request["mode"]): Promise<RequiredApproval> {
  const ruling = await readRuling(app, ruled);
  const { demand, rule } = ruling;
  const words = rule ? ` The rule: ${demandSentence(rule)}` : "";
  if (demand === "not-allowed")
    throw new Refusal(`A rule of this workspace does not allow the backup, so nothing was done.${words}`);
  if (mode !== "peer" && approvalLevel(demand).needed > 0)
    throw new Refusal(`Others must approve the backup now, so nothing was done.${words}`);
  return ruling;
}

/** Makes a unique name that every platform accepts, from the target and the day: "web-1-20261128-3fa9c1". */
function backupName(name: PlainText, now: number): string {
  const plain = characters(name)
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  return `${plain.slice(0, 60) || "copy"}-${day}-${randomBytes(3).toString("hex")}`;
}

/** The outcome after a refusal of the act that followed its backup, which is offered again. */
export function refusalOutcome(
  { backupFirst }: Pick<Request, "backupFirst">,
  text: string,
): Pick<Request, "outcome" | "backupFirst"> {
  if (backupFirst?.step !== "acting") return { outcome: text, backupFirst };
  const { name, made } = backupFirst;
  return {
    outcome: `${text}${madeWords(backupFirst)}`,
    backupFirst: {
      ...backupFirst,
      step: "offered",
      chosenBy: null,
      newest: `${code(name)}, made for this request`,
      made: [...made, name],
    },
  };
}

/** Describes the target, and the backup, after a request ended before its act began. `is`: as the last look found it. */
export function untouched(
  { target, backupFirst }: Pick<Request, "target" | "backupFirst">,
  is: "there" | "lost" | "in doubt" = "there",
): string {
  const unchanged = target ? `${code(target.name)} is as it was.` : "Nothing else was done.";
  const made = madeWords(backupFirst && is !== "there" ? { ...backupFirst, step: "offered" } : backupFirst);
  return `${unchanged}${is === "lost" && made === "" ? " It has no usable backup from this request." : made}`;
}

const BackupRecord = z.object({ handle: z.json(), at: z.number() });

// The newest backup of each resource that Rackbell took: the platform does not say what an image was captured from.

/** The key of a backup: the resource, and the command that took it. */
export interface BackupKey {
  api: ApiName;
  command: string;
  target: string;
}

const newestBackup = defineKind({ name: "copy", namespace: "copies", schema: BackupRecord });

async function readNewestBackup({ store }: StoreApp, of: BackupKey): Promise<LastBackup | null> {
  const kept = await store.keyv(newestBackup).get(keyOf(of));
  return kept ? { handle: kept.handle, at: kept.at } : null;
}

/** Records the newest backup of the target, whichever request took it: a later review names its age. */
export async function rememberBackup(app: RequestsApp, { api, command, target, job }: Request): Promise<void> {
  if (!target || !job || !operationOf(app, { command })?.copy) return;
  const backup = { handle: job.handle, at: app.clock.now() };
  await app.store.keyv(newestBackup).set(keyOf({ api, command, target: target.id }), backup);
}
function keyOf({ api, command, target }: BackupKey): string {
  return `${api}:${command}:${target}`;
}

/**
 * The requester chooses the backup of a waiting request, or takes that choice back. Another act is decided then, so the approvals so far no
 * longer count.
 */
export async function chooseBackup(
  app: RequestsApp,
  id: string,
  origin: Origin,
  event: "chooseBackup" | "leaveBackup",
): Promise<void> {
  const request = await findFor(app, event, id, origin);
  if (!request) return;
  await requireMay(app, event, request, origin);
  const { backupFirst, approvals, requester } = request;
  const by = origin.slackUser;
  const isChosen = event === "chooseBackup";
  if (!backupFirst || request.unsettled || (backupFirst.step === "chosen") === isChosen)
    return sayState(app, id, origin);
  if (!isChosen && backupFirst.chosenBy !== requester.slackUser)
    throw new Refusal(`<@${backupFirst.chosenBy}> chose the backup, so it comes first in any case. Nothing changed.`);
  const needed = isChosen ? await neededWith(app, request, backupFirst) : request.needed;
  const isDecided = approvals.length > 0;
  const changed = isChosen
    ? { ...backupFirst, step: "chosen" as const, chosenBy: by }
    : { ...backupFirst, step: "offered" as const, chosenBy: null };
  // They are called again, and one of them may have lost the right since.
  const operation = isDecided ? operationOf(app, request) : null;
  const found = operation && request.approvers && (await findApprovers(app, { ...request, needed }, operation));
  const change = {
    backupFirst: { ...changed, changedAt: isDecided ? app.clock.now() : backupFirst.changedAt },
    needed,
    ...(found && request.approvers ? { approvers: foundAnew(request.approvers, found) } : {}),
    outcome: isDecided ? `${choiceWords(changed, request)} The approvals so far no longer count.` : "",
    ...newestOf(request, origin),
  };
  if (!(await step(app, request, event, change, { auditOutcome: choiceWords(changed, request), by })))
    await sayState(app, id, origin);
}

/** The number of approvals that the act needs with the backup. Refuses one that a rule or the key stops. */
async function neededWith(app: RequestsApp, request: Request, { command }: BackupFirst): Promise<number> {
  const bound = await bindRequester(app, { ...request, command });
  if (!bound.may(command))
    throw new Refusal(`The key of <@${request.requester.slackUser}> can no longer make a backup. Nothing changed.`);
  const backup = ruledBackup(request, bound.operation, "");
  const ruling = await readRuling(app, backup);
  if (ruling.demand === "not-allowed")
    throw new Refusal(`A rule does not allow the backup. Nothing changed. ${ruleReason(ruling, backup.price) ?? ""}`);
  const { needed } = approvalLevel(ruling.demand);
  if (needed > 0 && request.mode !== "peer")
    throw new Refusal(
      `Others must approve the backup now. Nothing changed. Ask again with it. ${ruleReason(ruling, backup.price) ?? ""}`,
    );
  return Math.max(needed, request.needed);
}
