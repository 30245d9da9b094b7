// members/access/: who may do what with which key: members, sessions, scopes, the name index, and how fast a key may be used.

import type { Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, ScopeMissing } from "../../operation/errors.ts";
import type { Operation, PlatformOperation } from "../../operation/operation.ts";
import { type ApiName, keyRejected } from "../../platform/http/errors.ts";
import type { Clock } from "../../process/clock.ts";
import { duration } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import type { Identities, LinkSession } from "../identities/identities.ts";
import { allows, hasLink, hasScope, keyNames, type Link, type Links, permissionsMissing } from "../identities/link.ts";
import type { SlackUsers } from "../slack-user.ts";

export const linkStep: Step = { label: "Link a key", command: "rackbell link", style: "primary" };

/** A member with their own key of one API. `links` has the keys of both APIs, because offers depend on all of them. */
export interface Session<A extends ApiName> extends LinkSession<A> {
  actor: Actor;
}

/** The parts of the app that say who is an admin. */
export interface AdminApp {
  people: SlackUsers;
  /** Slack users in `ADMINS`; empty means the workspace's own admins. */
  namedAdmins: readonly string[];
}

/** The parts of the app that say which members may use it, and with which keys. */
export interface AccessApp extends AdminApp {
  identities: Identities;
  /** Milliseconds after which a link must be renewed; null means never. */
  linkMaxAgeMs: number | null;
  clock: Clock;
  /** The panel's own pages, where their addresses are known: where API keys are made, and a service's, with `{id}`. */
  panel: { keysUrl?: string; serviceUrl?: string };
}

/**
 * Refuses guests, members of other organisations and deactivated accounts. `fresh` asks Slack and not the cache. `whose` names the
 * refused person when the reader is somebody else.
 */
export async function admit(
  { people }: Pick<AccessApp, "people">,
  user: string,
  { fresh = false, whose }: { fresh?: boolean; whose?: string } = {},
): Promise<void> {
  const { outsider, deleted } = await people.person(user, { fresh });
  const standing = deleted ? "deactivated" : outsider;
  if (standing === null) return;
  throw new Refusal(whose ? `${whose} ${othersWords[standing]} Nothing was done.` : ownWords[standing]);
}

/** Refuses a member who may not use the app or has linked no key; the refusal explains how to link one. */
export async function requireLinked(
  app: Pick<AccessApp, "people" | "identities" | "panel">,
  { member, slackUser }: { member: string; slackUser: string },
): Promise<void> {
  await admit(app, slackUser);
  if (!hasLink(await app.identities.links(member))) throw new Refusal(notLinkedWords(app), [linkStep]);
}

/** True when the key was linked longer ago than `LINK_MAX_AGE` allows. */
export function isOverdue(
  { linkMaxAgeMs, clock }: Pick<AccessApp, "linkMaxAgeMs" | "clock">,
  { linkedAt }: Pick<Link, "linkedAt">,
): boolean {
  return linkMaxAgeMs !== null && clock.now() - linkedAt >= linkMaxAgeMs;
}

/** True for a key by which its member may see and decide: the platform did not reject it last, and it is recent. */
export function isKeyUsable(app: Pick<AccessApp, "linkMaxAgeMs" | "clock">, link: Link): boolean {
  return link.rejectedAt === null && !isOverdue(app, link);
}

/** Refuses an overdue key and explains how to link it again. `whose` names its owner when the reader is somebody else. */
export function requireRecent(
  app: Pick<AccessApp, "linkMaxAgeMs" | "clock">,
  { api, keyLabel, linkedAt }: Link,
  { whose }: { whose?: string } = {},
): void {
  if (app.linkMaxAgeMs === null || !isOverdue(app, { linkedAt })) return;
  const rule = `this workspace asks for that after ${duration(app.linkMaxAgeMs)}`;
  if (whose !== undefined)
    throw new Refusal(`${whose} must link their ${keyNames[api]} again: ${rule}. Nothing changed.`);
  throw new Refusal(
    `Link your ${keyNames[api]} ${code(keyLabel)} again, the same one or a new one: ${rule}. Nothing was sent.`,
    [{ ...linkStep, label: "Link it again" }],
  );
}

/** The parts of the app that open a session with a member's key. */
export type SessionApp = Pick<AccessApp, "identities" | "linkMaxAgeMs" | "clock" | "panel">;

/**
 * The member's session, or a refusal that says how to link. A key that the platform rejected is tried first: it throws that error, since a
 * list in memory would go on to answer, and is cleared once the platform accepts it again.
 */
export async function requireSession<A extends ApiName>(app: SessionApp, member: string, api: A): Promise<Session<A>> {
  const session = withActor(await app.identities.session(member, api));
  if (!session) throw new Refusal(notLinkedWords(app, api), [linkStep]);
  requireRecent(app, session.link);
  if (session.link.rejectedAt === null) return session;
  await app.identities.refresh(member, api);
  return requireSession(app, member, api);
}

/** The member's session with exactly this key; null if the key was erased. Throws when the store cannot be read. */
export async function sessionOfKey<A extends ApiName>(
  { identities }: Pick<AccessApp, "identities">,
  member: string,
  api: A,
  keyId: string,
): Promise<Session<A> | null> {
  return withActor(await identities.sessionOfKey(member, api, keyId));
}

/** Marks the key of a call as rejected if `error` says that the platform rejected it. */
export async function markRejected(
  { identities }: Pick<AccessApp, "identities">,
  { member, keyId }: Pick<Link, "member" | "keyId">,
  error: unknown,
): Promise<void> {
  if (keyRejected(error)) await identities.markRejected(member, error.api, keyId);
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

/** The one thing that a member without a key does next, as mrkdwn. Home and every refusal for want of a key say it in these words. */
export function notLinkedWords(app: Pick<AccessApp, "panel">, api: ApiName = "customer"): string {
  if (api === "reseller")
    return "You have not linked a reseller key yet. Make a narrow one in the reseller portal, under API Settings (`rsk_…`), and link it here.";
  return `You have not linked a key yet. Make a narrow one ${panelLink(app)} and link it here: Rackbell can do what your key can do, and no more.`;
}

/** "in the panel", as a link to its page of API keys if that is known. */
export function panelLink({ panel: { keysUrl } }: Pick<AccessApp, "panel">): string {
  return keysUrl ? `<${keysUrl}|in the panel>` : "in the panel (Profile, API Keys)";
}

function withActor<A extends ApiName>(opened: LinkSession<A> | null): Session<A> | null {
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
  return may(links, operation) && !(isSigned(operation) && links.unsigned === true);
}

/** True for a write to the reseller API, which must be signed. Reseller spec section 5.1. */
export function isSigned(operation: Operation): boolean {
  return operation.api === "reseller" && !operation.act.route.startsWith("GET ");
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
