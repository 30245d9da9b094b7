import type { Clock } from "../clock.ts";
import type { Link, Links } from "../identities/link.ts";
import type { Json, Progress } from "../operation/answer.ts";
import type { Actor, Asking, Choice } from "../operation/asking.ts";
import type { BulkCall, BulkRead, Several } from "../operation/bulk.ts";
import type { CopyOffer, LastCopy } from "../operation/copy.ts";
import type {
  Act,
  ApiOperation,
  BeginCall,
  CustomerOperation,
  PlatformOperation,
  PollCall,
} from "../operation/operation.ts";
import { type Registry, topicOf } from "../operation/registry.ts";
import type { Entry, Listing } from "../operation/target.ts";
import type { Pressed, Turn, WizardPage } from "../operation/wizard.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { Budget } from "../platform/http/transport.ts";
import { SigningSecretMissing } from "../platform/reseller/client.ts";
import { type Access, inProject, may, requireScope, type Session } from "./access.ts";
import type { Directory, Known } from "./directory.ts";
import { resolveTarget, type Target } from "./resolve.ts";

type Own<Call> = Omit<Call, keyof Asking<ApiName>>;

/**
 * An operation together with the key that it runs with. Which API that is has been settled by then, so that nothing that works with one
 * of these can confuse two keys or two clients.
 */
export interface BoundOperation {
  operation: PlatformOperation;
  actor: Actor;
  link: Link;
  links: Links;
  /** Whether the member's keys allow an operation, by its command. */
  may(command: string): boolean;
  budget(): Budget | undefined;
  begin(call: Own<BeginCall<ApiName>>): Promise<Act>;
  /** What it is made of on many; only for an operation that can be done to many. */
  readBulk(call: Own<BulkCall<ApiName>>): Promise<BulkRead>;
  poll(call: Omit<PollCall<ApiName>, "client" | "actor">, handle: unknown): Promise<Progress>;
  choices(field: string, targetId: string | null): Promise<Choice[]>;
  /** Refuses what would be refused on this target whatever else is said. */
  usable(targetId: string): Promise<void>;
  /** What is said of a copy of the target that comes first; null where the operation takes none, or none can be taken. */
  offerCopy(targetId: string, last: LastCopy | null): Promise<CopyOffer | null>;
  explainMissing(targetId: string): Promise<string | null>;
  /** What a member means by a target's name, or by words that may be names of several; only for an operation that has targets. */
  resolve(typed: string, several?: Several): Promise<Target>;
  /** All that the operation's target can be; empty where it has none. */
  listing(options?: { fresh?: boolean }): Promise<Listing>;
  /** What a filter by project is matched against; null where that is what the rows say. */
  projects(): Promise<Entry[] | null>;
  /** What is known of that by now, without waiting. */
  known(): Known;
  /** Reads one target now, by its id. */
  look(targetId: string): Promise<Entry>;
  /** What it uses now, in percent by figure; null where the contract names no figure of its kind. */
  usage(targetId: string): Promise<Record<string, number | null> | null>;
  wizard: BoundWizard | null;
  /** The same in another project, or in none: what was asked for in one is done in that one. */
  in(project: Actor["project"]): BoundOperation;
}

/** The form in pages of a bound operation. */
export interface BoundWizard {
  begin(input: Record<string, unknown>): Promise<Turn>;
  /** The draft as a template, with the name that it asks for; null where it asks for none. */
  template(draft: Json): Promise<{ name: string; saved: Json } | null>;
  /** Null where the form knows no templates. */
  fromTemplate(saved: Json): Promise<Turn> | null;
  view(page: string, draft: Json): Promise<WizardPage>;
  next(page: string, draft: Json, pressed: Pressed | null): Promise<Turn>;
  suggest(page: string, draft: Json, field: string, query: string): Promise<Choice[]>;
}

/** With what something was begun. */
export interface Pinned {
  member: string;
  keyId: string;
  project: Actor["project"];
}

export interface Binder {
  /** Binds an operation to the member's key of its API, or refuses: no such key, a scope that it lacks, or nothing to sign with. */
  bind(operation: PlatformOperation, member: string): Promise<BoundOperation>;
  /**
   * Binds to the very key and project that something was begun with: to look after it, whatever was linked since. Null where that key is
   * no longer kept.
   */
  bindPinned(operation: PlatformOperation, pinned: Pinned): Promise<BoundOperation | null>;
}

/** The act itself comes first among the routes, and whatever is no reading is signed. Reseller spec section 5.1. */
function isSigned({ routes: [act = ""] }: PlatformOperation): boolean {
  return !act.startsWith("GET ");
}

/** What only reads answers for each of a few. */
const mostAtOnce = 10;

function takesSeveral({ bulk, risk }: PlatformOperation, names: readonly string[]): boolean {
  return bulk !== null || (risk === "read" && names.length <= mostAtOnce);
}

/** Milliseconds that an account's permissions are taken for what they still are. */
const believed = 60_000;

export function createBinder(deps: { access: Access; directory: Directory; registry: Registry; clock: Clock }): Binder {
  const { access, directory, registry, clock } = deps;

  function bound<A extends ApiName>(
    operation: ApiOperation<A> & PlatformOperation,
    session: Session<A>,
  ): BoundOperation {
    const { client, actor, link, links } = session;
    const asking: Asking<A> = {
      client,
      actor,
      may: (command) => {
        const other = registry.find(command);
        return other !== undefined && may(links, other);
      },
      listing: (kind, options) => directory.listing(session, kind, options),
    };
    const { target, wizard } = operation;
    return {
      operation,
      actor,
      link,
      links,
      may: asking.may,
      budget: () => client.budget(),
      begin: (call) => operation.begin({ ...asking, ...call }),
      async readBulk(call) {
        if (!operation.bulk) throw new Error(`${operation.command} is for one at a time`);
        return operation.bulk.read({ ...asking, ...call });
      },
      poll: (call, handle) => operation.poll({ client, actor, ...call }, handle),
      choices: (field, targetId) => operation.choices(field, { ...asking, targetId }),
      usable: (targetId) => operation.usable({ ...asking, targetId }),
      offerCopy: async (targetId, last) => operation.copy?.offer({ ...asking, targetId, last }) ?? null,
      explainMissing: (targetId) => operation.explainMissing(client, targetId),
      async resolve(typed, several) {
        if (!target) throw new Error(`${operation.command} has no target`);
        return resolveTarget(directory, session, target, typed, {
          topic: topicOf(operation),
          several: several && "names" in several && takesSeveral(operation, several.names) ? several.names : [],
        });
      },
      listing: async (options) => (target ? directory.listing(session, target, options) : { entries: [], at: 0 }),
      projects: async () => (target?.projects ? (await directory.listing(session, target.projects)).entries : null),
      known: () => (target ? directory.known(session, target) : { entries: [], at: null }),
      async look(targetId) {
        if (!target) throw new Error(`${operation.command} has no target`);
        return target.look(client, targetId);
      },
      usage: async (targetId) => (await target?.usage?.read(client, targetId)) ?? null,
      wizard: wizard && {
        begin: (input) => wizard.begin(asking, input),
        async template(draft) {
          const name = wizard.template?.name(draft) ?? null;
          return wizard.template && name !== null ? { name, saved: await wizard.template.save(asking, draft) } : null;
        },
        fromTemplate: (saved) => wizard.template?.begin(asking, saved) ?? null,
        view: (page, draft) => wizard.view(asking, page, draft),
        next: (page, draft, pressed) => wizard.next(asking, page, draft, pressed),
        suggest: (page, draft, field, query) => wizard.suggest(asking, page, draft, field, query),
      },
      in: (project) => bound(operation, inProject[operation.api](session, project)),
    };
  }

  /** What the account permits may have changed since it was read: it is asked anew before anything is refused for it, or asked in public. */
  async function customerSession(operation: CustomerOperation, member: string): Promise<Session<"customer">> {
    const session = await access.session(member, "customer");
    const { permissions, checkedAt } = session.link;
    const asked = operation.risk === "spend" || operation.risk === "destroy";
    if (permissions === null || clock.now() - checkedAt < believed) return session;
    if (!asked && may(session.links, operation)) return session;
    await access.refresh(member, "customer");
    return access.session(member, "customer");
  }

  return {
    async bind(operation, member) {
      if (operation.api === "customer") {
        const session = await customerSession(operation, member);
        requireScope(operation, session.link, session.links);
        return bound(operation, session);
      }
      const session = await access.session(member, operation.api);
      requireScope(operation, session.link, session.links);
      // Before a form is filled in for nothing.
      if (isSigned(operation) && !session.client.signs) throw new SigningSecretMissing();
      return bound(operation, session);
    },
    async bindPinned(operation, { member, keyId, project }) {
      if (operation.api === "customer") {
        const session = await access.sessionOfKey(member, operation.api, keyId);
        return session && bound(operation, inProject.customer(session, project));
      }
      const session = await access.sessionOfKey(member, operation.api, keyId);
      return session && bound(operation, session);
    },
  };
}
