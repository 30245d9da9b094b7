import type { Clock } from "../../clock.ts";
import type { Identities, Linked, Refreshed } from "../../identities/identities.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import type { Act, Fact, Json, Operation } from "../../operation/operation.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { SealBroken } from "../../storage/errors.ts";
import { code } from "../../views/text.ts";
import { type Access, actorOf, inProject, requireScope, type Session } from "../access.ts";
import { errorText, keyOf } from "../answers/error-text.ts";
import type { Origin } from "../answers/origin.ts";
import type { Request } from "./request.ts";
import type { RequestRun } from "./run.ts";

/** What is checked at the press, live: who presses, who asked, and the facts. */
export interface RequestChecks {
  /** Refuses who may not press, with the reason. */
  presser(request: Request, operation: Operation, origin: Origin): Promise<void>;
  /** The requester's session, if they still are who asked. */
  requester(request: Request): Promise<Session | null>;
  /** Reads what the request was pinned to, as it is now, with the requester's key. */
  facts(
    request: Request,
    operation: Operation,
    session: Session,
  ): Promise<{ act: Act; before: Json } | { changed: string }>;
}

interface Deps {
  access: Access;
  identities: Identities;
  run: RequestRun;
  clock: Clock;
}

export function createRequestChecks({ access, identities, run, clock }: Deps): RequestChecks {
  async function presser(request: Request, operation: Operation, origin: Origin): Promise<void> {
    await access.admit(origin.slackUser);
    if (request.mode === "self") {
      if (origin.member !== request.member)
        throw new Refusal(`Only <@${request.slackUser}> can press this: it runs with their key.`);
      return;
    }
    if (origin.member === request.member) throw new Refusal("Somebody else must approve this: you asked for it.");
    const session = await access.session(origin.member);
    if (!isPeer(request, session.linked))
      throw new Refusal(
        "You are linked as the same user of the platform as the one who asked, so you do not count as somebody else.",
      );
    const refreshed = await refreshedOf(origin.member);
    requireScope(operation, actorOf(refreshed?.linked ?? session.linked));
    await canSee(request, session, operation);
  }

  async function refreshedOf(member: string): Promise<Refreshed | null> {
    try {
      return await identities.refresh(member);
    } catch (error) {
      await access.markRejected(member, error);
      throw error;
    }
  }

  async function canSee(request: Request, session: Session, operation: Operation): Promise<void> {
    try {
      // As the requester saw it, whatever project the approver works in.
      await run.begin(request, inProject(session, request.project), operation);
    } catch (error) {
      if (!isGone(error)) throw error;
      throw new Refusal(
        `Your key cannot see ${request.target ? code(request.target.name) : "what this is about"}, so you cannot approve this. Nothing was done.`,
      );
    }
  }

  async function requester(request: Request): Promise<Session | null> {
    const session = await access.sessionIfLinked(request.member);
    if (!session) return null;
    const { keyId, user } = session.linked;
    const same = keyId === request.keyId && user.id === request.platformUser;
    return same ? inProject(session, request.project) : null;
  }

  async function facts(
    request: Request,
    operation: Operation,
    session: Session,
  ): Promise<{ act: Act; before: Json } | { changed: string }> {
    try {
      const act = await run.begin(request, session, operation);
      const { material, before } = await act.review();
      const changes = changesBetween(request.material, material);
      return changes.length === 0 ? { act, before } : { changed: changedWords(changes.join(" ")) };
    } catch (error) {
      await access.markRejected(request.member, error);
      const { text } = errorText(error, clock.now(), keyOf(request.slackUser));
      if (isGone(error)) return { changed: changedWords(text) };
      if (error instanceof SealBroken)
        return {
          changed: "What was asked can no longer be opened, so nothing was done. Ask again if it is still wanted.",
        };
      throw new Refusal(text);
    }
  }

  return { presser, requester, facts };
}

/** What the request was about is no longer there. */
function isGone(error: unknown): boolean {
  return error instanceof InputError || (error instanceof PlatformRefused && error.status === 404);
}

function changedWords(changes: string): string {
  return `Something changed since this was asked, so nothing was done. ${changes} Ask again if it is still wanted.`;
}

/** Another person: neither the same member, nor the same user of the platform, nor the same key. */
export function isPeer(request: Request, linked: Linked): boolean {
  return linked.member !== request.member && linked.user.id !== request.platformUser && linked.keyId !== request.keyId;
}

function changesBetween(before: Fact[], now: Fact[]): string[] {
  const labels = new Set([...before, ...now].map(({ label }) => label));
  return [...labels].flatMap((label) => {
    const was = before.find((fact) => fact.label === label)?.value ?? "nothing";
    const is = now.find((fact) => fact.label === label)?.value ?? "nothing";
    return was === is ? [] : [`*${label}* was ${was} and is now ${is}.`];
  });
}
