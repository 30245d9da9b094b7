import type { Access } from "../access/access.ts";
import type { Admins } from "../access/admins.ts";
import type { Binder } from "../access/bound.ts";
import type { ReadScheduledTime } from "../access/when.ts";
import type { Audit } from "../audit/audit.ts";
import type { People } from "../chat/people.ts";
import type { Identities } from "../identities/identities.ts";
import type { Outbox } from "../notifications/outbox.ts";
import type { Reply } from "../notifications/reply.ts";
import type { Secrets } from "../notifications/secrets.ts";
import type { Registry } from "../operation/registry.ts";
import type { PolicyStore } from "../policy/policy.ts";
import type { SettingsStore } from "../records/settings.ts";
import type { OwnIndex } from "../resources/own-index.ts";
import type { Foundation } from "../storage/foundation.ts";
import { createOpenRequest, createStart } from "./ask.ts";
import { createAskAgain } from "./ask-again.ts";
import { createApprovers, createFindAudience, createFindPlace } from "./audience.ts";
import { createCarryOut } from "./carry-out.ts";
import { createChange } from "./change.ts";
import { createRequestChecks } from "./checks.ts";
import { createDecide } from "./decide.ts";
import { createDelegate } from "./delegate.ts";
import { tightenAll, voidWaiting } from "./endings.ts";
import {
  createAfterBackup,
  createNewestBackups,
  createOfferBackup,
  createPrepareBackup,
} from "./facets/backup-first.ts";
import { createBeginTarget } from "./facets/bulk/begin-target.ts";
import { createDecideBulk } from "./facets/bulk/decide.ts";
import { createProposeBulk } from "./facets/bulk/propose.ts";
import { workOnBulks } from "./facets/bulk/run.ts";
import { createExpectedEvents, type ExpectedEvents } from "./facets/events.ts";
import { trackJobs } from "./facets/job.ts";
import { createRecheckDecision, createReschedule, runScheduled } from "./facets/schedule.ts";
import { createFindFor } from "./find-for.ts";
import { createRequestMessages } from "./messages.ts";
import { createApprove, createPress } from "./press.ts";
import { createReconcile } from "./reconcile.ts";
import { createRepeats } from "./repeats.ts";
import { isBeforeMainAct, type Request } from "./request.ts";
import { createRequests, type Requests } from "./requests.ts";
import { backupSpendingId, type Rules } from "./rules.ts";
import { createRequestRun } from "./run.ts";
import { createStateAnswers } from "./state-answers.ts";
import { createRequestStore, type RequestStore, requestKind } from "./store.ts";
import { runRequestTimers } from "./timers.ts";
import { createVisibilities } from "./visibility.ts";

/** Everything that the requests need from the rest of the app. */
interface Dependencies {
  registry: Registry;
  identities: Identities;
  access: Access;
  admins: Admins;
  binder: Binder;
  people: People;
  reply: Reply;
  audit: Audit;
  settings: SettingsStore;
  secrets: Secrets;
  outbox: Outbox;
  approvals: { ttl: number };
  policy: PolicyStore;
  rules: Rules;
  putOff: ReadScheduledTime;
  ownIndex: OwnIndex;
  onSigned: (error?: unknown) => Promise<void>;
}

/** Builds the requests, their timers and their source for the outbox. */
export function assembleRequests(
  { store, seal, clock, log }: Foundation,
  {
    registry,
    identities,
    access,
    admins,
    binder,
    people,
    reply,
    audit,
    settings,
    secrets,
    outbox,
    approvals,
    policy,
    rules,
    putOff,
    ownIndex,
    onSigned,
  }: Dependencies,
): {
  requests: Requests;
  hearing: ExpectedEvents;
  start(): void;
  stop(): void;
  counts: RequestStore["counts"];
} {
  const requests = createRequestStore({ store, seal, audit, clock, log });
  const run = createRequestRun({ requests, access, secrets, onSigned, clock, log });
  policy.onChange(() => tightenAll(requests, rules));
  const newestBackups = createNewestBackups({ store, log });
  const approvers = createApprovers({ identities, people, settings, access });
  const findPlace = createFindPlace({ people, settings });
  const visibilities = createVisibilities({ requests, registry, access, identities, people, ownIndex });
  const repeats = createRepeats({ store, requests, clock, log });
  const openRequest = createOpenRequest({
    repeats,
    ...{ requests, visibilities },
    findAudience: createFindAudience({ approvers, findPlace }),
    locks: store.locks,
    reply,
    clock,
    rules,
    offerBackup: createOfferBackup({ registry, binder, newestBackups, rules, clock, log }),
    ttl: approvals.ttl,
  });
  const delegate = createDelegate({
    registry,
    approvers,
    findPlace,
    reply,
    putOff,
  });
  const change = createChange({ store, requests, visibilities, run, clock });
  const start = createStart({ rules, openRequest, change });
  const checks = createRequestChecks({ access, admins, binder, identities, requests, registry, clock });
  const say = createStateAnswers({ requests, visibilities, reply });
  const findFor = createFindFor({ requests, say, clock });
  const askAgain = createAskAgain({ requests, say, clock });
  const approve = createApprove({ requests, checks, identities, say, clock });
  const carryOut = createCarryOut({ store, requests, run, rules, say, clock });
  const prepareBackup = createPrepareBackup({ checks, rules, clock });
  // An unlinked key was kept only to check outcomes: erase it once none is unknown.
  async function onSettled(request: Request): Promise<void> {
    const { member, api, keyId } = request;
    await identities.eraseRetired(member, api, keyId);
    // A refused request has cost nothing, so its price no longer counts as spent.
    const settled = request.price === null && !isBeforeMainAct(request) ? undefined : await requests.read(request.id);
    if (settled?.state !== "refused") return;
    await rules.release(settled);
    if (isBeforeMainAct(request)) await rules.release({ ...settled, id: backupSpendingId(settled) });
  }
  const reconcile = createReconcile({ requests, run, registry, binder, onSettled, ttl: approvals.ttl, clock, log });
  const press = createPress({
    ...{ store, requests, approve, carryOut, checks, prepareBackup: prepareBackup, reconcile, rules, repeats },
    ...{ access, say, clock },
  });
  const decide = createDecide({ requests, press, findFor, checks, rules, visibilities, say, clock });
  const recheckDecision = createRecheckDecision({ checks, identities });
  runScheduled({
    store,
    requests,
    recheckDecision: recheckDecision,
    prepareBackup: prepareBackup,
    carryOut,
    rules,
    access,
    clock,
    log,
  });
  const move = createReschedule({ requests, findFor, checks, rules, say, putOff, clock, ttl: approvals.ttl });
  const proposeBulk = createProposeBulk({ requests, openRequest, start });
  const beginTarget = createBeginTarget({ store, requests, run, rules, access, clock });
  workOnBulks({ store, requests, checks, rules, beginTarget: beginTarget, clock, log });
  const decideBulk = createDecideBulk({
    requests,
    findFor,
    checks,
    access,
    binder,
    proposeBulk: proposeBulk,
    visibilities,
    say,
    reply,
    clock,
  });
  const bulk = { ask: proposeBulk, ...decideBulk };
  const timers = runRequestTimers({ store, requests, run, reconcile, clock, log });
  const afterBackup = createAfterBackup({ store, requests, checks, run, rules, newestBackups, clock });
  trackJobs({ requests, access, binder, registry, afterBackup: afterBackup, wakeups: store.wakeups, clock, log });
  async function onUnplaced(request: Request, reason: string): Promise<void> {
    const outcome = `It could not be shown to anybody. ${reason}. Nothing was done.`;
    await voidWaiting(requests, request, outcome);
  }
  outbox.source(requestKind, createRequestMessages({ requests, access, registry, onUnplaced }));
  return {
    requests: createRequests({
      requests,
      start,
      bulk,
      delegate,
      askAgain,
      decide,
      move,
      visibilities,
      wakeups: store.wakeups,
      clock,
    }),
    hearing: createExpectedEvents(requests, clock),
    start: timers.start,
    stop: timers.stop,
    counts: requests.counts,
  };
}
