import type { People } from "../chat/people.ts";
import { type Identities, keyRefused, type Linked } from "../identities/identities.ts";
import { Refusal } from "../operation/errors.ts";
import type { Actor, Operation } from "../operation/operation.ts";
import type { Client } from "../platform/http/transport.ts";
import { code } from "../views/text.ts";
import { linkStep } from "./answers/error-text.ts";

/** A member with their own key, ready to act. */
export interface Session {
  linked: Linked;
  actor: Actor;
  client: Client;
}

export interface Access {
  /** Refuses guests, members of other organisations and deactivated ones. */
  admit(user: string): Promise<void>;
  /** The member's session, or a refusal that says how to link. */
  session(member: string): Promise<Session>;
  /** The member's session, or null when they are not linked; a store that cannot be read is an error, and not that. */
  sessionIfLinked(member: string): Promise<Session | null>;
  isAdmin(user: string): Promise<boolean>;
  /** Remembers it when the platform refused a member's key. */
  markRejected(member: string, error: unknown): Promise<void>;
}

export function createAccess(deps: { people: People; identities: Identities; admins: readonly string[] }): Access {
  const { people, identities, admins } = deps;

  async function sessionIfLinked(member: string): Promise<Session | null> {
    const own = await identities.session(member);
    return own && { ...own, actor: actorOf(own.linked) };
  }

  return {
    sessionIfLinked,
    async admit(user) {
      const { outsider, deleted } = await people.person(user);
      if (outsider === "guest")
        throw new Refusal("Guests of this workspace cannot use Rackbell: it acts with members' own keys.");
      if (outsider) throw new Refusal("Members of other organisations cannot use Rackbell here.");
      if (deleted) throw new Refusal("This Slack account is deactivated.");
    },
    async session(member) {
      const session = await sessionIfLinked(member);
      if (!session) {
        throw new Refusal(
          "You have not linked a key yet. Rackbell acts with your own key of the hosting platform, so that it can do what you can do and no more.",
          [linkStep],
        );
      }
      return session;
    },
    async isAdmin(user) {
      if (admins.length > 0) return admins.includes(user);
      return (await people.person(user, { fresh: true })).admin;
    },
    async markRejected(member, error) {
      if (keyRefused(error)) await identities.markRejected(member);
    },
  };
}

export function actorOf(linked: Linked): Actor {
  const { member, slackUser, scopes, keyLabel, project } = linked;
  return { member, slackUser, scopes, keyLabel, project };
}

/** The same session in another project, or in none: what was asked for in one is done in that one. */
export function inProject(session: Session, project: Actor["project"]): Session {
  const { client, linked, actor } = session;
  return {
    client: client.in(project?.id ?? null),
    linked: { ...linked, project },
    actor: { ...actor, project },
  };
}

/** Refuses early when the key cannot do it, and names the missing scope. */
export function requireScope(operation: Operation, actor: Actor): void {
  if (!operation.scope || actor.scopes.includes(operation.scope)) return;
  throw new Refusal(
    `${code(operation.command)} needs the scope ${code(operation.scope)}, and your key ${code(actor.keyLabel)} has ${actor.scopes.map((scope) => code(scope)).join(", ") || "none"}. Nothing was sent. Scopes cannot be added to a key: make a new one in the panel, and link it.`,
    [linkStep],
  );
}
