import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Answer, Secret } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import { labelOf } from "../../operation/fields.ts";
import { type Act, attempt, type PlatformOperation } from "../../operation/operation.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import type { Access } from "../access.ts";
import { faultsIn } from "../answers/correction.ts";
import { errorText, keyOf, mayComeAgain, outcomeUnknown } from "../answers/error-text.ts";
import type { BoundOperation } from "../bound.ts";
import type { Secrets } from "../records/secrets.ts";
import { bulkBegun } from "./bulk/progress.ts";
import { copyAccepted, madeBy, refusedWords } from "./copy-run.ts";
import { expectedWithin } from "./hearing.ts";
import { lapsing } from "./lapse.ts";
import { beforeInHand, isBeforeAct, type Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { titleOf } from "./view.ts";

/** Milliseconds after which an unknown outcome is looked at for the first time. */
export const firstLook = 2_000;

/** Carries out what was taken in hand, once, and keeps what came of it. */
export interface RequestRun {
  /** The request as it is afterwards, and what went wrong, if anything did. */
  run(
    request: Request,
    act: Act,
    bound: BoundOperation,
    /** What it was refused with before, where it was. */
    refusedWith?: string,
  ): Promise<{ request: Request; error?: unknown }>;
  /** Keeps what was done, or goes on at the platform; null where somebody else was there before. */
  finish(request: Request, bound: BoundOperation, answer: Answer, what: string): Promise<Request | null>;
  /** Offers what was generated for it, though nobody may ever know whether it took effect. */
  offerInCase(request: Request, operation: PlatformOperation): Promise<void>;
  /** What went wrong, for all who read the request: it ran with the requester's key. A 404 may be about the machine alone. */
  errorOf(request: Request, bound: BoundOperation, error: unknown): Promise<string>;
  isRunning(id: string): boolean;
}

/** Seconds, where the platform does not say. */
const usualPause = 60;

/** It waits again for all that it needs. */
const undecided: Partial<Request> = { state: "pending", decidedBy: null, decidedAt: null, approvals: [] };

export function createRequestRun(deps: {
  requests: RequestStore;
  access: Access;
  secrets: Secrets;
  /** Told what the platform made of a call that was signed for the workspace. */
  onSigned: (error?: unknown) => Promise<void>;
  clock: Clock;
  log: Logger;
}): RequestRun {
  const { requests, access, secrets, onSigned, clock, log } = deps;
  const running = new Set<string>();

  /** Before the input is erased: a crash in between offers the same again, and loses nothing. */
  async function offer(request: Request, shown: Secret[], title: string): Promise<void> {
    if (shown.length > 0) await secrets.offer(request.id, request, title, shown);
  }

  async function finish(request: Request, bound: BoundOperation, answer: Answer, what: string) {
    if (request.bulk) return requests.advance(request, ...bulkBegun(request.bulk, clock.now()));
    if (isBeforeAct(request)) return requests.advance(request, ...copyAccepted(bound, answer, clock.now()));
    const { operation } = bound;
    await offer(request, [...generatedFor(requests, request, operation), ...(answer.secrets ?? [])], titleOf(request));
    const { handle = null, next = [], text } = answer;
    const now = clock.now();
    const expects = answer.unheard ? null : request.expects;
    const ended = {
      ...{ sealed: null, instance: null, attemptedAt: now, outcome: text, next, expects },
      order: answer.order ?? null,
      ...(answer.customer ? { customer: answer.customer } : {}),
    };
    const expected = expects ? { expectedBy: now + expectedWithin(request) } : {};
    const along = { note: { what, made: madeBy(answer) }, ...lapsing(next, now), ...expected };
    if (operation.follow === null || handle === null)
      return requests.advance(request, { ...ended, state: "done" }, along);
    const job = { handle, since: now, text, misses: 0, endedAt: null, plan: null };
    // The follow-up is stored with the fact: nothing that is told of it comes before.
    const polled = { ...along, pollAt: now + operation.follow.every };
    return requests.advance(request, { ...ended, state: "working", job }, polled);
  }

  async function fail(
    request: Request,
    bound: BoundOperation,
    error: unknown,
    refusedWith: string,
  ): Promise<Request | null> {
    await access.markRejected(request.member, error);
    const text = await errorOf(request, bound, error);
    const now = clock.now();
    const over = { instance: null, attemptedAt: now };
    if (outcomeUnknown(error)) {
      const outcome = `${text} I look at it until it is clear; do not ask for it again until then.`;
      const along = { note: { what: "unknown", outcome: text }, lookAt: now + firstLook };
      return requests.advance(request, { ...over, state: "unknown", outcome, looks: 0 }, along);
    }
    const note = { what: "refused", outcome: text };
    const told = { ...over, ...toldOf(request, text, error, now) };
    // Said twice in the same words, it does not pass by itself: what can never run is not kept open.
    const lasts = error instanceof PlatformRefused && error.status === 409 && refusedWith === told.outcome;
    if (request.mode !== "none" && mayComeAgain(error) && !lasts && now < request.expiresAt) {
      return requests.advance(request, { ...undecided, ...told }, { note, lookAt: request.expiresAt });
    }
    // The way on that it names: to charge what was kept, and not to ask for it anew.
    const next = error instanceof Refusal ? error.next : [];
    return requests.advance(request, { ...told, state: "refused", next, sealed: null }, { note });
  }

  async function errorOf(request: Request, bound: BoundOperation, error: unknown): Promise<string> {
    const missing = error instanceof PlatformRefused && error.status === 404 && request.target;
    const meaning = missing ? await bound.explainMissing(missing.id).catch(() => null) : null;
    return meaning ?? errorText(error, clock.now(), keyOf(request.slackUser)).text;
  }

  return {
    finish,
    errorOf,
    isRunning: (id) => running.has(id),
    offerInCase: (request, operation) =>
      offer(request, generatedFor(requests, request, operation), `${titleOf(request)} (if it took effect)`),
    async run(request, act, bound, refusedWith = "") {
      running.add(request.id);
      try {
        const ran = await attempt(act, beforeInHand(request));
        if (request.api === "reseller") await onSigned("error" in ran ? ran.error : undefined);
        if ("answer" in ran) return { request: (await finish(request, bound, ran.answer, "done")) ?? request };
        const { error } = ran;
        log.warn({ err: error, command: request.command, request: request.id }, "A request was not carried out");
        return { request: (await fail(request, bound, error, refusedWith)) ?? request, error };
      } finally {
        running.delete(request.id);
      }
    },
  };
}

/** What is kept of a refusal. */
function toldOf(request: Request, text: string, error: unknown, now: number): Partial<Request> & { outcome: string } {
  return { ...refusedWords(request, text), faults: faultsIn(error), part: putOff(request, error, now) };
}

/** One of many that the platform put off is tried again by itself; anything else by whoever asked. */
function putOff({ part }: Request, error: unknown, now: number): Request["part"] {
  if (!part || !(error instanceof PlatformRefused) || error.status !== 429) return part;
  return { ...part, again: now + (error.retryAfterSeconds ?? usualPause) * 1_000 };
}

/** What was generated for it. Most have nothing: their input stays sealed. */
function generatedFor(requests: RequestStore, request: Request, operation: PlatformOperation): Secret[] {
  const input = request.generated.length > 0 ? requests.input(request) : {};
  return request.generated.map((name) => ({
    label: labelOf(operation.input, name),
    value: String(input[name] ?? ""),
  }));
}
