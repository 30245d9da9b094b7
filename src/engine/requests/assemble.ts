import type { People } from "../../chat/people.ts";
import type { Identities } from "../../identities/identities.ts";
import type { Registry } from "../../operation/registry.ts";
import type { Access } from "../access.ts";
import type { Reply } from "../answers/reply.ts";
import type { Audit } from "../audit/audit.ts";
import type { Binder } from "../bound.ts";
import type { Foundation } from "../foundation.ts";
import { followJobs } from "../jobs/follow.ts";
import type { PolicyStore } from "../policy/policy.ts";
import { createCopies } from "../records/copies.ts";
import type { Secrets } from "../records/secrets.ts";
import type { SettingsStore } from "../records/settings.ts";
import type { Outbox } from "../telling/outbox.ts";
import type { ReadPutOff } from "../when.ts";
import { createAfterCopy } from "./after-copy.ts";
import { createApprove } from "./approve.ts";
import { createApprovers } from "./approvers.ts";
import { createAsk } from "./ask.ts";
import { createFindAudience } from "./audience.ts";
import { createAskBulk } from "./bulk/ask.ts";
import { createBeginPart } from "./bulk/begin-part.ts";
import { createDecideBulk } from "./bulk/decide.ts";
import { workOnBulks } from "./bulk/run.ts";
import { createCarryOut } from "./carry-out.ts";
import { createChange } from "./change.ts";
import { createRequestChecks } from "./checks.ts";
import { createDecide } from "./decide.ts";
import { createHandOver } from "./hand-over.ts";
import { createHearing, type Hearing } from "./hearing.ts";
import { createMove } from "./move.ts";
import { createOfferCopy } from "./offer-copy.ts";
import { createFindPlace } from "./place.ts";
import { runPlanned } from "./planned-run.ts";
import { createPrepareCopy } from "./prepare-copy.ts";
import { createPress } from "./press.ts";
import { createReconcile } from "./reconcile.ts";
import { isBeforeAct, type Request } from "./request.ts";
import { createRequests, type Requests } from "./requests.ts";
import { copyPart, type Rules } from "./rules.ts";
import { createRequestRun } from "./run.ts";
import { createSayState } from "./say-state.ts";
import { createStart } from "./start.ts";
import { createStillStands } from "./still-stands.ts";
import { createRequestStore, type RequestStore, requestKind } from "./store.ts";
import { createRequestTellings } from "./tellings.ts";
import { tightenAll } from "./tighten.ts";
import { keepRequests } from "./wakeups.ts";

/** What requests are made, decided, run and told with. */
interface Parts {
  registry: Registry;
  identities: Identities;
  access: Access;
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
  putOff: ReadPutOff;
  onSigned: (error?: unknown) => Promise<void>;
}

/** Puts together what belongs to requests, and what follows and tells them. */
export function assembleRequests(
  { store, seal, clock, log }: Foundation,
  {
    registry,
    identities,
    access,
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
    onSigned,
  }: Parts,
): { requests: Requests; hearing: Hearing; start(): void; stop(): void; counts: RequestStore["counts"] } {
  const requests = createRequestStore({ store, seal, audit, clock, log });
  const run = createRequestRun({ requests, access, secrets, onSigned, clock, log });
  policy.onChange(() => tightenAll(requests, rules));
  const copies = createCopies({ store, log });
  const approvers = createApprovers({ identities, people, settings });
  const findPlace = createFindPlace({ people, settings });
  const ask = createAsk({
    requests,
    findAudience: createFindAudience({ approvers, findPlace }),
    locks: store.locks,
    reply,
    clock,
    rules,
    offerCopy: createOfferCopy({ registry, binder, copies, rules, clock, log }),
    ttl: approvals.ttl,
  });
  const handOver = createHandOver({
    registry,
    approvers,
    findPlace,
    reply,
    putOff,
  });
  const change = createChange({ store, requests, run, clock });
  const start = createStart({ rules, ask, change });
  const checks = createRequestChecks({ access, binder, identities, requests, registry, clock });
  const say = createSayState({ requests, reply });
  const approve = createApprove({ requests, checks, identities, say, clock });
  const carryOut = createCarryOut({ store, requests, run, rules, say, clock });
  const prepareCopy = createPrepareCopy({ checks, rules, clock });
  const press = createPress({ store, requests, approve, carryOut, checks, prepareCopy, rules, say, clock });
  const decide = createDecide({ requests, press, checks, access, rules, say, clock });
  // A key that was unlinked meanwhile was kept for this alone.
  async function onSettled(request: Request): Promise<void> {
    const { member, api, keyId } = request;
    await identities.eraseRetired(member, api, keyId);
    // What was not done has cost nothing.
    const settled = request.price === null && !isBeforeAct(request) ? undefined : await requests.read(request.id);
    if (settled?.state !== "refused") return;
    await rules.release(settled);
    if (isBeforeAct(request)) await rules.release({ ...settled, id: copyPart(settled) });
  }
  const reconcile = createReconcile({ requests, run, registry, binder, onSettled, ttl: approvals.ttl, clock, log });
  const stillStands = createStillStands({ checks, identities });
  runPlanned({ store, requests, stillStands, prepareCopy, carryOut, rules, clock, log });
  const move = createMove({ requests, rules, say, putOff, clock, ttl: approvals.ttl });
  const askBulk = createAskBulk({ requests, ask, start });
  const beginPart = createBeginPart({ store, requests, run, rules, access, clock });
  workOnBulks({ store, requests, checks, rules, beginPart, clock, log });
  const bulk = { ask: askBulk, ...createDecideBulk({ requests, checks, access, binder, askBulk, say, reply, clock }) };
  const kept = keepRequests({ store, requests, run, reconcile, clock, log });
  const afterCopy = createAfterCopy({ store, requests, checks, run, rules, copies, clock });
  followJobs({ requests, access, binder, registry, afterCopy, wakeups: store.wakeups, clock, log });
  async function onUnplaced(request: Request, reason: string): Promise<void> {
    const outcome = `It could not be shown to anybody. ${reason}. Nothing was done.`;
    await requests.advance(request, { state: "void", outcome, sealed: null }, { note: { what: "void" } });
  }
  outbox.source(requestKind, createRequestTellings({ requests, access, registry, onUnplaced }));
  return {
    requests: createRequests({ requests, start, bulk, handOver, decide, move, wakeups: store.wakeups, clock }),
    hearing: createHearing(requests, clock),
    start: kept.start,
    stop: kept.stop,
    counts: requests.counts,
  };
}
