import type { Act } from "../../operation/act.ts";
import type { Answer, Reconciled, Step } from "../../operation/answer.ts";
import type { BulkSelection } from "../../operation/bulk.ts";
import type { Actor, CallContext, Choice } from "../../operation/call-context.ts";
import type {
  ApiOperation,
  BoundCalls,
  CustomerOperation,
  Operation,
  PlatformOperation,
} from "../../operation/operation.ts";
import { type Registry, topicOf } from "../../operation/registry.ts";
import { clockTime } from "../../operation/schedule-input.ts";
import type { Entry, IndexedEntries, IndexedKind } from "../../operation/target.ts";
import type { Budget } from "../../platform/http/budget.ts";
import { type ReadObserver, SigningSecretMissing } from "../../platform/http/client.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { oncePer } from "../../process/once-per.ts";
import { momentIn, undatedWords } from "../../views/format.ts";
import type { Link, LinkOf, Links } from "../identities/link.ts";
import {
  inProject,
  isSigned,
  may,
  mayBeOffered,
  requireScope,
  requireSession,
  type Session,
  type SessionApp,
  sessionOfKey,
} from "./access.ts";
import { type NameIndex, type PartialList, readWholeList } from "./name-index.ts";
import { findByName, resolveTarget, type Target } from "./resolve.ts";
import type { ScheduleApp } from "./when.ts";

/** An operation with the member's key that it runs with. Binding fixes the API, so that later code cannot mix two keys or clients. */
export interface BoundOperation extends BoundCalls {
  operation: PlatformOperation;
  actor: Actor;
  link: Link;
  links: Links;
  /** True when the member's keys allow the operation of this command. */
  may(command: string): boolean;
  budget(): Budget | undefined;
  /** Finds the target that a member typed, or several if the words can be several names. Throws for an operation without targets. */
  resolve(typed: string, several?: BulkSelection): Promise<Target>;
  /** All resources that can be the operation's target; empty for an operation without targets. */
  listing(options?: { fresh?: boolean }): Promise<IndexedEntries>;
  /** The projects that a filter is matched against; null when it is matched against the rows' own project names. */
  projects(): Promise<Entry[] | null>;
  /** The targets that were read so far, without waiting. */
  known(): PartialList;
  /** Targets that the platform finds by these exact names; empty if the spec has no route for that. */
  find(names: readonly string[]): Promise<Entry[]>;
  /** Reads one target now, by its id. */
  look(targetId: string): Promise<Entry>;
  /** The target's present usage in percent, by figure; null when the API has no figures for its kind. */
  usage(targetId: string): Promise<Record<string, number | null> | null>;
  /** The same operation in another project, or in none. A request runs in the project in which it was made. */
  in(project: Actor["project"]): BoundOperation;
}

/** An act, and the operation that it was begun with, bound to the requester's key. */
export interface BoundAct {
  bound: BoundOperation;
  act: Act;
}

/** The key and project with which a request or job was begun. */
export interface Pinned {
  member: string;
  keyId: string;
  project: Actor["project"];
}

/** The parts of the app that bind an operation to a member's key. */
export interface BindingApp extends SessionApp, ScheduleApp {
  registry: Registry;
  nameIndex: NameIndex;
}

/**
 * Binds an operation to the member's key of its API. Refuses without a key, without the scope, or without a secret to sign with.
 * `observer` sees all reads of its client.
 */
export async function bind(
  app: BindingApp,
  operation: PlatformOperation,
  member: string,
  observer?: ReadObserver,
): Promise<BoundOperation> {
  if (operation.api === "customer") {
    const session = await customerSession(app, operation, member);
    requireScope(operation, session.link, session.links);
    return bindWith(app, operation, session, observer);
  }
  const session = await requireSession(app, member, operation.api);
  requireScope(operation, session.link, session.links);
  // Refuse before the member fills in a form that could not be sent.
  if (isSigned(operation) && !session.client.signs) throw new SigningSecretMissing();
  return bindWith(app, operation, session, observer);
}

/** Binds it for a member whose key lacks the scope: they may look at what they ask a colleague to act on. */
export async function bindToRead(
  app: BindingApp,
  operation: PlatformOperation,
  member: string,
): Promise<BoundOperation> {
  return operation.api === "customer"
    ? bindWith(app, operation, await requireSession(app, member, operation.api))
    : bindWith(app, operation, await requireSession(app, member, operation.api));
}

/**
 * Binds to exactly the key and project with which something was begun, even if the member linked another key since. Null when that key
 * was erased.
 */
export async function bindPinned(
  app: BindingApp,
  operation: PlatformOperation,
  { member, keyId, project }: Pinned,
): Promise<BoundOperation | null> {
  if (operation.api === "customer") {
    const session = await sessionOfKey(app, member, operation.api, keyId);
    return session && bindWith(app, operation, inProject.customer(session, project));
  }
  const session = await sessionOfKey(app, member, operation.api, keyId);
  return session && bindWith(app, operation, session);
}

/** A read without bulk accepts at most this many targets and answers for each. */
const mostAtOnce = 10;

function takesSeveral({ bulk, risk }: PlatformOperation, names: readonly string[]): boolean {
  return bulk !== undefined || (risk === "read" && names.length <= mostAtOnce);
}

/** Milliseconds for which the account's permissions are trusted after a read. */
const believed = 60_000;

/** Adds each choice's time in the member's zone: Slack shows choices as plain text and cannot localise a date. */
async function withMoments({ zoneOf, clock }: ScheduleApp, choices: Choice[], { slackUser }: Actor): Promise<Choice[]> {
  if (choices.every(({ at }) => at === undefined)) return choices;
  const zone = await zoneOf(slackUser);
  return choices.map(({ at, ...choice }) => {
    if (at === undefined) return choice;
    const instant = momentIn(at);
    const time = instant === null ? undatedWords(at) : clockTime(instant, zone, clock.now());
    return { ...choice, description: [time, ...(choice.description ? [choice.description] : [])].join(" · ") };
  });
}

const confinementOf: { [A in ApiName]: (link: LinkOf[A]) => CallContext<A>["confinedTo"] } = {
  customer: ({ bound }) => bound,
  reseller: ({ bound }) => bound,
};

/**
 * An observed operation reads the lists of its answer anew, so that the observer sees them. Names are found with the plain client: the
 * index stores its viewers, and a person must not wait for the turns of an agent.
 */
function bindWith<A extends ApiName>(
  app: BindingApp,
  operation: ApiOperation<A> & PlatformOperation,
  plain: Session<A>,
  observer?: ReadObserver,
): BoundOperation {
  const { registry, nameIndex, clock } = app;
  const session = observed(plain, observer);
  const { client, actor, link, links } = session;
  const names = observer ? countedIndex(nameIndex, observer) : nameIndex;
  const commandBy = (allows: typeof may) => (command: string) => {
    const other = registry.find(command);
    return other !== undefined && allows(links, other);
  };
  const asking: CallContext<A, string> = {
    client,
    actor,
    may: commandBy(mayBeOffered),
    changesState(command) {
      const other = registry.find(command);
      return other !== undefined && other.risk !== "read" && (other.target?.states.length ?? 0) > 0;
    },
    confinedTo: confinementOf[operation.api](link),
    listing(kind, { everywhere = false, ...options } = {}) {
      const viewer = everywhere ? inProject[operation.api](session, null) : session;
      return observer ? readWholeList(viewer.client, kind, clock) : nameIndex.listing(viewer, kind, options);
    },
  };
  const { target }: ApiOperation<A> = operation;
  const calls = indexingWrites<A>(app, operation, session, operation.bind(asking));
  return {
    ...calls,
    operation,
    actor,
    link,
    links,
    // A bulk or a schedule that goes on asks what the key may do: a missing signing secret has a refusal of its own.
    may: commandBy(may),
    budget: () => client.budget(),
    choices: async (field, targetId, given) => withMoments(app, await calls.choices(field, targetId, given), actor),
    async resolve(typed, several) {
      if (!target) throw new Error(`${operation.command} has no target`);
      return resolveTarget(names, plain, target, typed, {
        topic: topicOf(operation),
        several: several && "names" in several && takesSeveral(operation, several.names) ? several.names : [],
        now: clock.now(),
      });
    },
    listing: async (options) => (target ? names.listing(plain, target, options) : { entries: [], unnamed: 0, at: 0 }),
    projects: async () => (target?.projects ? (await names.listing(plain, target.projects)).entries : null),
    known: () => (target ? nameIndex.known(session, target) : { entries: [], at: null }),
    find: async (names) => (target ? findByName(nameIndex, session, target, names) : []),
    async look(targetId) {
      if (!target) throw new Error(`${operation.command} has no target`);
      return target.look(client, targetId);
    },
    usage: async (targetId) => (await target?.usage?.read(client, targetId)) ?? null,
    in: (project) => bindWith(app, operation, inProject[operation.api](plain, project), observer),
  };
}

/**
 * The account's permissions may have changed since they were read. They are read again before a refusal, and before a spend or a
 * destroy, which others get to see.
 */
async function customerSession(
  app: SessionApp,
  operation: CustomerOperation,
  member: string,
): Promise<Session<"customer">> {
  const session = await requireSession(app, member, "customer");
  const { permissions, checkedAt } = session.link;
  const asked = operation.risk === "spend" || operation.risk === "destroy";
  if (permissions === null || app.clock.now() - checkedAt < believed) return session;
  if (!asked && may(session.links, operation)) return session;
  await app.identities.refresh(member, "customer");
  return requireSession(app, member, "customer");
}

/** The name index whose reads the observer admits: the list, and perhaps a search by the name itself. */
function countedIndex(nameIndex: NameIndex, observer: ReadObserver): NameIndex {
  return {
    ...nameIndex,
    async listing(viewer, kind, options) {
      if (options?.fresh) await observer.before();
      if (options?.fresh || nameIndex.known(viewer, kind).at === null) await observer.before();
      return nameIndex.listing(viewer, kind, options);
    },
  };
}

function observed<A extends ApiName>(session: Session<A>, observer: ReadObserver | undefined): Session<A> {
  return observer ? { ...session, client: session.client.observed(observer) } : session;
}

/**
 * Adds to the calls of an operation: after a write, the name index gets each resource to which the answer has a button, and the target
 * that the write may have renamed. A member types the name that the app just showed to them; a large list is read too rarely to have it.
 */
function indexingWrites<A extends ApiName>(
  { nameIndex, registry }: { nameIndex: NameIndex; registry: Registry },
  operation: ApiOperation<A>,
  session: Session<A>,
  calls: BoundCalls,
): BoundCalls {
  if (operation.risk === "read") return calls;

  function addNew(kind: IndexedKind<A>, id: string): void {
    const { entries } = nameIndex.known(session, kind.among?.kind ?? kind);
    if (!idsOf(entries).has(id)) nameIndex.add(session, kind, id, () => kind.look(session.client, id));
  }

  function addTargets(next: readonly Step[] = []): void {
    for (const { command, target } of next) {
      const other = registry.find(command);
      if (target !== undefined && other && isOf(operation.api, other) && other.target) addNew(other.target, target);
    }
  }

  async function indexed<R extends Pick<Answer | Reconciled, "next">>(call: Promise<R>): Promise<R> {
    try {
      const result = await call;
      addTargets(result.next);
      return result;
    } finally {
      // After a lost answer, too: the resource may be there.
      await nameIndex.wrote(session);
    }
  }

  return {
    ...calls,
    async begin(call) {
      const act = await calls.begin(call);
      return {
        ...act,
        async run(before) {
          const answer = await indexed(act.run(before));
          const { target } = operation;
          const id = act.target?.id;
          if (operation.renames && target && id)
            nameIndex.add(session, target, id, () => target.look(session.client, id));
          return answer;
        },
        reconcile: (...was) => indexed(act.reconcile(...was)),
      };
    },
    async poll(call, handle) {
      const progress = await calls.poll(call, handle);
      addTargets(progress.next);
      if (progress.state !== "working") await nameIndex.wrote(session);
      return progress;
    },
  };
}

/** A search for each step of each answer took a twentieth of a command with 4,000 machines. */
const idsOf = oncePer((entries: readonly Entry[]) => new Set(entries.map(({ id }) => id)));

function isOf<A extends ApiName>(api: A, operation: Operation): operation is ApiOperation<A> & PlatformOperation {
  return operation.api === api;
}
