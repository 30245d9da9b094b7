import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import { RecordUnreadable, StorageError } from "../../storage/errors.ts";
import { createRecords } from "../../storage/records.ts";
import { scanIndex } from "../../storage/scan-all.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Batch, Range, Store } from "../../storage/store.ts";
import type { Audit, Noted } from "../audit/audit.ts";
import { tellWake, untold } from "../telling/outbox.ts";
import { type BulkTargets, createBulkTargets } from "./bulk/targets.ts";
import { expectedAbout, isCopying, isOpen, isToReview, mayBeHeardOf, Request, thingOf } from "./request.ts";
import { upcasts } from "./upcasts.ts";

const month = 30 * 24 * 60 * 60_000;

/** What goes with a step: its line in the audit, and when the request is to be looked at again. */
export interface Along {
  note?: Noted;
  /** When it expires, or its unknown outcome is looked at (milliseconds since the epoch). */
  lookAt?: number;
  /** When its time comes. */
  runAt?: number;
  /** When its job is polled. */
  pollAt?: number;
  /** When work on many goes on. */
  stepAt?: number;
  /** When an event that must come of it is overdue. */
  expectedBy?: number;
  /** It is no step of its own: when it changed last stays as it was. */
  aside?: boolean;
  /** It changes nothing that anybody sees. */
  silent?: boolean;
}

/** The requests and their indexes. Every step of one is one write with all that goes with it, whatever dies around it (design section 8). */
export interface RequestStore {
  create(request: Request, along: Along): Promise<Request>;
  /** Undefined where there is none; one that cannot be read is an error, and not that. */
  read(id: string): Promise<Request | undefined>;
  /** The request with the change, or null where somebody else has taken a step since it was read: of many, one gets through. */
  advance(request: Request, change: Partial<Request>, along?: Along): Promise<Request | null>;
  /** A page of the open ones, oldest first; `after` is the `next` of the page before. */
  open(query: {
    limit: number;
    after?: string | undefined;
  }): Promise<{ requests: Request[]; next: string | undefined }>;
  /** A page of those that wait for their time, soonest first; `after` is the `next` of the page before. */
  planned(query: {
    limit: number;
    after?: string | undefined;
  }): Promise<{ requests: Request[]; next: string | undefined }>;
  /** Open ones, and what goes on, of one member. */
  of(member: string): Promise<Request[]>;
  /** Those that events about a thing may have come of, oldest first. */
  expecting(thing: string): Promise<Request[]>;
  /** Open ones about a thing, and those that would still act on it; that one of them cannot be read is an error: nobody can say then that there is none. */
  about(thing: string): Promise<Request[]>;
  /** How many there are in each state that does not last. */
  counts(): Promise<Record<(typeof passing)[number] | "planned", number>>;
  /** The targets of a request for many. */
  targets: BulkTargets;
  /** Null for an input that says nothing. */
  seal(id: string, input: Record<string, unknown>): string | null;
  /** The sealed input; empty when it said nothing, or has been erased. */
  input(request: Request): Record<string, unknown>;
}

export const requestWake = "request:";
export const plannedWake = "planned:";
export const followWake = "follow:";
export const expectWake = "expect:";
export const bulkWake = "bulk:";
export const requestKind = "request";

const namespace = "requests";
const openIndex = "requests-open";
const plannedIndex = "requests-planned";
const fields: { [F in keyof Request]-?: z.ZodType<Request[F]> } = Request.shape;
const fieldNames = Request.keyof().options;

/** The states that no request stays in. */
const passing = ["pending", "claimed", "unknown", "working"] as const;
const inState = (state: (typeof passing)[number]) => `requests-${state}`;
/** What was taken in hand, by whichever process. */
export const claimedIndex = inState("claimed");

export function createRequestStore(deps: {
  store: Store;
  seal: Seal;
  audit: Audit;
  clock: Clock;
  log: Logger;
}): RequestStore {
  const { store, seal, audit, clock, log } = deps;
  const records = createRecords(store.values(namespace), {
    name: "request",
    schema: Request,
    version: 5,
    upcasts,
    log,
  });
  const isUntold = untold(store, requestKind);

  async function commit(before: Request | undefined, request: Request, along: Along): Promise<boolean> {
    // A copy may be kept as another text than what was read, and would never be what is there.
    if (before && !Object.isFrozen(before))
      throw new Error("A step goes on from what was read, and not from a copy of it");
    const { id, changedAt, expiresAt } = request;
    const ttlMs = Math.max(expiresAt, changedAt) + month - changedAt;
    return store.commit({
      record: { namespace, key: id, expected: before, value: request, ttlMs },
      index: indexChanges(before, request),
      append: along.note ? [audit.entryOf(request, along.note)] : [],
      wake: wakesOf(request, along, clock.now()),
    });
  }

  async function readAll(ids: string[]): Promise<Request[]> {
    const found = await Promise.all(ids.map((id) => records.get(id)));
    return found.filter((request) => request !== undefined);
  }

  /** For lists: one that cannot be read has been logged, and hides no other. */
  async function readable(ids: string[]): Promise<Request[]> {
    const found = await Promise.all(ids.map((id) => readAll([id]).catch(passOverUnreadable)));
    return found.flat();
  }

  async function membersOf(index: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const { member } of scanIndex(store.index(index))) ids.push(member);
    return ids;
  }

  async function page(index: string, query: Range, fits: (request: Request) => boolean) {
    const { entries, next } = await store.index(index).range(query);
    return { requests: (await readable(entries.map(({ member }) => member))).filter(fits), next };
  }

  return {
    read: (id) => records.get(id),
    async create(request, along) {
      const made = records.freeze(request.id, changed(request, request));
      if (!(await commit(undefined, made, along).catch((error: unknown) => notKept(error, log))))
        throw new Error("A request of this id is there already");
      isUntold(made.id);
      return made;
    },
    async advance(request, change, along = {}) {
      const changedAt = along.aside ? request.changedAt : clock.now();
      const next = records.freeze(request.id, changed(request, { ...change, changedAt }));
      return (await commit(request, next, along)) ? next : null;
    },
    open: (query) => page(openIndex, query, waits),
    planned: (query) => page(plannedIndex, query, ({ state }) => state === "planned"),
    async of(member) {
      const found = await readable(await membersOf(ofMember(member)));
      return found.filter((request) => isOpen(request) || request.state === "working");
    },
    expecting: async (thing) => readable(await membersOf(expectedOf(thing))),
    async about(thing) {
      return (await readAll(await membersOf(aboutThing(thing)))).filter(
        (request) => isOpen(request) || isCopying(request),
      );
    },
    async counts() {
      const count = (state: (typeof passing)[number]) => store.index(inState(state)).size();
      return {
        pending: await count("pending"),
        claimed: await count("claimed"),
        unknown: await count("unknown"),
        working: await count("working"),
        planned: await store.index(plannedIndex).size(),
      };
    },
    targets: createBulkTargets({ store, log }),
    seal: (id, input) => (Object.keys(input).length === 0 ? null : seal.seal(JSON.stringify(input), id)),
    input({ sealed, id }) {
      return sealed === null ? {} : Input.parse(JSON.parse(seal.open(sealed, id)));
    },
  };
}

/** The request with the change, and nothing in it that the schema does not know. What is no object is what its type says. */
function changed(request: Request, change: Partial<Request>): Request {
  const next = { ...request, ...change };
  function strip<F extends keyof Request>(field: F, schema: z.ZodType<Request[F]>): void {
    next[field] = schema.parse(change[field]);
  }
  for (const field of fieldNames)
    if (typeof change[field] === "object" && change[field] !== null) strip(field, fields[field]);
  return next;
}

/** It is written before anything is sent: where that fails, nothing was. */
function notKept(error: unknown, log: Logger): never {
  if (!(error instanceof StorageError)) throw error;
  log.error({ err: error }, "What was asked could not be written down");
  throw new Refusal(
    "I could not write this down, so nothing was sent and nothing changed. Tell who runs Rackbell: its disk may be full.",
  );
}

function wakesOf(
  { id, part }: Request,
  { lookAt, runAt, pollAt, stepAt, expectedBy, silent, aside }: Along,
  now: number,
): NonNullable<Batch["wake"]> {
  // What is done to one of many is told with the whole, which goes on with the next; what is heard of it is no step.
  const told = part && !aside ? `${bulkWake}${part.of}` : `${tellWake}${requestKind}:${part?.of ?? id}`;
  return [
    ...(silent ? [] : [{ id: told, at: now }]),
    ...(stepAt === undefined ? [] : [{ id: `${bulkWake}${id}`, at: stepAt }]),
    ...(lookAt === undefined ? [] : [{ id: `${requestWake}${id}`, at: lookAt }]),
    ...(runAt === undefined ? [] : [{ id: `${plannedWake}${id}`, at: runAt }]),
    ...(pollAt === undefined ? [] : [{ id: `${followWake}${id}`, at: pollAt }]),
    ...(expectedBy === undefined ? [] : [{ id: `${expectWake}${id}`, at: expectedBy }]),
  ];
}

function waits(request: Request): boolean {
  return (isOpen(request) && request.state !== "planned") || isToReview(request);
}

function passOverUnreadable(error: unknown): Request[] {
  if (error instanceof RecordUnreadable) return [];
  throw error;
}

const Input = z.record(z.string(), z.unknown());

const ofMember = (member: string) => `requests-of:${member}`;
const aboutThing = (thing: string) => `requests-about:${thing}`;
const expectedOf = (thing: string) => `requests-expecting:${thing}`;

/** Where a request is found from: while it is open by all, by who asked and by what it is about; while it goes on by who asked. */
function indexesOf(request: Request): { name: string; score: number | null }[] {
  const { createdAt, member, state, mode, planned } = request;
  const claimed = state === "claimed";
  // What is done at once waits for nobody: it is found by what was taken in hand, and else by nothing.
  const open = isOpen(request) && !(mode === "none" && claimed) ? createdAt : null;
  const putOff = state === "planned" ? (planned?.at ?? createdAt) : null;
  // What was run without approval stays among what waits until another admin has looked at it.
  const waits = (putOff === null ? open : null) ?? (isToReview(request) ? createdAt : null);
  const heardOf = mayBeHeardOf(request) ? createdAt : null;
  return [
    ...passing.map((one) => ({ name: inState(one), score: state === one ? createdAt : null })),
    { name: openIndex, score: waits },
    { name: plannedIndex, score: putOff },
    { name: aboutThing(thingOf(request)), score: isCopying(request) ? createdAt : open },
    { name: ofMember(member), score: state === "working" ? createdAt : open },
    { name: expectedOf(expectedAbout(request)), score: heardOf },
    { name: expectedOf(request.order ?? ""), score: request.order === null ? null : heardOf },
  ];
}

function indexChanges(before: Request | undefined, now: Request): NonNullable<Batch["index"]> {
  const then = before && indexesOf(before);
  return indexesOf(now)
    .filter(({ score }, at) => score !== (then?.[at]?.score ?? null))
    .map(({ name, score }) => ({ name, member: now.id, score }));
}
