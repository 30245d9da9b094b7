import { markRejected } from "../members/access/access.ts";
import type { BoundAct, BoundOperation } from "../members/access/bound.ts";
import { platformWords } from "../members/access/refusal-text.ts";
import { faultsIn } from "../messages/answers/correction.ts";
import {
  errorText,
  isPartlyPersonal,
  mayComeAgain,
  meetsAll,
  outcomeUnknown,
  unansweredFact,
  whoseKey,
} from "../messages/answers/error-text.ts";
import type { Origin } from "../messages/origin.ts";
import { offerSecrets, secretTitle } from "../messages/secrets.ts";
import { runAct } from "../operation/act.ts";
import type { Answer, Secret } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import { generatedSecrets } from "../operation/fields.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { isPlatformError, isShortOfCredit, PlatformRefused } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import { inRequest } from "../process/trace.ts";
import type { Assertion } from "../process/webauthn/assertion.ts";
import type { RequestsApp } from "./app.ts";
import type { CheckedFacts } from "./checks.ts";
import { backupRequest, type PreparedBackup, refusalOutcome } from "./facets/backup-first/offer.ts";
import { progressWords } from "./facets/bulk/progress.ts";
import { eventTimeoutOf } from "./facets/events/record.ts";
import { overrideOutcome } from "./facets/override/record.ts";
import { overriddenBy, overridesBefore } from "./facets/override/steps.ts";
import { type Amendment, type Approval, newestOf, type Request, titleOf, wasNotDone } from "./request.ts";
import { noteCost, releaseRequest } from "./rules.ts";
import { openedInput } from "./sealed.ts";
import { sayState } from "./state-answers.ts";
import { firstWords } from "./states.ts";
import { step, stepAgain } from "./step.ts";
import { readRequest } from "./store.ts";

/** Milliseconds to the first check of an unknown outcome. */
export const firstCheckAfter = 2_000;

/** Seconds to wait if the platform names none. */
const usualDelaySeconds = 60;

/** A decided request, with everything that was read at the press. */
interface Decided {
  request: Request;
  checked: CheckedFacts;
  origin: Origin;
  approvals: Approval[];
  /** The facts that the presser's passkey signed; undefined where none was asked for, or the decision was made before. */
  assertion?: Assertion | undefined;
  /** The admin's reason for the emergency override, if it is one. */
  override: PlainText | undefined;
  /** The backup to take first; null without one. */
  first: PreparedBackup | null;
}

/**
 * Claims a decided request and runs it once. A request of several targets, or with a backup first, begins with its parts instead. Resolves to
 * false if another step came first.
 */
export async function claimAndRun(app: RequestsApp, decided: Decided): Promise<boolean> {
  const { request, checked, origin, approvals, assertion, override: reason, first } = decided;
  const { store, clock } = app;
  const { slackUser } = origin;
  const now = clock.now();
  const [event, auditOutcome] = eventOf(request, reason, first !== null);
  const change: Amendment = {
    outcome: "",
    // The review may be an hour old. Reconciling must compare with the state right before the run.
    before: checked.before,
    price: checked.price,
    approvals,
    proof: provenBy(request, assertion),
    ...(event === "start" ? begunAt(request, now) : { decidedBy: slackUser, decidedAt: now }),
    ...(event === "start" ? {} : await overridesAfter(app, decided)),
    backupFirst: first?.backupFirst ?? begunAfter(request.backupFirst),
    ...newestOf(request, origin),
  };
  const extras = { auditOutcome, assertion, by: event === "start" ? null : slackUser };
  const parts = first
    ? waitsFor("The backup begins.", now)
    : request.bulk && waitsFor(progressWords(request.bulk), now);
  const part = first && backupRequest(app, { ...request, ...change }, first);
  // Claim before running: a second press within the same second would run it twice.
  const claim = () =>
    parts
      ? step(app, request, event, { ...change, ...parts }, { ...extras, part, stepAt: now })
      : step(app, request, event, { ...change, instance: store.instance }, extras);
  const ran = await (part && first
    ? runClaimed(app, part.id, async () => (await claim()) && ((await readRequest(app, part.id)) ?? null), first)
    : request.bulk
      ? claim()
      : runClaimed(app, request.id, claim, checked, request.outcome));
  if (!ran) {
    if (event !== "start") await sayState(app, request.id, origin);
    return false;
  }
  if ("request" in ran) await releaseUnspent(app, ran.request);
  return true;
}

async function overridesAfter(
  app: RequestsApp,
  { request, origin, override: reason }: Pick<Decided, "request" | "origin" | "override">,
): Promise<Amendment> {
  const overrides = overridesBefore(request);
  if (reason === undefined) return { overrides };
  // An override runs at once, so the schedule ends.
  return { schedule: null, overrides: [...overrides, await overriddenBy(app, origin, reason)] };
}

/** A request that was refused or reopened has cost nothing. An unsettled one may have: its first sending is unknown. */
async function releaseUnspent(app: RequestsApp, request: Request): Promise<void> {
  if (!request.unsettled && (wasNotDone(request) || request.state === "pending")) await releaseRequest(app, request);
}

/** The progress of a request that waits for its parts. It sends nothing itself, and its input stays stored until the last of them has begun. */
export function waitsFor(text: string, now: number): Pick<Request, "attemptedAt" | "job"> {
  return { attemptedAt: now, job: { handle: null, since: now, text, misses: 0, endedAt: null, plan: null } };
}

/** A backup that exists has been waited for. */
function begunAfter(backupFirst: Request["backupFirst"]): Request["backupFirst"] {
  return backupFirst?.step === "taken" ? { ...backupFirst, step: "acting" } : backupFirst;
}

/** The platform ids of what a call made: the targets of its next steps. Alerts about them find the requester by these ids. */
export function madeIds({ next = [] }: Pick<Answer, "next">): string[] {
  return next.flatMap(({ target }) => target ?? []);
}

/** Those who decided the request with a passkey, with the one who does so now. */
export function provenBy({ proof }: Pick<Request, "proof">, assertion: Assertion | undefined): Request["proof"] {
  if (!assertion) return proof;
  const { credential, statement } = assertion;
  const { member } = statement;
  const others = proof?.by.filter((by) => by.member !== member) ?? [];
  return { salt: proof?.salt ?? null, by: [...others, { member, credential }] };
}

/** A scheduled request was decided long ago. If it is refused now, it must not wait for another press. */
function begunAt({ state, schedule }: Request, now: number): Amendment {
  return state === "scheduled" ? { schedule: schedule && { ...schedule, begunAt: now }, expiresAt: now } : {};
}

/** The event, and the words for the audit log. */
function eventOf(
  { state, mode }: Request,
  override: PlainText | undefined,
  withBackup: boolean,
): ["start" | "override" | "approve", string] {
  if (state === "scheduled") return ["start", "Its time came, and nothing changed since it was scheduled."];
  if (state === "working") return ["start", "The backup exists, and no fact changed."];
  if (override !== undefined) return ["override", overrideOutcome(override)];
  const decided = mode === "self" ? "Confirmed" : "Approved";
  return ["approve", withBackup ? `${decided}, with a backup first.` : `${decided}.`];
}

/** A request after its run, with the error if the act failed. */
interface Ran {
  request: Request;
  error?: unknown;
}

/**
 * Claims a request, runs it once, and stores the outcome; null if another step came first. `refusedWith`: the outcome of the previous
 * refusal; empty if there was none.
 */
export function runClaimed<C extends Request | null>(
  app: RequestsApp,
  id: string,
  claim: () => Promise<C>,
  bound: BoundAct,
  refusedWith = "",
): Promise<Ran | Extract<C, null>> {
  const { running } = app.inProcess;
  return inRequest(id, async () => {
    // Enter it before the claim is stored. In between, `recover` would take it for interrupted, and nobody would learn its outcome.
    running.add(id);
    try {
      const claimed = await claim();
      return claimed && (await sendOnce(app, claimed, bound, refusedWith));
    } finally {
      running.delete(id);
    }
  });
}

async function sendOnce(
  app: RequestsApp,
  request: Request,
  { act, bound }: BoundAct,
  refusedWith: string,
): Promise<Ran> {
  const ran = await runAct(act, request.before);
  if (request.api === "reseller") await app.onSigned("error" in ran ? ran.error : undefined);
  if ("answer" in ran) return { request: (await finish(app, request, bound, ran.answer)) ?? request };
  const { error } = ran;
  app.log.warn({ err: error, command: request.command }, "A request was not carried out");
  return { request: (await fail(app, request, bound, error, refusedWith)) ?? request, error };
}

/** Stores the result of an accepted call. Resolves to null if another process took a step first. */
export async function finish(
  app: RequestsApp,
  request: Request,
  bound: BoundOperation,
  answer: Answer,
): Promise<Request | null> {
  const now = app.clock.now();
  const { operation } = bound;
  const offered = await offer(app, request, [...generatedFor(app, request, operation), ...(answer.secrets ?? [])]);
  await noteCost(app, request, answer);
  const { handle = null, next = [], text } = answer;
  // Named only if none comes: an event that was attached meanwhile must not make this step lose.
  const none = answer.unheard ? { events: null } : {};
  const ended = {
    unsettled: null,
    ...decidedFirst(request),
    attemptedAt: now,
    outcome: text,
    offered,
    next,
    endUnknown: answer.endUnknown ?? false,
    order: answer.order ?? null,
    ...(answer.customer ? { customer: answer.customer } : {}),
    ...none,
  };
  const expected = request.events && !answer.unheard ? { expectedBy: now + eventTimeoutOf(request) } : {};
  const extras = { made: madeIds(answer), ...wakeAtStepEnd(next, now), ...expected };
  if (!operation.follow || handle === null) return step(app, request, "succeed", ended, extras);
  const job = { handle, since: now, text, misses: 0, endedAt: null, plan: null };
  // The timer is stored in the same transaction, so that no message can come before it.
  const polled = { ...extras, pollAt: now + operation.follow.every };
  return step(app, request, "track", { ...ended, job }, polled);
}

/** Those who decided the first sending, if a check before the second one finds that it was done. */
function decidedFirst({ state, unsettled }: Request): Amendment {
  if (state !== "pending" || unsettled === null) return {};
  const { approvals, decidedBy, decidedAt } = unsettled;
  return { approvals, decidedBy, decidedAt };
}

async function fail(
  app: RequestsApp,
  request: Request,
  bound: BoundOperation,
  error: unknown,
  refusedWith: string,
): Promise<Request | null> {
  await markRejected(app, request.requester, error);
  const text = await errorOf(app, request, bound, error);
  const now = app.clock.now();
  const own = isPartlyPersonal(error) ? errorText(error, now).text : null;
  const attemptEnded = { attemptedAt: now };
  if (outcomeUnknown(error)) {
    const checking = (words: string) => `${words} I am checking the outcome. Do not ask again until it is known.`;
    const outcomes = { outcome: checking(text), ownOutcome: own && checking(own) };
    const extras = { auditOutcome: text, lookAt: now + firstCheckAfter };
    return step(app, request, "loseAnswer", { ...attemptEnded, ...outcomes, looks: 0 }, extras);
  }
  if (request.unsettled && !wordsAnswer(error)) {
    // An error before the sending rules nothing out, however lasting: the same may be tried again.
    const passes = (mayComeAgain(error) || !isPlatformsRefusal(error)) && now < request.expiresAt;
    const lead = secondFailure(error, text, { own: false });
    const ownLead = own && secondFailure(error, own, { own: true });
    return failAgain(app, request, { lead, ownLead, passes, change: attemptEnded });
  }
  const ownOutcome = own && refusalOutcome(request, own).outcome;
  const refusal = { ...attemptEnded, ...refusalFields(request, text, error, now), ownOutcome };
  // The same refusal twice does not pass by itself: keep no request open that can never run.
  const isFinal = error instanceof PlatformRefused && error.status === 409 && refusedWith === refusal.outcome;
  if (request.mode !== "none" && mayComeAgain(error) && !isFinal && now < request.expiresAt)
    return stepAgain(app, request, "reopen", refusal, { auditOutcome: text, lookAt: request.expiresAt });
  // A Refusal may name a step that helps, for example charging the kept order instead of making a new one.
  const next = error instanceof Refusal ? error.next : [];
  const event = isPlatformsRefusal(error) ? "refuse" : "leaveUndone";
  return step(app, request, event, { ...refusal, next }, { auditOutcome: text });
}

/** True if the platform refused the write itself. A read before it, a check of ours or a broken connection is no refusal of the act. */
function isPlatformsRefusal(error: unknown): boolean {
  if (error instanceof PlatformRefused) return error.method !== "GET";
  return error instanceof Refusal && isPlatformsRefusal(error.cause);
}

/** Words an error for everybody who reads the request. A 404 is explained by the state of the target. */
export async function errorOf(
  { clock }: Pick<RequestsApp, "clock">,
  request: Request,
  bound: BoundOperation,
  error: unknown,
): Promise<string> {
  const missing = error instanceof PlatformRefused && error.status === 404 && request.target;
  const meaning = missing ? await bound.explainMissing(missing.id).catch(() => null) : null;
  return meaning ?? errorText(error, clock.now(), whoseKey(request.requester.slackUser)).text;
}

/** Offers the generated secrets although nobody knows whether the act took effect. */
export async function offerInCase(app: RequestsApp, request: Request, operation: PlatformOperation): Promise<void> {
  await offer(app, request, generatedFor(app, request, operation), ` (only if ${titleOf(request)} took effect)`);
}

/**
 * Offers one-time secrets before the input is erased: after a crash the same ones are offered again, and none is lost. Their noun; null if
 * there are none.
 */
async function offer(app: RequestsApp, request: Request, shown: Secret[], condition = ""): Promise<string | null> {
  if (shown.length === 0) return null;
  // A password of something new has no name to go by yet: then the act tells it apart.
  const of = request.target ? "" : ` (${titleOf(request)})`;
  const title = `${secretTitle(shown, request.target?.name ?? "")}${condition || of}`;
  await offerSecrets(app, request.id, request.requester, title, shown);
  return title;
}

/** The fields that store a refusal. */
function refusalFields(request: Request, text: string, error: unknown, now: number): Amendment & { outcome: string } {
  return { ...refusalOutcome(request, text), ...withFaults(request, error), part: targetAfter(request, error, now) };
}

/** The platform's complaints by field, if the requester can correct them in a form. */
function withFaults({ form }: Request, error: unknown): Pick<Request, "form"> {
  return { form: form && { ...form, faults: faultsIn(error), fits: isShortOfCredit(error) } };
}

/**
 * If the platform delayed a target of a bulk request, it is tried again by itself. A refusal of the key itself stops them all. Anything else
 * waits for the requester.
 */
function targetAfter({ part }: Request, error: unknown, now: number): Request["part"] {
  if (part && meetsAll(error)) return { ...part, stops: true };
  if (!part || !(error instanceof PlatformRefused) || error.status !== 429) return part;
  return { ...part, again: now + (error.retryAfterSeconds ?? usualDelaySeconds) * 1_000 };
}

/** The generated secrets. Most requests have none, and then the input stays sealed. */
function generatedFor(app: RequestsApp, request: Request, operation: PlatformOperation): Secret[] {
  const input = request.input.generated.length > 0 ? openedInput(app, request) : {};
  return generatedSecrets(operation.input, input, request.input.generated);
}

type Steps = readonly Pick<Request["next"][number], "until">[];

/** Milliseconds. After this time the place of a message is forgotten, so its buttons cannot be removed; the press itself answers then. */
const longestWait = 28 * 24 * 60 * 60_000;

/** Returns when the first step with a time limit ends (milliseconds since the epoch); undefined if none does soon enough. */
export function firstStepEnd(steps: Steps, now: number): number | undefined {
  const due = steps.flatMap(({ until }) => (until !== undefined && until - now <= longestWait ? [until] : []));
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** The same as the timer of a stored step. */
export function wakeAtStepEnd(steps: Steps, now: number): { lookAt?: number } {
  const lookAt = firstStepEnd(steps, now);
  return lookAt === undefined ? {} : { lookAt };
}

/** Returns the steps that are still possible. */
export function possibleSteps<S extends Steps[number]>(steps: readonly S[], now: number): S[] {
  return steps.filter(({ until }) => until === undefined || until > now);
}

/** True if it words what the platform answered about the order of this very id. That settles the first sending as well. */
function wordsAnswer(error: unknown): boolean {
  return error instanceof Refusal && (error.next.length > 0 || isPlatformsRefusal(error));
}

/** Words why the second sending had no effect. A read before it that failed is no refusal of it. */
function secondFailure(error: unknown, text: string, reader: { own: boolean }): string {
  if (error instanceof PlatformRefused && isPlatformsRefusal(error))
    return `The platform refused it this time: ${platformWords(error, reader)}`;
  // "Nothing was sent" would be wrong: the first attempt was.
  const isSilent = isPlatformError(error) && !(error instanceof PlatformRefused);
  return `It was not sent again. ${isSilent ? unansweredFact(error) : text}`;
}

/**
 * Stores the failure of the second sending. The first one may have been charged, so nothing is ruled out. The request reopens if the failure
 * passes by itself, else it is undecided. Resolves to null if another process took a step first.
 */
function failAgain(
  app: RequestsApp,
  request: Request,
  {
    lead,
    ownLead,
    passes,
    change,
  }: { lead: string; ownLead: string | null; passes: boolean; change: Pick<Amendment, "attemptedAt"> },
): Promise<Request | null> {
  const rest = passes
    ? `${firstWords(request)}. Press again in some minutes.`
    : `${firstWords(request)}: check the resource yourself before you ask again.`;
  const changed = { ...change, outcome: `${lead} ${rest}`, ownOutcome: ownLead && `${ownLead} ${rest}` };
  if (passes) return stepAgain(app, request, "reopen", changed, { lookAt: request.expiresAt });
  return step(app, request, "giveUp", changed);
}
