import * as z from "#zod";
import type { Act } from "../operation/act.ts";
import { wholeReview } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import { withoutSecrets } from "../operation/fields.ts";
import { reasonField } from "../operation/reason.ts";
import { verbWordsOf } from "../operation/registry.ts";
import { defineKind } from "../storage/kind.ts";
import type { RequestsApp } from "./app.ts";
import { createRequest, draftRequest, type Proposal, termsWithoutDecision } from "./create.ts";
import { claimOffer, releaseOffer } from "./delegate.ts";
import { requireAgentRight } from "./facets/agent/right.ts";
import { progressWords } from "./facets/bulk/progress.ts";
import { scheduleChange } from "./facets/schedule/change.ts";
import { type NewRequest, type Request, titleOf, wasNotDone } from "./request.ts";
import { underWayWords, withLock, withResourceLock } from "./resource-lock.ts";
import { lackingNow } from "./rules.ts";
import { runClaimed, waitsFor } from "./run.ts";
import { begin } from "./step.ts";
import { refuseWhileUnknown } from "./unknown-outcome.ts";

/** Milliseconds. A press this soon after the end of the same act is a double click. */
const doublePressMs = 3_000;
const justEndedActs = defineKind({
  name: "mark of an act",
  namespace: "just-ended",
  schema: z.string(),
  ttlMs: doublePressMs,
  lasts: "memory",
});
const changeLockMs = 2 * 60_000;

async function storeAndRun(app: RequestsApp, proposal: Proposal): Promise<Request> {
  const { store } = app;
  const { bound, act, origin } = proposal;
  const draft = draftRequest(app, proposal);
  await refuseWhileUnknown(app, bound.operation, draft);
  const before = await act.before();
  const terms = termsWithoutDecision(wholeReview("change", { before }, act.interrupts), act, origin);
  const record = createRequest(app, proposal, terms, draft);
  await requireRunnable(app, proposal, record);
  const claim = await claimOffer(app, proposal);
  if (record.bulk) {
    const now = app.clock.now();
    const waiting = { ...record, ...waitsFor(progressWords(record.bulk), now) };
    return begin(app, "begin", waiting, { auditOutcome: `Begun: ${record.bulk.nouns}.`, stepAt: now, claim });
  }
  const begun = { ...record, instance: store.instance };
  const ran = await runClaimed(
    app,
    record.id,
    () => begin(app, "begin", begun, { auditOutcome: "Begun.", claim }),
    proposal,
  );
  if (!wasNotDone(ran.request)) return ran.request;
  await releaseOffer(app, proposal);
  // The caller shows a refusal to the member, with the step that repairs it.
  throw ran.error;
}

/** An agent runs it by a rule alone. Both may have ended while the facts were read. */
async function requireRunnable(app: RequestsApp, proposal: Proposal, record: NewRequest): Promise<void> {
  if (record.agent === null) return;
  await requireAgentRight(app, record);
  const { why } = await lackingNow(app, record, proposal.act);
  if (why !== null) throw new Refusal(`${why} Nothing was done.`);
}

/** Locks the target, whichever noun named it: two acts at once would report each other's outcome. */
async function runAlone(app: RequestsApp, proposal: Proposal): Promise<Request> {
  const { store } = app;
  const { act, origin } = proposal;
  if (!act.target) return storeAndRun(app, proposal);
  const holder = { id: act.id, slackUser: origin.slackUser, verb: act.verb, target: act.target };
  return withResourceLock(
    store.locks,
    act.target.id,
    holder,
    () => storeAndRun(app, proposal),
    async (by) => {
      throw new Refusal(underWayWords(by));
    },
  );
}

/** Runs a change that needs no decision. The request is stored before the call, so that a crash is recovered like any other. */
export async function change(app: RequestsApp, proposal: Proposal): Promise<void> {
  const { store } = app;
  const justEnded = store.keyv(justEndedActs);
  const { act, origin } = proposal;
  const key = doublePressKey(proposal);
  // Use a lock, not a stored mark: if the process dies, the lock goes with it.
  await withLock(
    store.locks,
    { name: `change:${key}`, holder: origin.slackUser, lockFor: changeLockMs },
    async () => {
      if (await justEnded.has(key)) throw doublePress(act);
      const { state } = await (proposal.when ? scheduleChange(app, proposal, proposal.when) : runAlone(app, proposal));
      // After an unknown outcome `refuseWhileUnknown` stops a second act, and explains it better.
      if (state !== "unknown") await justEnded.set(key, origin.slackUser);
    },
    async () => {
      throw doublePress(act);
    },
  );
}

function doublePress(act: Act): Refusal {
  return new Refusal(`${titleOf(act)} was requested a moment ago. Nothing was done twice.`);
}

/**
 * The key under which the same act within seconds is a double press, whoever pressed and whichever noun they used. Secrets stay out of it.
 */
function doublePressKey({ bound, act, bulk, when }: Proposal): string {
  const { operation, actor } = bound;
  const open = Object.entries(withoutSecrets(operation.input, act.input)).filter(([name]) => name !== reasonField);
  const subject = bulk?.digest ?? act.target?.id ?? actor.member;
  return `${verbWordsOf(operation)} ${subject} ${JSON.stringify(open)} ${when?.at ?? ""}`;
}
