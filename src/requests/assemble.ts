import type { Access } from "../access/access.ts";
import type { Admins } from "../access/admins.ts";
import type { Binder } from "../access/bound.ts";
import type { NameIndex } from "../access/name-index.ts";
import type { ReadScheduledTime } from "../access/when.ts";
import type { Causes } from "../alerts/app.ts";
import type { Audit } from "../audit/audit.ts";
import type { People } from "../chat/people.ts";
import type { Identities } from "../identities/identities.ts";
import type { Outbox } from "../notifications/outbox.ts";
import type { Reply } from "../notifications/reply.ts";
import type { Secrets } from "../notifications/secrets.ts";
import type { Registry } from "../operation/registry.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { PolicyStore } from "../policy/policy.ts";
import type { Foundation } from "../storage/foundation.ts";
import type { LaneHandlers, TimerHandler } from "../storage/store.ts";
import { inRequest } from "../trace.ts";
import type { RequestsApp } from "./app.ts";
import { createRequestChecks } from "./checks.ts";
import { tightenAll, voidWaiting } from "./endings.ts";
import { workOnBulk } from "./facets/bulk/run.ts";
import { createExpectedEvents } from "./facets/events/events.ts";
import { trackJobs } from "./facets/job/track.ts";
import { createPasskeyGate } from "./facets/passkey/gate.ts";
import { runScheduled } from "./facets/schedule/run.ts";
import { createRequestMessages } from "./messages.ts";
import { createReconcile } from "./reconcile.ts";
import { createRepeats } from "./repeats.ts";
import { isBeforeMainAct, type Request } from "./request.ts";
import { backupSpendingId, type Rules } from "./rules.ts";
import { createRequestRun } from "./run.ts";
import { createStateAnswers } from "./state-answers.ts";
import {
  bulkTimer,
  createRequestStore,
  jobTimer,
  type RequestStore,
  requestKind,
  requestTimer,
  scheduleTimer,
} from "./store.ts";
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
  secrets: Secrets;
  outbox: Outbox;
  approvals: { ttl: number };
  passkeys: Passkeys;
  policy: PolicyStore;
  rules: Rules;
  putOff: ReadScheduledTime;
  nameIndex: NameIndex;
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
    secrets,
    outbox,
    approvals,
    passkeys,
    policy,
    rules,
    putOff,
    nameIndex,
    onSigned,
  }: Dependencies,
): {
  requests: RequestsApp;
  causes: Causes;
  timers: LaneHandlers;
  start(): void;
  stop(): void;
  counts: RequestStore["counts"];
} {
  const requests = createRequestStore({ store, seal, audit, clock, log });
  const run = createRequestRun({ requests, access, secrets, onSigned, clock, log });
  const visibilities = createVisibilities({ requests, registry, access, identities, people, nameIndex, clock });
  const checks = createRequestChecks({ access, admins, binder, identities, requests, registry, clock });
  const say = createStateAnswers({ requests, visibilities, reply });
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
  const app: RequestsApp = {
    ...{ store, requests, run, rules, checks, visibilities, reconcile, say, clock, log, ttl: approvals.ttl },
    ...{ registry, identities, access, binder, people, reply, readScheduledTime: putOff },
    gate: createPasskeyGate({ requests, rules, people, passkeys, reply }),
    repeats: createRepeats({ store, requests, clock }),
  };
  const timers = runRequestTimers({ store, requests, run, reconcile, clock, log });
  async function onUnplaced(request: Request, reason: string): Promise<void> {
    const outcome = `Rackbell could not show this request to anybody. ${reason}. Nothing was done.`;
    await voidWaiting(requests, request, outcome);
  }

  // All that calls the requests by itself: a change of the rules, and the outbox.
  policy.onChange(() => tightenAll(app));
  outbox.source(requestKind, createRequestMessages({ requests, access, registry, clock, onUnplaced }));

  return {
    requests: app,
    causes: createExpectedEvents(requests, clock),
    timers: {
      [requestTimer]: ofRequest(timers.onTimer),
      [scheduleTimer]: ofRequest((wakeId) => runScheduled(app, wakeId)),
      [jobTimer]: ofRequest(trackJobs(app)),
      [bulkTimer]: ofRequest((wakeId) => workOnBulk(app, wakeId)),
    },
    start: timers.start,
    stop: timers.stop,
    counts: requests.counts,
  };
}

/** A timer of a request has the request's id after its lane. */
function ofRequest(handler: TimerHandler): TimerHandler {
  return (wakeId, run) => inRequest(wakeId.slice(wakeId.indexOf(":") + 1), () => handler(wakeId, run));
}
