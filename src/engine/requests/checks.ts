import type { Clock } from "../../clock.ts";
import type { Identities } from "../../identities/identities.ts";
import { areTwoPeople, type Links } from "../../identities/link.ts";
import type { Fact, Json } from "../../operation/answer.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import type { Act, PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { SealBroken } from "../../storage/errors.ts";
import { code } from "../../views/text.ts";
import type { Access } from "../access.ts";
import { errorText, keyOf } from "../answers/error-text.ts";
import type { Origin } from "../answers/origin.ts";
import type { Binder, BoundOperation } from "../bound.ts";
import { beginRequest } from "./begin.ts";
import { priceOf } from "./create.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/** What is checked at the press, live: who presses, who asked, and the facts. */
export interface RequestChecks {
  /** Its operation; null where this version no longer has it. */
  operation(request: Pick<Request, "command">): PlatformOperation | null;
  /** Refuses who may not press, with the reason. */
  presser(request: Request, operation: PlatformOperation, who: Who): Promise<void>;
  /** Refuses who may not run it without the approval of others, with the reason. */
  glassBreaker(request: Request, operation: PlatformOperation, who: Who): Promise<void>;
  /** Refuses who could not do such a thing themselves. */
  able(operation: PlatformOperation, who: Who): Promise<void>;
  /** Refuses where who asked may use Rackbell no more. */
  asker(request: Request): Promise<void>;
  /** The operation with the requester's key, if they still are who asked. */
  requester(request: Request, operation: PlatformOperation): Promise<BoundOperation | null>;
  /** Reads what the request was pinned to, as it is now, with the requester's key. */
  facts(request: Request, bound: BoundOperation): Promise<Checked | { changed: string }>;
}

/** Somebody who presses. */
export type Who = Pick<Origin, "member" | "slackUser">;

/** What is so at the press. */
export interface Checked {
  act: Act;
  /** As the review tells it; what is done at once where no rule asks tells it apart. */
  before: Json;
  price: Request["price"];
}

interface Deps {
  access: Access;
  binder: Binder;
  identities: Identities;
  requests: RequestStore;
  registry: Registry;
  clock: Clock;
}

export function createRequestChecks({ access, binder, identities, requests, registry, clock }: Deps): RequestChecks {
  async function presser(request: Request, operation: PlatformOperation, origin: Who): Promise<void> {
    await access.admit(origin.slackUser, { fresh: true });
    if (request.mode !== "peer") {
      if (origin.member !== request.member)
        throw new Refusal(`Only <@${request.slackUser}> can press this: it runs with their key.`);
      return;
    }
    if (origin.member === request.member) throw new Refusal("You asked for this, so a teammate has to approve it.");
    if (origin.slackUser === request.originator)
      throw new Refusal(
        `You wanted this, and <@${request.slackUser}> took it over for you, so a teammate has to approve it.`,
      );
    const bound = await bindAble(request, operation, origin);
    await requirePeer(request, bound.links);
    await canSee(request, bound);
  }

  /** It runs with the requester's key: who was made a guest, or deactivated, since they asked runs nothing any more. */
  function asker({ slackUser }: Request): Promise<void> {
    return access.admit(slackUser, { fresh: true, whose: `<@${slackUser}>, who asked,` });
  }

  async function bindAble(request: Request, operation: PlatformOperation, { member }: Who): Promise<BoundOperation> {
    await asker(request);
    // The platform is asked again, so that a scope that the key has lost since counts no more.
    await identities.refresh(member, operation.api);
    return binder.bind(operation, member);
  }

  async function glassBreaker(request: Request, operation: PlatformOperation, who: Who): Promise<void> {
    await access.admit(who.slackUser, { fresh: true });
    if (!(await access.isAdmin(who.slackUser)))
      throw new Refusal("Only an admin of this workspace can run this without approval. Nothing was done.");
    if (!(await access.hasOtherAdmin(who.member)))
      throw new Refusal(
        "No other admin has linked a key, so nobody could look at it afterwards. It needs its approval. Nothing was done.",
      );
    await canSee(request, await bindAble(request, operation, who));
  }

  async function requirePeer(request: Request, presser: Links): Promise<void> {
    if (areTwoPeople(await identities.links(request.member), presser)) return;
    throw new Refusal(
      presser.customer
        ? "You are linked as the same user of the platform as the one who asked, so you do not count as somebody else."
        : "You have only a reseller key linked, and that does not tell whose it is, so you do not count as somebody else. Link your customer key as well.",
    );
  }

  async function canSee(request: Request, bound: BoundOperation): Promise<void> {
    try {
      // As the requester saw it, whatever project the approver works in.
      await beginRequest(requests, request, bound.in(request.project), clock.now());
    } catch (error) {
      if (!isGone(error)) throw error;
      throw new Refusal(
        `Your key cannot see ${request.target ? code(request.target.name) : "what this is about"}, so you cannot approve this. Nothing was done.`,
      );
    }
  }

  async function requester(request: Request, operation: PlatformOperation): Promise<BoundOperation | null> {
    const { customer, reseller } = await identities.links(request.member);
    const linked = operation.api === "customer" ? customer : reseller;
    const same = linked?.keyId === request.keyId && (customer?.user.id ?? null) === request.platformUser;
    if (!linked || !same) return null;
    access.requireRecent(linked, { whose: `<@${request.slackUser}>, who asked,` });
    return binder.bindPinned(operation, request);
  }

  async function facts(request: Request, bound: BoundOperation): Promise<Checked | { changed: string }> {
    try {
      const act = await beginRequest(requests, request, bound, clock.now());
      await act.usable();
      const { material, before, price } = await act.review();
      const changes = changesBetween(request.material, material);
      if (changes.length > 0) return { changed: changedWords(changes.join(" ")) };
      return { act, before: before ?? (await act.before()), price: priceOf(request.risk, { price }) };
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

  function operation({ command }: Pick<Request, "command">): PlatformOperation | null {
    const found = registry.find(command);
    return found && found.api !== "app" ? found : null;
  }

  const able = async (wanted: PlatformOperation, { member }: Who) => void (await binder.bind(wanted, member));

  return { operation, presser, glassBreaker, able, asker, requester, facts };
}

/** What the request was about is no longer there. */
function isGone(error: unknown): boolean {
  return error instanceof InputError || (error instanceof PlatformRefused && error.status === 404);
}

function changedWords(changes: string): string {
  return `Something changed since this was asked, so nothing was done. ${changes} Ask again if it is still wanted.`;
}

function changesBetween(before: Fact[], now: Fact[]): string[] {
  const labels = new Set([...before, ...now].map(({ label }) => label));
  return [...labels].flatMap((label) => {
    const was = before.find((fact) => fact.label === label)?.value ?? "nothing";
    const is = now.find((fact) => fact.label === label)?.value ?? "nothing";
    return was === is ? [] : [`*${label}* was ${was} and is now ${is}.`];
  });
}
