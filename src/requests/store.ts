import type { Logger } from "pino";
import type * as z from "#zod";
import { doneTimer, expectedEventTimer } from "../alerts/app.ts";
import type { EntryEvent } from "../audit/audit.ts";
import { notificationTimer } from "../messages/outbox.ts";
import { markUnposted } from "../messages/postman.ts";
import { Refusal } from "../operation/errors.ts";
import { responsibilityTimer } from "../policy/responsibility/responsibility.ts";
import { scanIndex } from "../storage/create.ts";
import { RecordUnreadable, StorageError } from "../storage/errors.ts";
import { defineKind } from "../storage/kind.ts";
import { marked, type RecordChange, recordText, replacing } from "../storage/record.ts";
import type { Transaction } from "../storage/store.ts";
import type { RequestsApp } from "./app.ts";
import { asksDirectly } from "./facets/approvers/record.ts";
import { isToReview } from "./facets/override/record.ts";
import { reminderOf, waitsForOthers } from "./reminder.ts";
import {
  type Amendment,
  decider,
  eventSubjectOf,
  hasEnded,
  isBackingUp,
  isOpen,
  isSeenByRequesterAlone,
  mayReceiveEvents,
  Request,
  resourceKeyOf,
} from "./request.ts";
import { sealedAnew } from "./sealed.ts";

const month = 30 * 24 * 60 * 60_000;

/** The timers that are stored with a request. Times are in milliseconds since the epoch. */
export interface StepTimers {
  /** By its phase: its expiry, the next check of its unknown outcome, or the end of one of its next steps. */
  lookAt?: number;
  /** Its scheduled time. */
  runAt?: number;
  /** The next poll of its job. */
  pollAt?: number;
  /** The next step of a request whose parts are requests of their own. */
  stepAt?: number;
  /** The time at which an expected webhook event is late. */
  expectedBy?: number;
}

/** A record that only one request can take. It is stored with that request in one transaction, so no crash leaves it taken for nothing. */
export interface Claim {
  record: RecordChange;
  /** The timer of its messages. */
  timer: { id: string; at: number };
  /** The refusal if another request took it in the same moment. */
  lost: string;
}

interface Extras extends StepTimers {
  /** Only a new request has one. */
  claim?: Claim | undefined;
  /** No reader sees a difference, so no message is updated. */
  silent?: boolean;
}

/** The extras of a change that is no step. */
export interface AmendExtras extends Extras {
  /** Not a step of its own: `changedAt` stays. */
  aside?: boolean;
}

/** A step has an audit entry. */
export interface StepStored extends Extras {
  note: EntryEvent;
}

export const requestTimer = "request:";
export const scheduleTimer = "schedule:";
export const jobTimer = "track:";
export const partsTimer = "parts:";
export const requestSubject = "request";

const requestRecords = defineKind({ name: "request", namespace: "requests", schema: Request });
const openIndex = "requests-open";
const scheduledIndex = "requests-scheduled";
const requestFields = (): { [F in keyof Request]-?: z.ZodType<Request[F]> } => Request.shape;
const isField = (name: string): name is keyof Request => Object.hasOwn(requestFields(), name);

/** No request stays in these states for good. Scheduled ones are counted in their own index. */
const passingStates = ["pending", "claimed", "unknown", "working"] as const;
const inState = (state: (typeof passingStates)[number]) => `requests-${state}`;
/** Requests that a process claimed. */
export const claimedIndex = inState("claimed");

/** The parts of the app that store requests. */
export type RequestStoreApp = Pick<RequestsApp, "store" | "seal" | "audit" | "clock" | "log">;

/** The request of this id. Undefined if there is none. Throws if the record cannot be read: that must not look like none. */
export async function readRequest({ store }: Pick<RequestStoreApp, "store">, id: string): Promise<Request | undefined> {
  const { value, was } = await store.read(requestRecords, id);
  return value && marked(value, was);
}

/** Stores a new request, for `begin` of `step.ts` alone. */
export async function storeFirst(app: RequestStoreApp, request: Request, along: StepStored): Promise<Request> {
  const written = await writeFirst(app, request, along);
  if (written) return written;
  throw along.claim ? new Refusal(along.claim.lost) : new Error("A request of this id is there already");
}

/** The same in one transaction with a step of another. Resolves to null if that one took a step since it was read. */
export function storeInstead(
  app: RequestStoreApp,
  request: Request,
  along: StepStored,
  ended: Written,
): Promise<Request | null> {
  return writeFirst(app, request, along, ended);
}

async function writeFirst(app: RequestStoreApp, request: Request, along: StepStored, ended?: Written) {
  const written = await write(app, firstAlong(request, along), ended).catch((error: unknown) =>
    throwNotStored(error, app.log),
  );
  if (written) markUnposted(app.store, requestSubject, written.id);
  return written;
}

function firstAlong(request: Request, extras: StepStored): Written {
  return { before: undefined, request: merged(request, request), extras };
}

/** A step of a request, to be stored by `storeInstead`. */
export function stepAlong(
  app: RequestStoreApp,
  request: Request,
  change: Partial<Request>,
  extras: StepStored,
): Written {
  const next = merged(request, { ...change, version: request.version + 1, changedAt: app.clock.now() });
  return { before: request, request: next, extras };
}

/** Stores a step, and a new part of the request with it, for `step` of `step.ts` alone. Resolves like `amend`. */
export async function storeStep(
  app: RequestStoreApp,
  request: Request,
  change: Partial<Request>,
  along: StepStored,
  part: { first: Request; along: StepStored } | null = null,
): Promise<Request | null> {
  return write(app, stepAlong(app, request, change, along), part ? firstAlong(part.first, part.along) : undefined);
}

/**
 * Stores a change that is no step. Resolves to the changed request, or to null if another process stored a change since it was read: only
 * one gets through.
 */
export async function amend(
  app: RequestStoreApp,
  request: Request,
  change: Amendment,
  extras: AmendExtras = {},
): Promise<Request | null> {
  const changedAt = extras.aside ? request.changedAt : app.clock.now();
  return write(app, { before: request, request: merged(request, { ...change, changedAt }), extras });
}

/**
 * Applies a change to the newest version, and retries: other processes change the request at the same time. Resolves to the newest version,
 * also if nothing changes in it; undefined if there is none.
 */
export async function amendNewest(
  app: RequestStoreApp,
  id: string,
  of: (request: Request) => Amendment | null,
  extras: AmendExtras = {},
): Promise<Request | undefined> {
  for (;;) {
    const request = await readRequest(app, id);
    const changed = request ? of(request) : null;
    if (!request || changed === null) return request;
    const advanced = await amend(app, request, changed, { ...extras, aside: true });
    if (advanced) return advanced;
  }
}

/** A request as it is to be stored, and as it was read. */
interface Written {
  before: Request | undefined;
  request: Request;
  extras: AmendExtras & { note?: EntryEvent };
}

/** Stores the requests with their indexes, timers and audit entries in one transaction, so that no crash leaves half of it. */
async function write(app: RequestStoreApp, first: Written, beside?: Written): Promise<Request | null> {
  const stored = partsOf(app, first);
  const others = beside ? partsOf(app, beside) : null;
  const written = await app.store.transact({
    records: [...stored.records, ...(others?.records ?? [])],
    index: [...stored.index, ...(others?.index ?? [])],
    log: [...stored.log, ...(others?.log ?? [])],
    timers: [...stored.timers, ...(others?.timers ?? [])],
  });
  return written ? stored.request : null;
}

function partsOf({ audit, clock }: RequestStoreApp, { before, request, extras }: Written) {
  const { id, changedAt, expiresAt } = request;
  const was = before && recordText(before);
  const ttlMs = Math.max(expiresAt, changedAt) + month - clock.now();
  const record = replacing({ kind: requestRecords, key: id, was }, request, ttlMs);
  const stored = marked(request, record.text);
  // The timers that this sets read it before the write resolves here. They need not parse it: 50 µs and 22 kB of a command.
  if (record.text !== undefined) requestRecords.remember(id, record.text, stored);
  return {
    request: stored,
    records: [record, ...(extras.claim ? [extras.claim.record] : [])],
    index: indexChanges(before, request),
    log: extras.note
      ? [
          audit.entryOf(
            // A refusal that reopens a request erases its decision, and yet ends what that person decided.
            { ...request, ...request.requester, decidedBy: decider(request) ?? (before ? decider(before) : null) },
            { ...extras.note, alone: isSeenByRequesterAlone(request), channel: request.origin.channel },
          ),
        ]
      : [],
    timers: [
      ...timersOf(before, request, extras, clock.now()),
      ...(extras.claim ? [extras.claim.timer] : []),
      ...(request.state === "done" && before?.state !== "done" ? [{ id: `${doneTimer}${id}`, at: clock.now() }] : []),
    ],
  };
}

/** A page of requests, and the `after` of the next one. */
export interface RequestPage {
  requests: Request[];
  next: string | undefined;
}

/** A page of open requests, oldest first. `after`: the `next` of the page before. */
export function openRequests(app: RequestStoreApp, query: PageQuery): Promise<RequestPage> {
  return page(app, openIndex, query, isListedAsOpen);
}

/** A page of scheduled requests, soonest first. `after`: the `next` of the page before. */
export function scheduledRequests(app: RequestStoreApp, query: PageQuery): Promise<RequestPage> {
  return page(app, scheduledIndex, query, ({ state }) => state === "scheduled");
}

interface PageQuery {
  limit: number;
  after?: string | undefined;
}

/** The requests that are read at once. */
const pageSize = 200;

/** All requests of a list, page by page. */
export async function* allOf(app: RequestStoreApp, list: typeof openRequests): AsyncGenerator<Request> {
  let after: string | undefined;
  do {
    const { requests, next } = await list(app, { limit: pageSize, after });
    yield* requests;
    after = next;
  } while (after !== undefined);
}

async function page(
  app: RequestStoreApp,
  index: string,
  query: PageQuery,
  fits: (request: Request) => boolean,
): Promise<RequestPage> {
  const { entries, next } = await app.store.index(index).range(query);
  const found = await readable(
    app,
    entries.map(({ member }) => member),
  );
  return { requests: found.filter(fits), next };
}

/** A member's open and working requests. */
export async function readUnfinished(app: RequestStoreApp, member: string): Promise<Request[]> {
  const found = await readable(app, await readIndex(app, ofMember(member)));
  return found.filter((request) => !hasEnded(request));
}

/** Tracked requests that offer this act as their next step. */
export async function waitingFor(
  app: RequestStoreApp,
  { command, target }: Pick<Request, "command" | "target">,
): Promise<Request[]> {
  if (!target) return [];
  const waiting = await readable(app, await readIndex(app, waitingForActOn(target.id)));
  return waiting.filter(({ next }) => next.some((step) => isStepTo(step, command, target)));
}

/** Requests that may cause events about a resource, oldest first. */
export async function expecting(app: RequestStoreApp, resource: string): Promise<Request[]> {
  return readable(app, await readIndex(app, expectingOf(resource)));
}

/**
 * Open requests about a resource, and those that will still act on it. Throws if one cannot be read: nobody could say then that there is
 * none.
 */
export async function openAbout(app: RequestStoreApp, resource: string): Promise<Request[]> {
  const ids = await readIndex(app, ofResource(resource));
  const found = await Promise.all(ids.map((id) => readRequest(app, id)));
  return found.filter((request) => request !== undefined).filter((request) => isOpen(request) || isBackingUp(request));
}

/** The number of requests in each passing state. */
export async function requestCounts({
  store,
}: Pick<RequestStoreApp, "store">): Promise<Record<(typeof passingStates)[number] | "scheduled", number>> {
  const count = (state: (typeof passingStates)[number]) => store.index(inState(state)).size();
  return {
    pending: await count("pending"),
    claimed: await count("claimed"),
    unknown: await count("unknown"),
    working: await count("working"),
    scheduled: await store.index(scheduledIndex).size(),
  };
}

/** The requests of these ids, for lists: an unreadable record was logged, and must not hide the others. */
async function readable(app: RequestStoreApp, ids: string[]): Promise<Request[]> {
  const found = await Promise.all(ids.map((id) => readRequest(app, id).catch(skipUnreadable)));
  return found.filter((request) => request !== undefined);
}

function skipUnreadable(error: unknown): undefined {
  if (!(error instanceof RecordUnreadable)) throw error;
}

async function readIndex({ store }: RequestStoreApp, index: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { member } of scanIndex(store.index(index))) ids.push(member);
  return ids;
}

/**
 * Seals every request with the current key. A schedule waits for a month, and an ended request is asked again as late: after the previous
 * key is removed, neither could be opened.
 */
export async function sealRequestsAnew(app: RequestStoreApp): Promise<void> {
  for await (const { key } of app.store.scan(requestRecords)) await sealRequestAnew(app, key);
}

async function sealRequestAnew(app: RequestStoreApp, id: string): Promise<void> {
  for (;;) {
    const request = await readRequest(app, id);
    const change = request && sealedAnew(app, request);
    if (!request || !change || (await amend(app, request, change, { silent: true, aside: true }))) return;
  }
}

/**
 * Merges the change and drops every key that the schema does not know. Plain values and lists of texts need no check, since the compiler
 * did it, but for NaN and the infinite: JSON has none, and what the schema cannot read must not be stored.
 */
function merged(request: Request, change: Partial<Request>): Request {
  const next = { ...request, ...change };
  function strip<F extends keyof Request>(field: F, schema: z.ZodType<Request[F]>): void {
    next[field] = schema.parse(change[field]);
  }
  for (const field in change) if (isField(field) && needsParsing(change[field])) strip(field, requestFields()[field]);
  return next;
}

function needsParsing(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (Array.isArray(value)) return value.some((part) => typeof part !== "string");
  return typeof value === "object" && value !== null;
}

/** The record is stored before anything is sent, so an error here means that nothing was sent. */
function throwNotStored(error: unknown, log: Logger): never {
  if (!(error instanceof StorageError)) throw error;
  log.error({ err: error }, "A request could not be stored");
  throw new Refusal(
    "I could not store this request, so nothing was sent and nothing changed. Inform the operator of Rackbell: its disk may be full.",
  );
}

function timersOf(
  before: Request | undefined,
  request: Request,
  { lookAt, runAt, pollAt, stepAt, expectedBy, silent, aside }: AmendExtras,
  now: number,
): NonNullable<Transaction["timers"]> {
  const { id, part } = request;
  // A part wakes the request that it is of, which notifies and continues. A webhook event is no step, so it updates the messages only.
  const messageTimer = part && !aside ? `${partsTimer}${part.of}` : notificationTimer(requestSubject, part?.of ?? id);
  return [
    ...(silent ? [] : [{ id: messageTimer, at: now }]),
    ...responsibleAt(before, request, now),
    ...(stepAt === undefined ? [] : [{ id: `${partsTimer}${id}`, at: stepAt }]),
    ...(lookAt === undefined ? [] : [{ id: `${requestTimer}${id}`, at: lookAt }]),
    ...(runAt === undefined ? [] : [{ id: `${scheduleTimer}${id}`, at: runAt }]),
    ...(pollAt === undefined ? [] : [{ id: `${jobTimer}${id}`, at: pollAt }]),
    ...(expectedBy === undefined ? [] : [{ id: `${expectedEventTimer}${id}`, at: expectedBy }]),
  ];
}

/** The timer of the people who are to act: set when a request begins to wait for them, or has other times. */
function responsibleAt(before: Request | undefined, request: Request, now: number): { id: string; at: number }[] {
  if (!waitsForOthers(request)) return [];
  if (before && waitsForOthers(before) && before.expiresAt === request.expiresAt) return [];
  // A rule that names people has steps of its own, which the audit log has from the beginning.
  const { notify, steps } = request.ruling;
  const isAtOnce = notify !== null || steps.length > 0 || hasQuiet(request) || asksDirectly(request.approvers);
  const at = before || isAtOnce ? now : reminderOf(request)?.at;
  return at === undefined ? [] : [{ id: responsibilityTimer({ kind: requestSubject, id: request.id }), at }];
}

/** True if one who was mentioned may not hear it, so that the next step comes at once. */
function hasQuiet({ approvers }: Request): boolean {
  return approvers?.reached.notified.some(({ quietUntil }) => quietUntil !== null) ?? false;
}

/** Scheduled requests have a list of their own. An override to review is listed in whatever state it is. */
function isListedAsOpen(request: Request): boolean {
  return (isOpen(request) && request.state !== "scheduled") || isToReview(request);
}

/** True if a step runs this command on this target. */
export function isStepTo(step: Request["next"][number], command: string, target: Request["target"]): boolean {
  return step.command === command && step.target !== undefined && step.target === target?.id;
}

const ofMember = (member: string) => `requests-of:${member}`;
const ofResource = (resource: string) => `requests-about:${resource}`;
const expectingOf = (resource: string) => `requests-expecting:${resource}`;
const waitingForActOn = (target: string) => `requests-waiting:${target}`;

/** The indexes that find a request, each with its score there: open ones by member and resource, working ones by member. */
function indexesOf(request: Request): Map<string, number> {
  const { createdAt, state, schedule, order } = request;
  const scores = new Map<string, number>();
  const put = (name: string, score: number | null) => {
    if (score !== null) scores.set(name, score);
  };
  const open = isOpen(request) && !isRunningAtOnce(request) ? createdAt : null;
  const scheduleScore = state === "scheduled" ? (schedule?.at ?? createdAt) : null;
  const eventsScore = mayReceiveEvents(request) ? createdAt : null;
  for (const one of passingStates) if (one === state) put(inState(one), createdAt);
  // An emergency override stays in the list of waiting requests until another admin reviewed it.
  put(openIndex, (scheduleScore === null ? open : null) ?? (isToReview(request) ? createdAt : null));
  put(scheduledIndex, scheduleScore);
  put(ofResource(resourceKeyOf(request)), isBackingUp(request) ? createdAt : open);
  put(ofMember(request.requester.member), state === "working" ? createdAt : open);
  put(expectingOf(eventSubjectOf(request)), eventsScore);
  if (order !== null) put(expectingOf(order), eventsScore);
  for (const target of nextTargets(request)) put(waitingForActOn(target), createdAt);
  return scores;
}

/** A change that runs at once waits for nobody. Only the index of claimed requests finds it, for recovery. */
function isRunningAtOnce({ mode, state }: Request): boolean {
  return mode === "none" && state === "claimed";
}

/**
 * The targets of the acts after which a working request ends. A search of all working requests at the end of each act took 27 ms of processor
 * with 1,000 of them.
 */
function nextTargets({ state, bulk, next }: Request): string[] {
  return state === "working" && bulk === null ? next.flatMap(({ target }) => target ?? []) : [];
}

function indexChanges(before: Request | undefined, now: Request): NonNullable<Transaction["index"]> {
  const [then, scores] = [before ? indexesOf(before) : new Map<string, number>(), indexesOf(now)];
  return [...new Set([...then.keys(), ...scores.keys()])]
    .filter((name) => then.get(name) !== scores.get(name))
    .map((name) => ({ name, member: now.id, score: scores.get(name) ?? null }));
}
