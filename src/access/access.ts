// access/: who may do what with which key: members, sessions, scopes, the name index, and how fast a key may be used; the sentence of each error.
// May import: operation/, identities/, chat/, views/, platform/, platform/*, storage/, the clock.

import type { People } from "../chat/people.ts";
import type { Clock } from "../clock.ts";
import type { Identities, LinkSession } from "../identities/identities.ts";
import {
  allows,
  hasLink,
  hasScope,
  keyNames,
  type Link,
  type Links,
  permissionsMissing,
  slackUserOf,
} from "../identities/link.ts";
import type { Actor } from "../operation/call-context.ts";
import { Refusal, ScopeMissing } from "../operation/errors.ts";
import type { Operation, PlatformOperation } from "../operation/operation.ts";
import { type ApiName, keyRejected } from "../platform/http/errors.ts";
import { duration } from "../views/format.ts";
import { code, listing } from "../views/text.ts";
import { linkStep } from "./error-text.ts";

/** A member with their own key of one API. `links` has the keys of both APIs, because offers depend on all of them. */
export interface Session<A extends ApiName> extends LinkSession<A> {
  actor: Actor;
}

export interface Access {
  /**
   * Refuses guests, members of other organisations and deactivated accounts. `fresh` asks Slack and not the cache. `whose` names the
   * refused person when the reader is somebody else.
   */
  admit(user: string, options?: { fresh?: boolean; whose?: string }): Promise<void>;
  links(member: string): Promise<Links>;
  /** Refuses a member who may not use the app or has linked no key; the refusal explains how to link one. */
  requireLinked(who: { member: string; slackUser: string }): Promise<void>;
  /** The member's session, or a refusal that says how to link. */
  session<A extends ApiName>(member: string, api: A): Promise<Session<A>>;
  /** The member's session with exactly this key; null if the key was erased. Throws when the store cannot be read. */
  sessionOfKey<A extends ApiName>(member: string, api: A, keyId: string): Promise<Session<A> | null>;
  /** Reads the key's scopes and permissions from the platform again. Platform errors pass through. */
  refresh(member: string, api: ApiName): Promise<void>;
  /** True when the key was linked longer ago than `LINK_MAX_AGE` allows. */
  isOverdue(link: Pick<Link, "linkedAt">): boolean;
  /** Refuses an overdue key and explains how to link it again. `whose` names its owner when the reader is somebody else. */
  requireRecent(link: Link, options?: { whose?: string }): void;
  isAdmin(user: string): Promise<boolean>;
  /** Refuses who is no admin of the workspace. Asks Slack at each call. */
  requireAdmin(user: string): Promise<void>;
  /** The admins who can be notified: those of `ADMINS`, else the current admins among these users and all linked members. */
  admins(users: readonly string[]): Promise<string[]>;
  /** Marks the member's key as rejected if `error` says that the platform rejected it. */
  markRejected(member: string, error: unknown): Promise<void>;
}

export function createAccess(deps: {
  people: People;
  identities: Identities;
  admins: readonly string[];
  /** Milliseconds after which a link must be renewed; null means never. */
  linkMaxAgeMs: number | null;
  clock: Clock;
}): Access {
  const { people, identities, admins, linkMaxAgeMs, clock } = deps;

  function isOverdue({ linkedAt }: Pick<Link, "linkedAt">): boolean {
    return linkMaxAgeMs !== null && clock.now() - linkedAt >= linkMaxAgeMs;
  }

  function requireRecent({ api, keyLabel, linkedAt }: Link, { whose }: { whose?: string } = {}): void {
    if (linkMaxAgeMs === null || !isOverdue({ linkedAt })) return;
    const rule = `this workspace asks for that after ${duration(linkMaxAgeMs)}`;
    if (whose !== undefined)
      throw new Refusal(`${whose} must link their ${keyNames[api]} again: ${rule}. Nothing changed.`);
    throw new Refusal(
      `Link your ${keyNames[api]} ${code(keyLabel)} again, the same one or a new one: ${rule}. Nothing was sent.`,
      [{ ...linkStep, label: "Link it again" }],
    );
  }

  async function isAdmin(user: string): Promise<boolean> {
    if (admins.length > 0) return admins.includes(user);
    return (await people.person(user, { fresh: true })).admin;
  }

  async function admit(
    user: string,
    { fresh = false, whose }: { fresh?: boolean; whose?: string } = {},
  ): Promise<void> {
    const { outsider, deleted } = await people.person(user, { fresh });
    const standing = deleted ? "deactivated" : outsider;
    if (standing === null) return;
    throw new Refusal(whose ? `${whose} ${othersWords[standing]} Nothing was done.` : ownWords[standing]);
  }

  return {
    admit,
    async requireLinked({ member, slackUser }) {
      await admit(slackUser);
      if (!hasLink(await identities.links(member))) throw new Refusal(notLinked.customer, [linkStep]);
    },
    links: (member) => identities.links(member),
    isOverdue,
    requireRecent,
    isAdmin,
    async requireAdmin(user) {
      if (!(await isAdmin(user))) throw new Refusal("Only an admin of this workspace can do this. Nothing changed.");
    },
    async admins(users) {
      if (admins.length > 0) return [...admins];
      const linked = (await identities.all()).flatMap((links) => slackUserOf(links) ?? []);
      const found: string[] = [];
      for (const user of new Set([...users, ...linked])) if (await isAdmin(user).catch(() => false)) found.push(user);
      return found;
    },
    sessionOfKey: async (member, api, keyId) => sessionOf(await identities.sessionOfKey(member, api, keyId)),
    async session(member, api) {
      const session = sessionOf(await identities.session(member, api));
      if (!session) throw new Refusal(notLinked[api], [linkStep]);
      requireRecent(session.link);
      return session;
    },
    async refresh(member, api) {
      await identities.refresh(member, api);
    },
    async markRejected(member, error) {
      if (keyRejected(error)) await identities.markRejected(member, error.api);
    },
  };
}

const ownWords = {
  guest: "Guests of this workspace cannot use Rackbell: it acts with members' own keys.",
  "other organisation": "Members of other organisations cannot use Rackbell here.",
  deactivated: "This Slack account is deactivated.",
};

const othersWords = {
  guest: "is now a guest of this workspace.",
  "other organisation": "is a member of another organisation.",
  deactivated: "was deactivated.",
};

const notLinked: Record<ApiName, string> = {
  customer:
    "You have not linked a key yet. Rackbell acts with your own key of the hosting platform. It can do what your key can do, and no more.",
  reseller:
    "You have not linked a reseller key yet. Resold services are run with your own key of the reseller API, which begins with `rsk_`.",
};

function sessionOf<A extends ApiName>(opened: LinkSession<A> | null): Session<A> | null {
  return opened && { ...opened, actor: actorOf(opened.link) };
}

function actorOf(link: Link): Actor {
  const { member, slackUser, keyLabel } = link;
  return { member, slackUser, keyLabel, project: link.api === "customer" ? link.project : null };
}

/** The same session in another project, or in none. The reseller API has no projects. */
export const inProject: { [A in ApiName]: (session: Session<A>, project: Actor["project"]) => Session<A> } = {
  customer: ({ client, link, actor, links }, project) => ({
    client: client.in(project?.id ?? null),
    link: { ...link, project },
    links,
    actor: { ...actor, project },
  }),
  reseller: (session) => session,
};

/** True when the member's keys allow an operation. The API counts too, since both APIs have scopes of the same name. */
export function may(links: Links, operation: Operation): boolean {
  if (operation.api !== "app") return allows(links, operation);
  return operation.needs === undefined || links[operation.needs] !== null;
}

/** True when a button may offer an operation: the keys allow it, and a write to the reseller API could be signed. */
export function mayBeOffered(links: Links, operation: Operation): boolean {
  const isSigned = operation.api === "reseller" && !operation.act.route.startsWith("GET ");
  return may(links, operation) && !(isSigned && links.unsigned === true);
}

/** Refuses an operation that the key's scopes or the account's permissions do not allow, and names the missing ones. */
export function requireScope(operation: PlatformOperation, link: Link, links: Links): void {
  if (may(links, operation)) return;
  const wanted = permissionsMissing(links, operation);
  if (wanted && hasScope(links, operation))
    throw new Refusal(
      `Your account does not permit you ${code(operation.command)}: this needs ${listing(
        wanted.map((permission) => code(permission)),
        "or",
      )}. Nothing was sent. The account's owner can grant that in the panel.`,
    );
  const held = link.scopes.map((scope) => code(scope)).join(", ") || "none";
  throw new ScopeMissing(
    `${code(operation.command)} needs the scope ${code(operation.scope)}, and your ${keyNames[link.api]} ${code(link.keyLabel)} has ${held}. Nothing was sent. Scopes cannot be added to a key: make a new one in the panel, and link it.`,
    [linkStep],
  );
}
